"""Two entries, two servers, two locks -> changes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mcplock.audit import Finding, Skeletons, audit_entry, skeletons_of
from mcplock.changes.denied import with_denied
from mcplock.changes.fields import field_changes
from mcplock.changes.impact import judge
from mcplock.changes.model import (
    POLICY,
    Change,
    ChangeKind,
    FieldChange,
    Impact,
    Missing,
    gravest,
)
from mcplock.changes.renames import with_renames
from mcplock.changes.suspicion import circumstantial, suspicious
from mcplock.changes.wording import touches_text
from mcplock.model import SECTIONS, Entry, Kind, Lock, LockedServer, Snapshot

Entries = Mapping[tuple[Kind, str], Entry]
NO_NEIGHBOURS: Skeletons = {}


def compare_server(
    name: str,
    old: LockedServer | None,
    new: LockedServer | Snapshot | None,
    neighbours: Skeletons = NO_NEIGHBOURS,
) -> list[Change]:
    """How the content of one server differs, in the order of the lock.

    A snapshot has no source and no package: they are not compared. One with a failure says
    nothing, so nothing differs. What is `absent` in a lock is not there.
    """
    if isinstance(new, Snapshot) and new.failure is not None:
        return []
    before = _present(old)
    after = _present(new) if new is not None else {}
    if isinstance(new, Snapshot):
        before = {key: entry for key, entry in before.items() if key[0] not in _UNLISTED}
        after = _decided(after, old)
    changes = [
        compare_entries(name, *key, before.get(key), after.get(key), neighbours)
        for key in _merged_order(before, after)
        if key not in before or key not in after or before[key].hash != after[key].hash
    ]
    ghosts = [
        compare_entries(name, *key, entry, None)
        for key, entry in _all(old).items()
        if entry.absent and key not in after
    ]
    told = [change for change in with_renames([*changes, *ghosts]) if not _ghost(change)]
    circumstances = list(circumstantial(old, new))
    return [replace(change, findings=(*change.findings, *circumstances)) for change in told]


def _ghost(change: Change) -> bool:
    """Whether it tells that something denied is gone, which it was before."""
    return change.kind is ChangeKind.REMOVED and change.old is not None and change.old.absent


_UNLISTED = (Kind.SOURCE, Kind.PACKAGE)


def compare_entries(
    server: str,
    what: Kind,
    name: str,
    old: Entry | None,
    new: Entry | None,
    neighbours: Skeletons = NO_NEIGHBOURS,
) -> Change:
    """The change from `old` to `new`, whose hashes differ; one of them may be None."""
    lints = audit_entry(what, name or server, new.content, neighbours) if new else []
    if old is None or new is None:
        return _one_sided(server, what, name, old, new, lints)
    fields = judge(what, old.content, new.content, _fields(old, new))
    return Change(
        server=server,
        what=what,
        name=name,
        kind=ChangeKind.CHANGED,
        state=new.state,
        old=old,
        new=new,
        impact=gravest([field.impact for field in fields]),
        text=touches_text(what, old, new, fields),
        fields=fields,
        findings=(*suspicious(fields), *lints),
    )


def compare_locks(old: Lock, new: Lock) -> list[Change]:
    """How two locks differ: contents, then, of each server, what a person decided."""
    changes: list[Change] = []
    neighbours = skeletons_of(new)
    for name in sorted(old.servers.keys() | new.servers.keys()):
        before, after = old.servers.get(name), new.servers.get(name)
        changes += compare_server(name, before, after, neighbours)
        changes += _decisions(name, before, after, neighbours)
    return with_denied(changes, new)


def _present(server: LockedServer | Snapshot | None) -> dict[tuple[Kind, str], Entry]:
    return {key: entry for key, entry in _all(server).items() if not entry.absent}


def _all(server: LockedServer | Snapshot | None) -> dict[tuple[Kind, str], Entry]:
    match server:
        case None:
            return {}
        case LockedServer():
            return {(kind, name): entry for kind, name, entry in server.entries()}
        case Snapshot():
            entries = {(Kind.INSTRUCTIONS, ""): server.instructions} if server.instructions else {}
            return entries | {
                (section.kind, name): entry
                for section in SECTIONS
                for name, entry in server.of(section.kind).items()
            }


def _decided(listed: Entries, old: LockedServer | None) -> dict[tuple[Kind, str], Entry]:
    """What a server lists, under the decisions that the lock holds for it."""
    known = _all(old)
    return {
        key: known[key]._replace(
            hash=entry.hash, content=entry.content, invalid=entry.invalid, raw=entry.raw
        )
        if key in known
        else entry
        for key, entry in listed.items()
    }


def _merged_order(before: Entries, after: Entries) -> list[tuple[Kind, str]]:
    kinds = list(Kind)
    return sorted(before.keys() | after.keys(), key=lambda key: (kinds.index(key[0]), key[1]))


def _one_sided(
    server: str,
    what: Kind,
    name: str,
    old: Entry | None,
    new: Entry | None,
    lints: Sequence[Finding],
) -> Change:
    gone = new is None
    definition = what not in (Kind.SOURCE, Kind.PACKAGE, Kind.INSTRUCTIONS)
    impact = (Impact.BREAKING if gone else Impact.COMPATIBLE) if definition else Impact.UNKNOWN
    return Change(
        server=server,
        what=what,
        name=name,
        kind=ChangeKind.REMOVED if gone else ChangeKind.ADDED,
        state=new.state if new else None,
        old=old,
        new=new,
        impact=impact,
        text=True,
        findings=lints,
    )


def _fields(old: Entry, new: Entry) -> list[FieldChange]:
    """The differences; where one content is not known, one for the whole."""
    if old.content is not None and new.content is not None:
        return field_changes(old.content, new.content)
    left, right = (
        Missing.UNKNOWN if entry.content is None else entry.content for entry in (old, new)
    )
    return [FieldChange("", left, right, Impact.UNKNOWN)]


def _decisions(
    server: str, before: LockedServer | None, after: LockedServer | None, neighbours: Skeletons
) -> Iterator[Change]:
    olds, news = _all(before), _all(after)
    for key in _merged_order(olds, news):
        old, new = olds.get(key), news.get(key)
        kinds = list(_decided_kinds(old, new))
        yield from (_decision(server, *key, kind, old, new, neighbours) for kind in kinds)
        fields = list(_policy_fields(old, new, noted=not kinds))
        if fields:
            change = _decision(server, *key, ChangeKind.CHANGED, old, new, neighbours)
            yield replace(change, what=POLICY, of=key[0], fields=fields)


def _decision(
    server: str,
    what: Kind,
    name: str,
    kind: ChangeKind,
    old: Entry | None,
    new: Entry | None,
    neighbours: Skeletons,
) -> Change:
    """What was decided of an entry; an approval with the findings that stood against it."""
    approved = new if kind is ChangeKind.APPROVED else None
    return Change(
        server=server,
        what=what,
        name=name,
        kind=kind,
        state=new.state if new else None,
        old=old,
        new=new,
        impact=Impact.NONE,
        findings=audit_entry(what, name or server, approved.content, neighbours)
        if approved
        else (),
    )


def _decided_kinds(old: Entry | None, new: Entry | None) -> Iterator[ChangeKind]:
    """What a person decided; an entry that is gone lost its denial, not its approval."""
    approved, denied = (old.approved, old.denied) if old else (None, None)
    lifted = denied is not None and (new is None or new.denied is None)
    withdrawn = new and new.denied is None and approved is not None and new.approved is None
    if lifted or withdrawn:
        yield ChangeKind.RESET
    if new and new.denied is not None and new.denied != denied:
        yield ChangeKind.DENIED
    if new and new.approved is not None and new.approved != approved:
        yield ChangeKind.APPROVED


def _policy_fields(old: Entry | None, new: Entry | None, *, noted: bool) -> Iterator[FieldChange]:
    """What was decided beside the approval; a note alone only where `noted`."""
    if new is None:
        return
    sides = {"/confirm": (old.confirm if old else None, new.confirm)}
    if noted:
        sides["/note"] = (old.note if old else None, new.note)
    for pointer, (before, after) in sides.items():
        if before != after:
            yield FieldChange(pointer, before or Missing.ABSENT, after or Missing.ABSENT)
