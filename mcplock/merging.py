"""Two sides of a lock -> one, entry by entry, never more trusting than both allow.

An approval names a hash, so an approval taken from a side approves only what that side
approved. Where both sides changed an entry, the less trusting state holds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from mcplock.model import Entry, Kind, Lock, LockedServer, State
from mcplock.naming import label
from mcplock.records import NamedTuple

T = TypeVar("T")
_TRUST = (State.DENIED, State.INVALID, State.NEW, State.CHANGED, State.APPROVED)


class Remark(NamedTuple):
    """What is to be said of one entry of a merged lock, in words."""

    label: str
    what: str


@dataclass(frozen=True, slots=True)
class Merged:
    """The lock that two sides make.

    lost: decisions of one side that it does not hold; unsettled: where the sides disagree, no
    decision was lost, and yet a person has to look; torn: the servers of which both sides
    changed one entry, to different texts: which of them the server says now, nobody asked yet.
    """

    lock: Lock
    lost: Sequence[Remark]
    unsettled: Sequence[Remark]
    torn: Sequence[str] = ()


def merge_locks(base: Lock | None, ours: Lock, theirs: Lock) -> Merged:
    """Merge entry by entry; every server and every entry of both sides stays.

    base: what both sides come from; None where it is not known: then whatever differs was
    changed by both, as far as anybody can tell.
    """
    found = _Found()
    servers = {
        name: _server(
            name,
            base.servers.get(name) if base else None,
            ours.servers.get(name),
            theirs.servers.get(name),
            found,
        )
        for name in sorted({*ours.servers, *theirs.servers})
    }
    return Merged(Lock(servers), found.lost, found.unsettled, found.torn)


@dataclass(frozen=True, slots=True)
class _Found:
    """The remarks so far."""

    lost: list[Remark] = field(default_factory=list)
    unsettled: list[Remark] = field(default_factory=list)
    torn: list[str] = field(default_factory=list)


def _server(
    name: str,
    base: LockedServer | None,
    ours: LockedServer | None,
    theirs: LockedServer | None,
    found: _Found,
) -> LockedServer:
    if ours is None or theirs is None:
        one = ours or theirs
        assert one  # noqa: S101 - one of them has the name
        found.unsettled.extend(_kept(name, base, ours))
        return one
    before, left, right = _entries(base), _entries(ours), _entries(theirs)
    entries = {
        key: _entry(label(name, *key), before.get(key), left.get(key), right.get(key), found)
        for key in left | right
    }
    both = left.keys() & right.keys()
    if any(_torn(before.get(key), left[key], right[key]) for key in both):
        found.torn.append(name)
    return ours.having(entries)._replace(
        protocol=_changed(base.protocol if base else None, ours.protocol, theirs.protocol),
        info=_changed(base.info if base else None, ours.info, theirs.info),
        reserved={**theirs.reserved, **ours.reserved},
    )


def _entries(server: LockedServer | None) -> dict[tuple[Kind, str], Entry]:
    return {(kind, name): entry for kind, name, entry in server.entries()} if server else {}


def _changed(base: T, ours: T, theirs: T) -> T:
    """The one that was changed; ours where both were."""
    return theirs if ours == base else ours


def _entry(
    name: str, base: Entry | None, ours: Entry | None, theirs: Entry | None, found: _Found
) -> Entry:
    one = ours or theirs
    assert one  # noqa: S101 - one of them has the entry
    if ours is None or theirs is None:
        found.unsettled.extend(_kept(name, base, ours))
        return one
    if ours == theirs:
        return ours
    if base in (ours, theirs):
        return theirs if base == ours else ours
    merged = _both_changed(base, ours, theirs)
    lost = [Remark(name, what) for what in _lost(base, merged, ours, theirs)]
    found.lost.extend(lost)
    if not lost and merged.waits:
        stayed = _stayed(merged, ours, theirs)
        found.unsettled.append(Remark(name, f"both sides changed it; {stayed}"))
    return merged


def _torn(base: Entry | None, ours: Entry, theirs: Entry) -> bool:
    """Whether both sides changed an entry, to different texts."""
    return ours.hash != theirs.hash and base not in (ours, theirs)


def _kept(name: str, base: T | None, ours: T | None) -> list[Remark]:
    """What one side has taken out stays, for it may be another's decision that would be lost."""
    side = "ours" if ours is None else "theirs"
    return [Remark(name, f"is gone from {side}, and kept")] if base else []


