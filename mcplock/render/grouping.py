"""Changes in the order in which they want to be read, equal edits together.

What seems to be of the machine, or is of white space alone, comes last: among many of these
what is of neither kind must not be missed. It is no less shown for that, since whoever wants to
slip a text past a reviewer can word it so.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

from mcplock.audit import Severity
from mcplock.changes import (
    CIRCUMSTANCES,
    Change,
    ChangeKind,
    Exchange,
    FieldChange,
    Missing,
    kinds_of,
)
from mcplock.lazy import pattern
from mcplock.model import Kind
from mcplock.render.values import value_text

_FEWEST = 3
_COUNTED = pattern(
    r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|\b[0-9a-fA-F]{8,64}\b|[0-9]+"
)
"""What differs from one text to the next where each was made at its moment; no words fit in."""


@dataclass(frozen=True, slots=True)
class Group:
    """Changes of one server that are the same edit of each entry; mostly a single one.

    So are those that white space explains, or the same exchange of what is of the machine.
    """

    changes: Sequence[Change]

    @property
    def first(self) -> Change:
        """The one that is shown for all."""
        return self.changes[0]

    @property
    def others(self) -> Sequence[Change]:
        """Those that have to be shown too: the first one does not stand for them."""
        if len(self.changes) == 1:
            return ()
        if explanation(self.first):
            alike = {frozenset(change.exchanges) for change in self.changes}
            return () if len(alike) == 1 else self.changes[1:]
        whole = all(_stands_alone(field) for change in self.changes for field in change.fields)
        return () if whole else self.changes[1:]


def grouped(changes: Sequence[Change]) -> list[Group]:
    """What has a `high` finding first, then single changes, then edits of many entries.

    What is explained comes after all of these.
    """
    same: dict[Hashable, list[Change]] = {}
    for at, change in enumerate(changes):
        edit = _edit(change)
        same.setdefault(at if edit is None else edit, []).append(change)
    groups = [group for found in same.values() for group in _split(found)]
    return list(_told_once(sorted(groups, key=_rank)))


def _told_once(groups: Sequence[Group]) -> Iterator[Group]:
    """What is about a whole server is told with the first of its changes only."""
    servers: set[str] = set()
    for group in groups:
        first = group.first
        if first.server in servers:
            own = [found for found in first.findings if found.rule not in CIRCUMSTANCES]
            yield Group([replace(first, findings=own), *group.changes[1:]])
        else:
            servers.add(first.server)
            yield group


def _split(same: Sequence[Change]) -> Iterator[Group]:
    if len(same) >= _FEWEST:
        yield Group(same)
    else:
        yield from (Group([change]) for change in same)


def _rank(group: Group) -> int:
    if any(finding.severity is Severity.HIGH for finding in group.first.findings):
        return 0
    several = len(group.changes) > 1
    return 1 + several + 2 * is_explained(group.first)


def explanation(change: Change) -> str:
    """What a change seems to differ in alone, in words; "" where no such thing explains it."""
    if change.exchanges:
        return kinds_of(change.exchanges)
    spaced = {finding.pointer for finding in change.findings if finding.rule == "white-space"}
    all_spaced = change.fields and all(field.pointer in spaced for field in change.fields)
    return "white space" if all_spaced else ""


def is_explained(change: Change) -> bool:
    """Whether a change may be read after others: it is explained, and no finding is grave."""
    grave = any(finding.severity in _GRAVE for finding in change.findings)
    return bool(explanation(change)) and not grave


_GRAVE = (Severity.HIGH, Severity.MEDIUM)


def _edit(change: Change) -> Hashable:
    """What is equal for changes that do the same to different entries; None of others."""
    approved = change.kind is ChangeKind.APPROVED and bool(change.fields)
    if not (approved or change.kind is ChangeKind.CHANGED) or not isinstance(change.what, Kind):
        return None
    if not change.name or (change.new and change.new.content is None):
        return None  # nobody knows whether it is the same edit
    note = change.new.note if approved and change.new else None
    same = change.server, change.what, change.state, change.kind, note
    if found := explanation(change):
        rules = frozenset(finding.rule for finding in change.findings)
        return *same, found, frozenset(map(_exchanged, change.exchanges)), rules
    findings = tuple((finding.rule, finding.pointer) for finding in change.findings)
    return *same, tuple(map(_field_edit, change.fields)), findings


def _stands_alone(field: FieldChange) -> bool:
    """Whether the edit of a field reads the same whatever stands around it.

    Of words put before or after a text that holds where they are sentences of their own:
    `unless the user agreed, ` is another thing before each text, and so is what completes a
    sentence that the text only began.
    """
    old, new = field.old, field.new
    if not (isinstance(old, str) and isinstance(new, str) and old):
        return True
    if new.startswith(old):
        put = new[len(old) :]
        return put.startswith("\n") or (_ends(old) and (old[-1:].isspace() or put[:1].isspace()))
    if new.endswith(old):
        put = new[: -len(old)]
        return put.endswith("\n") or (_ends(put) and (put[-1:].isspace() or old[:1].isspace()))
    return True  # then the whole texts are equal


def _ends(text: str) -> bool:
    return _END.search(text[-_NEAR:]) is not None


_END = pattern(r"[.!?\u3002\uff01\uff1f][)\]\"'\u00bb\u2019\u201d]*\s*\Z")
_NEAR = 40  # characters


def _exchanged(exchange: Exchange) -> Hashable:
    """What has to be equal in two exchanges: all the words, so that none hides behind others."""
    old, new = (_COUNTED.sub("#", text) for text in (exchange.old, exchange.new))
    return exchange.kind, old, new


def _field_edit(field: FieldChange) -> Hashable:
    """What has to be equal in two fields; of texts, what was put before or after them.

    A change inside a text can only be judged with the words around it: `do not` without its
    `not` is another thing in each sentence. So there the whole texts have to be equal.
    """
    if isinstance(field.old, str) and isinstance(field.new, str) and field.old:
        if field.new.startswith(field.old):
            return field.pointer, "after", field.new[len(field.old) :]
        if field.new.endswith(field.old):
            return field.pointer, "before", field.new[: -len(field.old)]
    return field.pointer, *map(_value, (field.old, field.new))


def _value(value: object) -> Hashable:
    return value if isinstance(value, Missing) else value_text(value)
