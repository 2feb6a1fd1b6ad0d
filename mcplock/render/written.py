"""What `install` and `update` did, as text."""

from collections import Counter

from mcplock.changes import ChangeKind
from mcplock.model import State
from mcplock.render.decision import left_out_lines
from mcplock.render.diff import render_changes
from mcplock.render.report import (
    issue_lines,
    review_hints,
    separated,
    waiting_lines,
)
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import count
from mcplock.text import visible
from mcplock.workflow.commit import Written


def written_lines(written: Written, width: int, *, verbose: bool = False) -> list[Line]:
    """What the verdict rests on: the changes, what went wrong, what waits for a person."""
    blocks = [
        render_changes(written.changes, width, whole=verbose),
        issue_lines(written.issues),
        left_out_lines(written.held_back),
        waiting_lines(written.waiting, verbose=True) if verbose else [],
    ]
    return separated(blocks)


def written_verdict(written: Written, *, dry_run: bool = False) -> Line:
    """The last line: whether the lock is another now, and in what."""
    kinds = Counter(change.kind for change in written.changes)
    parts = [f"{kinds[kind]} {kind}" for kind in ChangeKind if kinds[kind]]
    said = ", ".join(parts) or ("the form only" if written.wrote else "nothing changed")
    if written.approved:
        said += f", {written.approved} approved by --baseline"
    if written.waiting and not dry_run:
        said += f"; {count(len(written.waiting), 'entry')} to review"
    invalid = sum(change.state is State.INVALID for change in written.changes)
    if invalid:
        said += f"; {invalid:,} invalid"
    if written.failed:
        said += f"; nothing written of {', '.join(map(visible, written.failed))}"
    style = Style.HIGH if written.failed else Style.PLAIN
    return line(Span(style, f"{_where(written, dry_run=dry_run)}: {said}"))


def _where(written: Written, *, dry_run: bool) -> str:
    if written.wrote:
        return "mcp.lock written"
    return "mcp.lock would change" if dry_run and written.changes else "mcp.lock untouched"


def written_hints(written: Written, *, dry_run: bool) -> list[str]:
    """What to do after `install` or `update`."""
    if dry_run:
        return []
    names = ", ".join(map(visible, written.dropped))
    gone = f"`mcplock install` drops from the lock what the manifest has no more: {names}"
    return [*([gone] if names else []), *review_hints(written.waiting)]
