"""A snapshot into the lock: what is equal stays as it is, what a person decided stays decided."""

from mcplock.model import SECTIONS, Entries, Entry, LockedServer, Snapshot


def absorb(locked: LockedServer | None, snapshot: Snapshot, source: Entry) -> LockedServer:
    """The server as the lock is to hold it, given what it answered and how it is reached.

    Approvals name hashes, so they are carried along unread; denials hold by name. Where
    every entry stays the same the answer is `locked` itself, whatever else the server says
    of itself.
    """
    before = locked or LockedServer(source)
    after = before._replace(
        source=_carried(before.source, source),
        instructions=_merged(before.instructions, snapshot.instructions),
        definitions={
            section.kind: entries
            for section in SECTIONS
            if (entries := _entries(before.of(section.kind), snapshot.of(section.kind)))
        },
    )
    if after == locked:
        return locked
    return after._replace(protocol=snapshot.protocol, info=snapshot.info)


def _entries(old: Entries, new: Entries) -> Entries:
    merged = {name: _merged(old.get(name), new.get(name)) for name in sorted({*old, *new})}
    return {name: entry for name, entry in merged.items() if entry is not None}


def _merged(old: Entry | None, new: Entry | None) -> Entry | None:
    """What the lock is to hold for one name; what is denied outlives its going upstream."""
    if old is None:
        return new
    if new is None:
        return None if old.denied is None else old._replace(absent=True)
    return _carried(old, new)


def _carried(old: Entry, new: Entry) -> Entry:
    """`new` with the decisions of `old`; the content of `old` where the hash is the same."""
    kept = old if old.hash == new.hash else new
    return old._replace(
        hash=new.hash, content=kept.content, invalid=new.invalid, absent=False, raw=kept.raw
    )
