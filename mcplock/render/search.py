"""What `search` found, as text and as JSON."""

from collections.abc import Sequence

from mcplock.levels import of_server
from mcplock.render.cells import cells
from mcplock.render.document import VERSION, dump
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import SUSPECTED, begin, column, count, name_cell
from mcplock.text import visible
from mcplock.workflow.doubts import Unusable
from mcplock.workflow.search import Search

_MOST = 3


def search_document(found: Search) -> str:
    """The JSON document: a row a hit, best first, and what was left out."""
    rows = [
        {"server": hit.tool.server, "tool": hit.tool.name, "score": hit.score}
        | ({"suspected": True} if (hit.tool.server, hit.tool.name) in found.suspected else {})
        for hit in found.hits
    ]
    left_out = [
        {"server": left.server, "tools": left.tools, "reason": left.reason}
        for left in found.left_out
    ]
    return dump({"version": VERSION, "results": rows, "left_out": left_out})


def search_lines(found: Search, width: int | None) -> list[Line]:
    """A line a hit: its name and how its description begins; None: no terminal bounds it."""
    wide = column(visible(hit.tool.id) for hit in found.hits)
    lines = []
    for hit in found.hits:
        suspected = (hit.tool.server, hit.tool.name) in found.suspected
        remark = f"  {SUSPECTED}" if suspected else ""
        room = None if width is None else width - wide - 2 - cells(remark)
        told = begin(visible(hit.tool.description.strip().partition("\n")[0]), room)
        name = name_cell(visible(hit.tool.id), wide)
        lines.append(
            line(name, Span(Style.WARNING, remark), Span(Style.DIM, f"  {told}" if told else ""))
        )
    return lines


def left_out_lines(left_out: Sequence[Unusable]) -> list[Line]:
    """How many tools were not looked at, by server and reason; of many servers a few."""
    lines = []
    for left in left_out[:_MOST]:
        tools, verb = count(left.tools, "tool"), "is" if left.tools == 1 else "are"
        said = f"{tools} of {visible(left.server)} {verb} left out: {visible(_why(left.reason))}"
        lines.append(line(said))
    more = sum(left.tools for left in left_out[_MOST:])
    return [*lines, line(f"… and {count(more, 'more tool')}")] if more else lines


def _why(reason: str) -> str:
    """`new` says nothing of who reviewed it."""
    return {"new": "not reviewed yet", "changed": "changed since approved"}.get(
        reason, of_server(reason)
    )
