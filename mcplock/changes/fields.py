"""The places where two JSON values differ: `deepdiff` looks for them, our own walk vouches.

What compares is part of the gate, so no answer is taken that does not lead from the old
value to the new one. By itself `deepdiff` (9.1) calls `[0]` and `[False]` equal, and of named
objects that changed places it reports moves, which are no fields here. Nor may a server keep a
reviewer waiting: two definitions 190 levels deep, of 125 kB each, took `deepdiff` 15 s and the
walk 25 ms. So the walk answers where the contents are large, and where the answer of
`deepdiff` is not right.
"""

from mcplock.changes.deep import deep_changes
from mcplock.changes.identity import Numbering, exact
from mcplock.changes.model import FieldChange
from mcplock.changes.replay import replay
from mcplock.changes.walk import walk
from mcplock.jsontext import Json

_MOST_TEXT = 16_000
_MOST_LEVELS = 20
"""Twice what the largest of 527 real definitions has: 6,485 characters of JSON, 11 levels.

Within these, values made to be slow in seven ways took `deepdiff` at most 0.6 s.
"""


def field_changes(old: Json, new: Json) -> list[FieldChange]:
    """Every place where `old` and `new` differ, none where they are the same JSON value.

    The order of keys does not count; `true` is not `1`, and a key with `null` is there.
    Items that moved because others came or went are not reported; of a list whose items only
    changed places, both orders are told. From the end on, what is
    gone can be taken out by its pointer; then, from the front, all else put in: that makes
    `new` of `old`.
    """
    fields = _found_by_deepdiff(old, new)
    return walk(old, new) if fields is None else fields


def _found_by_deepdiff(old: Json, new: Json) -> list[FieldChange] | None:
    """None where it is not asked, and where doing what it says does not make `new`."""
    try:
        if not (_is_ordinary(old) and _is_ordinary(new)):
            return None
        fields = deep_changes(old, new)
        made = replay(old, fields)
    except (LookupError, TypeError, ValueError):  # of a field that does not fit, or a number
        return None  # with more digits than the interpreter was told to write
    numbers = Numbering()
    return fields if numbers.of(made) == numbers.of(new) else None


def _is_ordinary(value: Json) -> bool:
    return len(exact(value)) <= _MOST_TEXT and _levels(value) <= _MOST_LEVELS


def _levels(value: Json) -> int:
    """How many containers stand one in another."""
    inside = value.values() if isinstance(value, dict) else value
    return 1 + max(map(_levels, inside), default=0) if isinstance(value, dict | list) else 0
