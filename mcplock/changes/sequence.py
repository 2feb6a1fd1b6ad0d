"""Which items of two sequences are the same, in bounded time.

E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986): the cost grows with
the number of differences, and beyond a limit of them there is no answer. A server can send
any text, so a comparison without a limit would be a way to keep a reviewer waiting.
"""

from collections.abc import Hashable, Sequence

from mcplock.records import NamedTuple

MOST_EDITS = 600


class Run(NamedTuple):
    """`length` equal items, from `old` on in the one sequence and from `new` on in the other."""

    old: int
    new: int
    length: int


_Trail = tuple["_Trail", Run] | None


def same_runs(
    old: Sequence[Hashable], new: Sequence[Hashable], most_edits: int = MOST_EDITS
) -> list[Run] | None:
    """The runs of equal items, in order, such that the fewest items are left over.

    None where more than `most_edits` items would be left over; what both sequences begin
    with and end with is found at any length.
    """
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    middle = _shortest(old[head : len(old) - tail], new[head : len(new) - tail], most_edits)
    if middle is None:
        return None
    runs = [Run(0, 0, head)]
    runs += [Run(head + run.old, head + run.new, run.length) for run in middle]
    runs.append(Run(len(old) - tail, len(new) - tail, tail))
    return [run for run in runs if run.length]


def _common(old: Sequence[Hashable], new: Sequence[Hashable]) -> int:
    """How many items both begin with."""
    shorter = min(len(old), len(new))
    return next((at for at in range(shorter) if old[at] != new[at]), shorter)


def _shortest(
    old: Sequence[Hashable], new: Sequence[Hashable], most_edits: int
) -> list[Run] | None:
    # By diagonal (index in `old` less index in `new`): the furthest index in `old` that so
    # many edits reach, and the runs on the way there, the last first.
    furthest: dict[int, tuple[int, _Trail]] = {1: (0, None)}
    for edits in range(min(most_edits, len(old) + len(new)) + 1):
        for diagonal in range(-edits, edits + 1, 2):
            start, trail = _one_edit_on(furthest, diagonal, edits)
            at = start
            while at < len(old) and at - diagonal < len(new) and old[at] == new[at - diagonal]:
                at += 1
            if at > start:
                trail = (trail, Run(start, start - diagonal, at - start))
            if at >= len(old) and at - diagonal >= len(new):
                return _in_order(trail)
            furthest[diagonal] = at, trail
    return None


def _one_edit_on(
    furthest: dict[int, tuple[int, _Trail]], diagonal: int, edits: int
) -> tuple[int, _Trail]:
    inserts = diagonal == -edits or (
        diagonal != edits and furthest[diagonal - 1][0] < furthest[diagonal + 1][0]
    )
    if inserts:
        return furthest[diagonal + 1]
    at, trail = furthest[diagonal - 1]
    return at + 1, trail


def _in_order(trail: _Trail) -> list[Run]:
    runs: list[Run] = []
    while trail:
        trail, run = trail
        runs.append(run)
    return runs[::-1]
