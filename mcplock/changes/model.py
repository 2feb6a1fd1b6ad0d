"""What a comparison says."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Final, Literal

from mcplock.audit.findings import Finding
from mcplock.jsontext import Json
from mcplock.model import Entry, Kind, State

POLICY: Final = "policy"
"""`Change.what` of a decision that is about no content: whether calls ask a person first."""


RESEMBLES: Final = "resembles"
"""The rule of the finding that tells which removed definition an added one is like."""


class ChangeKind(StrEnum):
    """What happened to an entry; the last three are decisions of a person."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    RENAMED = "renamed"
    APPROVED = "approved"
    DENIED = "denied"
    RESET = "reset"


DECISIONS = frozenset({ChangeKind.APPROVED, ChangeKind.DENIED, ChangeKind.RESET})


class Impact(StrEnum):
    """What a change means for whoever calls the tool, the gravest first."""

    BREAKING = "breaking"
    UNKNOWN = "unknown"
    COMPATIBLE = "compatible"
    NONE = "none"


GRAVITY = tuple(Impact)


class Missing(Enum):
    """What stands in place of a value that a side does not have."""

    ABSENT = "absent"  # there is no such key or item
    UNKNOWN = "unknown"  # there is content, but only its hash is known


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One place where two contents differ.

    pointer: RFC 6901; over the new content, or over the old one where the value is gone.
    old, new: the values, or `Missing`. An item that is absent on one side was put into or
    taken out of its list: later items moved, and are not reported for it. Two lists: their
    items changed places, and nothing else. item: whether it stands in a list, so that the last
    step of the pointer is no name.
    impact, reason: what it means for a caller; the reason is a few words, or "".
    """

    pointer: str
    old: Json | Missing
    new: Json | Missing
    impact: Impact = Impact.NONE
    reason: str = ""
    item: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Exchange:
    """What stands in a new text in place of what stood in the old one.

    kind: what both seem to be, in words, such as `the working directory`.
    """

    kind: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Change:
    """One entry that differs between two sides.

    name: "" but for definitions. state: of the entry on the new side, decisions carried
    over; None where it is gone. renamed_from: the old name of a renamed definition; of an
    added one, the removed one that it resembles. fields: of changed and renamed entries.
    text: whether any string or key differs outside `_meta`, `icons`, `$schema`, `$id`.
    exchanges: all that differs, where it seems to be of the machine alone.
    of: what a policy is of: an entry of this kind, the server as a whole, or, None, the manifest.
    """

    server: str
    what: Kind | Literal["policy"]
    name: str
    kind: ChangeKind
    state: State | None
    old: Entry | None
    new: Entry | None
    renamed_from: str = ""
    impact: Impact = Impact.UNKNOWN
    text: bool = False
    fields: Sequence[FieldChange] = ()
    findings: Sequence[Finding] = ()
    exchanges: Sequence[Exchange] = ()
    of: Kind | Literal["server"] | None = None

    @property
    def entry(self) -> Kind | None:
        """The kind of the entry that it is about, if it is about one."""
        return next((kind for kind in (self.what, self.of) if isinstance(kind, Kind)), None)


def gravest(impacts: Sequence[Impact]) -> Impact:
    """The one that decides; `none` of nothing."""
    return min(impacts, key=GRAVITY.index, default=Impact.NONE)
