"""Definitions that came back under another name."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from mcplock.audit import Finding, Severity
from mcplock.audit.denied import RULE
from mcplock.changes.identity import exact
from mcplock.changes.model import RESEMBLES, Change, ChangeKind, FieldChange, Impact
from mcplock.changes.suspicion import suspicious
from mcplock.jsontext import Json
from mcplock.model import SECTIONS, Entry, Kind
from mcplock.text import visible

_IDENTITY: Mapping[Kind, str] = {section.kind: section.identity for section in SECTIONS}
_ALIKE = 0.6
_MOST_PAIRS = 10_000


def with_renames(changes: Sequence[Change]) -> list[Change]:
    """`changes` of one server, each removed and added pair told as one rename.

    A pair is one of a kind whose definitions are the same but for the name. A decision names
    a name: the new one has none, and needs review. What merely resembles stays removed and
    added, and the added one says what it resembles.
    """
    return with_resemblances(_with_exact_renames(changes))


def _with_exact_renames(changes: Sequence[Change]) -> list[Change]:
    gone: dict[tuple[Kind, str], list[int]] = {}
    for at, change in enumerate(changes):
        if change.kind is ChangeKind.REMOVED and (body := _body(change, change.old)):
            gone.setdefault(body, []).append(at)
    told = dict(enumerate(changes))
    for at, change in enumerate(changes):
        body = _body(change, change.new) if change.kind is ChangeKind.ADDED else None
        if body and gone.get(body):
            told[at] = _renamed(told.pop(gone[body].pop(0)), change)
    return [told[at] for at in sorted(told)]


def _body(change: Change, entry: Entry | None) -> tuple[Kind, str] | None:
    """The definition of an entry without its name; None of anything else."""
    if not isinstance(change.what, Kind) or change.what not in _IDENTITY:
        return None
    if entry is None or not isinstance(entry.content, dict):
        return None
    identity = _IDENTITY[change.what]
    nameless = {key: value for key, value in entry.content.items() if key != identity}
    return change.what, exact(nameless)


def _renamed(gone: Change, came: Change) -> Change:
    pointer = f"/{_IDENTITY[Kind(came.what)]}"
    reason = "callers know the old name"
    field = FieldChange(pointer, gone.name, came.name, Impact.BREAKING, reason)
    return replace(
        came,
        kind=ChangeKind.RENAMED,
        old=gone.old,
        renamed_from=gone.name,
        impact=Impact.BREAKING,
        fields=(field,),
        findings=(*_denied_before(gone, pointer), *suspicious([field]), *came.findings),
    )


def _denied_before(gone: Change, pointer: str) -> Iterator[Finding]:
    if gone.old and gone.old.denied is not None:
        message = f"a definition like this was denied under the name {visible(gone.name)}"
        yield Finding(RULE, Severity.HIGH, pointer, message)


# ---- what merely resembles


@dataclass(frozen=True, slots=True)
class _Features:
    name: frozenset[str]
    words: frozenset[str]
    parameters: frozenset[str]


def with_resemblances(changes: Sequence[Change]) -> list[Change]:
    """`changes` of one server, each added one that resembles a removed one says so."""
    gone = {at: change for at, change in enumerate(changes) if _whole(change, change.old)}
    came = {at: change for at, change in enumerate(changes) if _whole(change, change.new)}
    told = list(changes)
    for _, left, right in _alike(gone, came):
        if left in gone and right in came:
            told[right] = _resembling(gone.pop(left), came.pop(right))
    return told


def _whole(change: Change, entry: Entry | None) -> bool:
    one_sided = change.kind in (ChangeKind.REMOVED, ChangeKind.ADDED)
    return one_sided and _body(change, entry) is not None


def _alike(gone: Mapping[int, Change], came: Mapping[int, Change]) -> list[tuple[float, int, int]]:
    """(how alike, index of the removed, index of the added), the most alike first."""
    if not gone or not came or len(gone) * len(came) > _MOST_PAIRS:
        return []
    before = {at: _features(change.name, change.old) for at, change in gone.items()}
    after = {at: _features(change.name, change.new) for at, change in came.items()}
    scored = (
        (_score(before[left], after[right]), left, right)
        for left, right in product(before, after)
        if gone[left].what is came[right].what
    )
    return sorted((row for row in scored if row[0] >= _ALIKE), key=lambda row: (-row[0], row[1:]))


def _features(name: str, entry: Entry | None) -> _Features:
    content: Json = entry.content if entry else {}
    description, schema = content.get("description"), content.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    letters = re.sub(r"[\W_]+", "", name).casefold()
    return _Features(
        frozenset(letters[at : at + 2] for at in range(len(letters) - 1)),
        frozenset(description.split() if isinstance(description, str) else ()),
        frozenset(properties if isinstance(properties, dict) else ()),
    )


def _score(old: _Features, new: _Features) -> float:
    weighed = [(0.2, old.name, new.name), (0.3, old.words, new.words)]
    weighed += [(0.5, old.parameters, new.parameters)]
    counted = [(weight, left, right) for weight, left, right in weighed if left | right]
    total = sum(weight for weight, _, _ in counted)
    shares = (weight * len(left & right) / len(left | right) for weight, left, right in counted)
    return sum(shares) / total if total else 0.0


def _resembling(gone: Change, came: Change) -> Change:
    message = f"resembles {visible(gone.name)}, which is gone: perhaps renamed"
    finding = Finding(RESEMBLES, Severity.INFO, f"/{_IDENTITY[Kind(came.what)]}", message)
    findings = (*_denied_before(gone, finding.pointer), *came.findings, finding)
    return replace(came, renamed_from=gone.name, findings=findings)
