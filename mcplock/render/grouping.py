"""Changes in the order in which they want to be read, equal edits together."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

from mcplock.audit import Severity
from mcplock.changes import CIRCUMSTANCES, Change, ChangeKind, FieldChange, Missing
from mcplock.model import Kind
from mcplock.render.values import value_text

_FEWEST = 3


@dataclass(frozen=True, slots=True)
class Group:
    """Changes of one server that are the same edit of each entry; mostly a single one."""

    changes: Sequence[Change]

    @property
    def first(self) -> Change:
        """The one that is shown for all."""
        return self.changes[0]


def grouped(changes: Sequence[Change]) -> list[Group]:
    """What has a `high` finding first, then single changes, then edits of many entries."""
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
    return 1 if len(group.changes) == 1 else 2


def _edit(change: Change) -> Hashable:
    """What is equal for changes that do the same to different entries; None of others."""
    if change.kind is not ChangeKind.CHANGED or not isinstance(change.what, Kind):
        return None
    if not change.name:
        return None
    findings = tuple((finding.rule, finding.pointer) for finding in change.findings)
    fields = tuple(map(_field_edit, change.fields))
    return change.server, change.what, change.state, fields, findings


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