def _both_changed(base: Entry | None, ours: Entry, theirs: Entry) -> Entry:
    """What is left of an entry that differs from the base on both sides."""
    text, other = sorted((ours, theirs), key=lambda side: _TRUST.index(side.state))
    if ours.hash == theirs.hash:
        approved = _agreed(base.approved if base else None, ours.approved, theirs.approved)
    elif text.state is State.APPROVED:
        approved = None  # two texts, both approved: one stays, and is to be looked at again
    else:
        approved = other.approved if other.approved != text.hash else text.approved
        approved = approved or text.approved
    denied = ours.denied if ours.denied is not None else theirs.denied
    return text._replace(
        approved=approved,
        denied=denied,
        confirm=ours.confirm if ours.confirm == theirs.confirm else None,
        note=_note(approved, base, ours, theirs),
        absent=denied is not None and ours.absent and theirs.absent,
    )


def _note(approved: str | None, base: Entry | None, ours: Entry, theirs: Entry) -> str | None:
    """Why the text `approved` was approved: what either side says; both, where they differ.

    One that stood in the base gives way to what the other side wrote since.
    """
    if approved is None:
        return None
    notes = [side.note for side in (ours, theirs) if side.approved == approved and side.note]
    before = base.note if base and base.approved == approved else None
    said = [note for note in dict.fromkeys(notes) if note != before] or notes[:1]
    whole = [note for note in said if not any(note in other != note for other in said)]
    return "; ".join(whole) or None


def _agreed(base: str | None, ours: str | None, theirs: str | None) -> str | None:
    """An approval of the same text: the side that changed it decides; two changes cancel."""
    if ours == theirs:
        return ours
    if base is not None and base in (ours, theirs):
        return theirs if base == ours else ours
    return None


def _lost(base: Entry | None, merged: Entry, ours: Entry, theirs: Entry) -> list[str]:
    sides = {"ours": ours, "theirs": theirs}
    what = []
    if merged.state is not State.APPROVED:
        what += [
            f"{name} approved {side.hash[:19]}, which is undone: {_because(merged, name, sides)}"
            for name, side in sides.items()
            if side.state is State.APPROVED
        ]
    if merged.denied is not None and base and base.denied is not None:
        lifted = [name for name, side in sides.items() if side.denied is None]
        what += [f"{name} lifted its denial, which is undone: it stays denied" for name in lifted]
    if merged.confirm is None and State.DENIED not in {side.state for side in sides.values()}:
        asked = [name for name, side in sides.items() if side.confirm]
        what += [
            f"{name} let agents call it unasked, which is undone: a person is asked again"
            for name in asked
        ]
    return what


def _because(merged: Entry, name: str, sides: Mapping[str, Entry]) -> str:
    """Why the approval of the side `name` does not hold, and what does, in words."""
    other = next(side for side in sides if side != name)
    stayed = _stayed(merged, sides["ours"], sides["theirs"])
    if merged.state is State.DENIED:
        return f"{other} denied it"
    if merged.state is State.INVALID:
        return f"{stayed}, and is invalid"
    if sides[other].state is State.APPROVED:
        return f"{other} approved another text; {stayed}, and waits for review"
    if sides[other].hash == sides[name].hash:
        return f"{other} has that text unapproved; it waits for review"
    return f"{other} has another text, which waits for review"


def _stayed(merged: Entry, ours: Entry, theirs: Entry) -> str:
    """Which side's text the merged entry has, in words."""
    if ours.hash == theirs.hash:
        return "both sides have that text"
    return "our text stayed" if merged.hash == ours.hash else "their text stayed"
