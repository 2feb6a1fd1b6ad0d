"""What `resolve` came to, as text."""

from mcplock.render.report import waiting_lines
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import count
from mcplock.text import visible
from mcplock.workflow.resolve import Resolved


def resolved_lines(resolved: Resolved) -> list[Line]:
    """Which decisions were lost, what waits for a person, and the verdict."""
    lines = [
        line(Span(Style.HIGH, "- "), f"{visible(lost.label)}: lost {visible(lost.what)}")
        for lost in resolved.lost
    ]
    lines += waiting_lines(resolved.waiting)
    said = "merged: every entry of both sides is there"
    if resolved.lost:
        said += f", {count(len(resolved.lost), 'decision')} lost"
    if resolved.waiting:
        said += f", {count(len(resolved.waiting), 'entry')} to review"
    return [*lines, line(said)]


def resolved_hints(resolved: Resolved) -> list[str]:
    """What to do next."""
    review = ["`mcplock status` says what is to be reviewed"] if resolved.waiting else []
    return [*review, "`git add mcp.lock` tells git that the conflict is resolved"]
