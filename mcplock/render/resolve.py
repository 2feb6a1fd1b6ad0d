"""What `resolve` came to, as text."""

from mcplock.naming import shell_words, typed
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
        said += f", {count(len(resolved.lost), 'decision')} undone"
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
        line(Span(Style.HIGH, "- "), f"{visible(remark.label)}: {visible(remark.what)}")
        for remark in resolved.lost
    ]


def _unsettled_lines(resolved: Resolved) -> list[Line]:
    return [
        line(Span(Style.CHANGED, "~ "), f"{visible(remark.label)}: {visible(remark.what)}")
        for remark in resolved.unsettled
    ]


def resolved_hints(resolved: Resolved, name: str, *, in_git: bool = True) -> list[str]:
    """What to do next; name: of the lock, from where the person stands."""
    hints = []
    if resolved.torn:
        servers = " ".join(map(typed, resolved.torn))
        said = "takes what is said now: the sides had different texts of it"
        hints.append(f"`mcplock update {servers}` {said}, and one of them stayed")
    if resolved.waiting:
        then = "then " if resolved.torn else ""
        hints.append(f"{then}`mcplock review` decides on what waits, `mcplock status` counts it")
    if in_git:
        hints.append(f"`git add {shell_words([name])}` tells git that the conflict is resolved")
    return hints
