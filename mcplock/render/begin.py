"""What `init` found, and what it wrote."""

from collections.abc import Sequence

from mcplock.files import shown
from mcplock.manifest import Manifest
from mcplock.manifest.begin import Offer
from mcplock.render.launch import launch_lines
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import count
from mcplock.text import visible


def offer_lines(offers: Sequence[Offer]) -> list[Line]:
    """Each file with its servers and how they are reached, or why it is left out."""
    return [row for offer in offers for row in _offer_lines(offer)]


def _offer_lines(offer: Offer) -> list[Line]:
    name = Span(Style.NAME, visible(offer.file))
    if offer.problem:
        reason = [line(f"    {text}") for text in offer.problem.split("\n")]
        return [line(Span(Style.WARNING, "! "), name, "  is left out:"), *reason]
    rows = [line(Span(Style.ADDED, "+ "), name)]
    for server in offer.again:
        said = Span(Style.DIM, "  as in a file before it")
        rows.append(line("  ", Span(Style.STRONG, visible(server.name)), said))
    for server in offer.servers:
        rows.append(line("  ", Span(Style.STRONG, visible(server.name))))
        rows += launch_lines(server.source)
        if server.refused:
            rows.append(line(Span(Style.WARNING, "    ! "), server.refused.message))
    return rows


def manifest_line(manifest: Manifest) -> Line:
    """What a new manifest holds."""
    name = visible(shown(manifest.path))
    return line(f"{name} written: {count(len(manifest.servers), 'server')}")
