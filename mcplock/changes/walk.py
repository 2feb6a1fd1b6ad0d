"""The places where two JSON values differ, by a walk over both in bounded time."""

from collections.abc import Iterator, Sequence

from mcplock.changes.identity import Numbering
from mcplock.changes.model import FieldChange, Missing
from mcplock.changes.sequence import Run, same_runs
from mcplock.jsontext import Json
from mcplock.pointers import step

_ItemPair = tuple[int | None, int | None]


def walk(old: Json, new: Json, old_at: str = "", new_at: str = "") -> list[FieldChange]:
    """What `field_changes` promises of two values that stand at these pointers, of any size."""
    comparison = _Comparison()
    comparison.compare(old_at, new_at, old, new)
    return comparison.found


class _Comparison:
    def __init__(self) -> None:
        self.found: list[FieldChange] = []
        self._numbers = Numbering()

    def compare(
        self,
        old_at: str,
        new_at: str,
        old: Json | Missing,
        new: Json | Missing,
        *,
        item: bool = False,
    ) -> None:
        """Note where `old` and `new`, which stand at these pointers, differ."""
        match old, new:
            case dict(), dict():
                for key in old | new:
                    below = step(key)
                    left, right = old.get(key, Missing.ABSENT), new.get(key, Missing.ABSENT)
                    self.compare(old_at + below, new_at + below, left, right)
            case list(), list() if self._reordered(old, new):
                self.found.append(FieldChange(new_at, old, new, item=item))
            case list(), list():
                for was, now in self._paired(old, new):
                    left = Missing.ABSENT if was is None else old[was]
                    right = Missing.ABSENT if now is None else new[now]
                    self.compare(old_at + _step(was), new_at + _step(now), left, right, item=True)
            case _ if type(old) is not type(new) or old != new:
                at = old_at if new is Missing.ABSENT else new_at
                self.found.append(FieldChange(at, old, new, item=item))

    def _reordered(self, old: list[Json], new: list[Json]) -> bool:
        """Whether the same items stand in another order."""
        if len(old) != len(new):
            return False
        before, after = ([self._numbers.of(item) for item in side] for side in (old, new))
        return before != after and sorted(before) == sorted(after)

    def _paired(self, old: list[Json], new: list[Json]) -> Iterator[_ItemPair]:
        """Indices of items to compare; None for one that came or went; equal ones left out."""
        numbers = self._numbers
        runs = same_runs([numbers.of(item) for item in old], [numbers.of(item) for item in new])
        for olds, news in _between(runs or [], len(old), len(new)):
            alike = same_runs([label(old[at]) for at in olds], [label(new[at]) for at in news])
            yield from _bylabel(olds, news, alike or [])


def _step(index: int | None) -> str:
    return "" if index is None else step(index)


def _between(
    runs: Sequence[Run], old_length: int, new_length: int
) -> Iterator[tuple[range, range]]:
    """The stretches before, between and after `runs`."""
    old_at = new_at = 0
    for run in [*runs, Run(old_length, new_length, 0)]:
        if old_at < run.old or new_at < run.new:
            yield range(old_at, run.old), range(new_at, run.new)
        old_at, new_at = run.old + run.length, run.new + run.length


def _bylabel(olds: range, news: range, alike: Sequence[Run]) -> Iterator[_ItemPair]:
    old_at = new_at = 0
    for run in [*alike, Run(len(olds), len(news), 0)]:
        yield from ((at, None) for at in olds[old_at : run.old])
        yield from ((None, at) for at in news[new_at : run.new])
        old_at, new_at = run.old + run.length, run.new + run.length
        yield from zip(olds[run.old : old_at], news[run.new : new_at], strict=True)


def label(item: Json) -> tuple[type, str]:
    """What makes two items that differ two states of one: their type and name."""
    name = item.get("name") if isinstance(item, dict) else None
    return type(item), name if isinstance(name, str) else ""
