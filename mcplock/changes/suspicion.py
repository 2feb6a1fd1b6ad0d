"""What a reviewer should look at first in a change."""

from collections.abc import Iterator, Sequence

from mcplock.audit import Finding, Severity, skeleton
from mcplock.changes.model import FieldChange, Missing
from mcplock.text import visible


def suspicious(fields: Sequence[FieldChange]) -> Iterator[Finding]:
    """Differences that a reader cannot see, or can hardly see."""
    for field in fields:
        if isinstance(field.old, str) and isinstance(field.new, str):
            yield from _same_reading(field.pointer, field.old, field.new)
    yield from _look_alike_keys(fields)


def _same_reading(pointer: str, old: str, new: str) -> Iterator[Finding]:
    if old.split() == new.split():
        yield Finding("white-space", Severity.INFO, pointer, "only white space has changed")
    elif skeleton(old) == skeleton(new):
        message = "only characters that look alike or do not show have changed"
        yield Finding("reads-the-same", Severity.HIGH, pointer, message)


def _look_alike_keys(fields: Sequence[FieldChange]) -> Iterator[Finding]:
    """A key that is gone, and in its place one that reads like it."""
    gone = {
        (parent, skeleton(key)): key
        for parent, _, key in (
            field.pointer.rpartition("/") for field in fields if field.new is Missing.ABSENT
        )
    }
    for field in fields:
        parent, _, key = field.pointer.rpartition("/")
        before = gone.get((parent, skeleton(key))) if field.old is Missing.ABSENT else None
        if before is not None and before != key:
            message = f"the key {visible(key)} reads like {visible(before)}, which is gone"
            yield Finding("reads-the-same", Severity.HIGH, field.pointer, message)
