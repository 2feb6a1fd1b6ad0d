"""The places where two JSON values differ."""

from collections.abc import Iterator, Sequence

from mcplock.changes.model import FieldChange, Missing
from mcplock.changes.sequence import Run, exact, same_runs
from mcplock.jsontext import Json
from mcplock.pointers import step

_ItemPair = tuple[int | None, int | None]


def field_changes(old: Json, new: Json) -> list[FieldChange]:
    """Every place where `old` and `new` differ, none where they are the same JSON value.

    The order of keys does not count; `true` is not `1`, and a key with `null` is there.
    Items that moved because others came or went are not reported.
    """
    found: list[FieldChange] = []
    _compare("", "", old, new, found)
    return found


def _compare(
    old_at: str, new_at: str, old: Json | Missing, new: Json | Missing, found: list[FieldChange]
) -> None:
    match old, new:
        case dict(), dict():
            for key in old | new:
                _compare(
                    old_at + step(key),
                    new_at + step(key),
                    old.get(key, Missing.ABSENT),
                    new.get(key, Missing.ABSENT),
                    found,
                )
        case list(), list():
            for left, right in _paired_items(old, new):
                _compare(
                    old_at + step(left) if left is not None else "",
                    new_at + step(right) if right is not None else "",
                    old[left] if left is not None else Missing.ABSENT,
                    new[right] if right is not None else Missing.ABSENT,
                    found,
                )
        case _ if type(old) is not type(new) or old != new:
            found.append(FieldChange(old_at if new is Missing.ABSENT else new_at, old, new))


def _paired_items(old: list[Json], new: list[Json]) -> Iterator[_ItemPair]:
    """Indices of items to compare; None for an item that came or went. Equal ones left out."""
    left = [exact(item) for item in old]
    right = [exact(item) for item in new]
    for olds, news in _between(same_runs(left, right) or [], len(old), len(new)):
        labels = [_label(old[at]) for at in olds], [_label(new[at]) for at in news]
        runs = same_runs(*labels) or []
        yield from _by_label(olds, news, runs)


def _between(
    runs: Sequence[Run], old_length: int, new_length: int
) -> Iterator[tuple[range, range]]:
    """The stretches before, between and after `runs`."""
    old_at = new_at = 0
    for run in [*runs, Run(old_length, new_length, 0)]:
        if old_at < run.old or new_at < run.new:
            yield range(old_at, run.old), range(new_at, run.new)
        old_at, new_at = run.old + run.length, run.new + run.length


def _by_label(olds: range, news: range, runs: Sequence[Run]) -> Iterator[_ItemPair]:
    old_at = new_at = 0
    for run in [*runs, Run(len(olds), len(news), 0)]:
        yield from ((at, None) for at in olds[old_at : run.old])
        yield from ((None, at) for at in news[new_at : run.new])
        old_at, new_at = run.old + run.length, run.new + run.length
        yield from zip(olds[run.old : old_at], news[run.new : new_at], strict=True)


def _label(item: Json) -> tuple[type, str]:
    """What makes two items that differ two states of one: their type and name."""
    name = item.get("name") if isinstance(item, dict) else None
    return type(item), name if isinstance(name, str) else ""
