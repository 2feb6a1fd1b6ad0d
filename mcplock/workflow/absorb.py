"""A snapshot into the lock: what is equal stays as it is, what a person decided stays decided."""

from collections.abc import Mapping
from dataclasses import replace

from mcplock.model import SECTIONS, Entries, Entry, Kind, LockedServer, Snapshot


def absorb(locked: LockedServer | None, snapshot: Snapshot, source: Entry) -> LockedServer:
    """The server as the lock is to hold it, given what it answered.

    Approvals name hashes, so they are carried along unread. Where every hash is the same
    the answer is `locked` itself, whatever else the server says of itself.
    """
    if locked is None:
        return LockedServer(
            source=source,
            protocol=snapshot.protocol,
            info=snapshot.info,
            instructions=snapshot.instructions,
            definitions=_filled(snapshot.definitions),
        )
    after = replace(
        locked,
        source=_carried(locked.source, source),
        instructions=_instructions(locked.instructions, snapshot.instructions),
        definitions=_filled(
            {
                section.kind: _entries(locked.of(section.kind), snapshot.of(section.kind))
                for section in SECTIONS
            }
        ),
    )
    if after == locked:
        return locked
    return replace(after, protocol=snapshot.protocol, info=snapshot.info)


def _filled(definitions: Mapping[Kind, Entries]) -> dict[Kind, Entries]:
    return {kind: entries for kind, entries in definitions.items() if entries}


def _entries(old: Entries, new: Entries) -> Entries:
    kept = {
        name: replace(entry, absent=True)
        for name, entry in old.items()
        if name not in new and entry.denied is not None
    }
    carried = {
        name: _carried(old[name], entry) if name in old else entry for name, entry in new.items()
    }
    merged = kept | carried
    return {name: merged[name] for name in sorted(merged)}


def _instructions(old: Entry | None, new: Entry | None) -> Entry | None:
    if old is None:
        return new
    if new is None:
        return None if old.denied is None else replace(old, absent=True)
    return _carried(old, new)


def _carried(old: Entry, new: Entry) -> Entry:
    """`new` with the decisions of `old`; the content of `old` where the hash is the same."""
    content = old.content if old.hash == new.hash else new.content
    return replace(old, hash=new.hash, content=content, invalid=new.invalid, absent=False)
