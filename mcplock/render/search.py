"""What `search` found, as text and as JSON."""

from collections.abc import Sequence

from mcplock.render.document import VERSION, dump
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import clip, column, name_cell
from mcplock.search import Hit
from mcplock.text import visible


def search_document(hits: Sequence[Hit]) -> str:
    """The JSON document: a row a hit, best first."""
    rows = [{"server": hit.tool.server, "tool": hit.tool.name, "score": hit.score} for hit in hits]
    return dump({"version": VERSION, "results": rows})


def search_lines(hits: Sequence[Hit], width: int | None) -> list[Line]:
    """A line a hit: its name and how its description begins, cut where `width` ends."""
    names = [visible(hit.tool.id) for hit in hits]
    wide = column(names)
    lines = []
    for hit, name in zip(hits, names, strict=True):
        told = visible(hit.tool.description.strip().partition("\n")[0])
        room = None if width is None else max(width - wide - 2, 10)
        told = told if room is None else clip(told, room)
        lines.append(line(name_cell(name, wide), Span(Style.DIM, f"  {told}") if told else ""))
    return lines
