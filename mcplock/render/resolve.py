"""What `resolve` came to, as text."""

from mcplock.render.report import waiting_lines
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import count
from mcplock.text import visible
from mcplock.workflow.resolve import Resolved


def resolved_lines(resolved: Resolved) -> list[Line]:
    """Which decisions were lost, what waits for a person, and the verdict."""
    lines = _lost_lines(resolved) + _unsettled_lines(resolved)
    lines += waiting_lines(resolved.waiting)
    said = "merged: every entry of both sides is there"
    if resolved.lost:
        said += f", {count(len(resolved.lost), 'decision')} lost"
    if resolved.waiting:
        said += f", {count(len(resolved.waiting), 'entry')} to review"
    return [*lines, line(said)]


def driver_lines(resolved: Resolved, name: str) -> list[Line]:
    """Why a merge that git began stops at the lock called `name`."""
    return [
        *_lost_lines(resolved),
        *_unsettled_lines(resolved),
        line(f"{visible(name)} is merged, and a person is to look at that"),
    ]


def _lost_lines(resolved: Resolved) -> list[Line]:
    return [
        line(Span(Style.HIGH, "- "), f"{visible(remark.label)}: lost {visible(remark.what)}")
        for remark in resolved.lost
    ]


def _unsettled_lines(resolved: Resolved) -> list[Line]:
    return [
        line(Span(Style.CHANGED, "~ "), f"{visible(remark.label)}: {visible(remark.what)}")
        for remark in resolved.unsettled
    ]


def resolved_hints(resolved: Resolved, name: str = "mcp.lock") -> list[str]:
    """What to do next."""
    review = ["`mcplock status` says what is to be reviewed"] if resolved.waiting else []
    return [*review, f"`git add {visible(name)}` tells git that the conflict is resolved"]
