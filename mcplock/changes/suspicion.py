"""What a reviewer should look at first in a change."""

from collections import Counter
from collections.abc import Iterator, Sequence

from mcplock.audit import Finding, Severity, skeleton
from mcplock.changes.model import FieldChange, Missing
from mcplock.model import LockedServer, Snapshot
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
        message = "it looks as before, but is not: " + _exchanged(old, new)
        yield Finding("reads-the-same", Severity.HIGH, pointer, message)


def _exchanged(old: str, new: str) -> str:
    """Which characters one text has more often than the other."""
    gone, came = Counter(old) - Counter(new), Counter(new) - Counter(old)
    if not gone and not came:
        return "characters changed places"
    parts = [f"{_characters(found)} {word}" for found, word in ((gone, "went"), (came, "came"))
             if found]  # fmt: skip
    return ", ".join(parts)


def _characters(found: Counter[str]) -> str:
    told = [
        f"{visible(letter)} (U+{ord(letter):04X})" if visible(letter) == letter else visible(letter)
        for letter in list(found)[:_MOST_TOLD]
    ]
    more = f" and {len(found) - _MOST_TOLD} more" if len(found) > _MOST_TOLD else ""
    return ", ".join(told) + more


_MOST_TOLD = 6


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


CIRCUMSTANCES = frozenset({"protocol", "server-version"})
"""The rules of findings that are about a whole server: each of its changes has them."""


def circumstantial(
    old: LockedServer | None, new: LockedServer | Snapshot | None
) -> Iterator[Finding]:
    """What else is other than it was, and may be why a server's content is."""
    if old is None or new is None:
        return
    if old.protocol and new.protocol and old.protocol != new.protocol:
        message = f"locked in {visible(old.protocol)}, answered in {visible(new.protocol)}"
        yield Finding("protocol", Severity.INFO, "", message)
    if old.info and new.info and old.info != new.info:
        before, after = (visible(f"{info.name} {info.version}") for info in (old.info, new.info))
        yield Finding("server-version", Severity.INFO, "", f"{before} → {after}")
