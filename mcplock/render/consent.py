"""The one list of what a yes would start: exact, unexpanded, untruncated."""

from collections.abc import Sequence

from mcplock.render.findings import finding_lines
from mcplock.render.launch import launch_lines
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import count
from mcplock.text import visible
from mcplock.workflow.project import Start

_INDENT = " " * 4


def consent_lines(starts: Sequence[Start]) -> list[Line]:
    """What would be started or connected to, and which variables each server would read."""
    what = count(len(starts), "server")
    lines = [line(f"A yes lets this machine start or contact {what}:"), line()]
    for start in starts:
        server = start.server
        place = Span(Style.DIM, f"  ({server.place})")
        lines.append(line("  ", Span(Style.NAME, visible(server.name)), place))
        lines += launch_lines(server.source)
        if start.was:
            lines.append(line(Span(Style.CHANGED, f"{_INDENT}~ the lock has another source:")))
            lines += launch_lines(start.was)
        lines += finding_lines(start.findings, _INDENT)
        lines.append(line())
    return lines
