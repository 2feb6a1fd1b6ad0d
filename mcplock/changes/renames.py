"""Definitions that came back under another name."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mcplock.changes.model import Change, ChangeKind, FieldChange, Impact
from mcplock.changes.sequence import exact
from mcplock.jsontext import Json
from mcplock.model import SECTIONS, Kind

_IDENTITY: Mapping[Kind, str] = {section.kind: section.identity for section in SECTIONS}


def with_renames(changes: Sequence[Change]) -> list[Change]:
    """`changes` of one server, each removed and added pair told as one rename.

    A pair is one of a kind, and its definitions are the same but for the name. A decision
    names a name: the new one has none, and needs review.
    """
    gone = _by_body(changes, ChangeKind.REMOVED)
    renamed: dict[int, Change] = {}
    replaced: set[int] = set()
    for at, change in enumerate(changes):
        body = _body(change, ChangeKind.ADDED)
        if body is not None and gone.get(body):
            source = gone[body].pop(0)
            replaced.add(source)
            renamed[at] = _renamed(changes[source], change)
    return [renamed.get(at, change) for at, change in enumerate(changes) if at not in replaced]


def _by_body(changes: Sequence[Change], kind: ChangeKind) -> dict[tuple[Kind, str], list[int]]:
    found: dict[tuple[Kind, str], list[int]] = {}
    for at, change in enumerate(changes):
        body = _body(change, kind)
        if body is not None:
            found.setdefault(body, []).append(at)
    return found


def _body(change: Change, kind: ChangeKind) -> tuple[Kind, str] | None:
    """The definition of an added or removed entry without its name; None of anything else."""
    entry = change.new if kind is ChangeKind.ADDED else change.old
    if change.kind is not kind or entry is None or not isinstance(entry.content, dict):
        return None
    if not isinstance(change.what, Kind) or change.what not in _IDENTITY:
        return None
    identity = _IDENTITY[change.what]
    nameless: dict[str, Json] = {
        key: value for key, value in entry.content.items() if key != identity
    }
    return change.what, exact(nameless)


def _renamed(gone: Change, came: Change) -> Change:
    identity = _IDENTITY[Kind(came.what)]
    field = FieldChange(
        f"/{identity}", gone.name, came.name, Impact.BREAKING, "callers know the old name"
    )
    return replace(
        came,
        kind=ChangeKind.RENAMED,
        old=gone.old,
        renamed_from=gone.name,
        impact=Impact.BREAKING,
        fields=(field,),
    )
