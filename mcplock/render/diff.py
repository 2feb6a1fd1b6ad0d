"""The rug-pull diff: changes -> styled lines."""

from collections.abc import Iterator, Sequence

from mcplock.changes import Change, ChangeKind
from mcplock.render.spans import Line, Span, Style, line
from mcplock.text import visible

_SIGNS = {ChangeKind.ADDED: "+", ChangeKind.REMOVED: "-"}


def render_changes(changes: Sequence[Change], width: int = 80) -> list[Line]:
    """`changes` for a person to judge, `width` cells wide."""
    return [spans for change in changes for spans in _change(change)]


def _change(change: Change) -> Iterator[Line]:
    sign = _SIGNS.get(change.kind, "~")
    label = f"{change.server}/{change.name}" if change.name else f"@{change.server}"
    yield line(f"{sign} ", Span(Style.NAME, visible(label)), f"  {change.kind}")
    for field in change.fields:
        yield line(f"    {visible(field.pointer)}")
