"""JSON text that would become millions of small values: counted and skipped, never built.

Python needs twenty bytes and more for each byte of `{},{},{}`; a line of 64 MiB of that must not
take gigabytes. So such a text is looked at in pieces.
"""

import re
from collections.abc import Iterator
from itertools import accumulate

from mcplock.jsontext.faults import MAX_VALUES, FaultCode, JsonFault
from mcplock.lazy import pattern

_DENSE = 1_000_000
"""Marks from which on a text is gone through without building what is in it."""
_PAIRS = 8  # levels of empty pairs that are taken out the quick way
STRING = r'"(?:[^"\\]++|\\.)*+"'
_STRINGS = pattern(STRING, re.DOTALL)
_PIECE = pattern(rf'(?:[^"]|{STRING}|"){{1,65536}}+', re.DOTALL)
_SMALL_PIECE = pattern(rf'(?:[^"]|{STRING}|"){{1,128}}+', re.DOTALL)
_NO_BRACKETS = pattern(rf'(?:{STRING}|[^\[\]{{}}"]++|")++', re.DOTALL)
_STRING_OR_BRACKET = pattern(rf"{STRING}|[\[\]{{}}]", re.DOTALL)
STEP = {"{": 1, "[": 1, "}": -1, "]": -1}


def pieces(text: str, at: int = 0) -> Iterator[str]:
    """`text` from `at` on in pieces that are cut outside of strings."""
    return (piece[0] for piece in _PIECE.finditer(text, at))


def _marks(text: str) -> int:
    return text.count(",") + text.count("{") + text.count("[")


def is_dense(text: str) -> bool:
    """Whether `text` may hold so many values that it is not to be built as a whole."""
    return _marks(text) > _DENSE


def has_too_many(text: str) -> bool:
    """Whether `text` has more than `MAX_VALUES` commas and opening brackets outside of strings."""
    return _marks(text) > MAX_VALUES and any(count > MAX_VALUES for count in _counts(text))


def most_values(text: str) -> int:
    """How many values `text` can hold; where they are few, those in its strings are counted too."""
    marks = _marks(text)
    return marks if marks <= MAX_VALUES else max(_counts(text))


def _counts(text: str) -> Iterator[int]:
    """The values outside of strings up to each piece of `text`."""
    return accumulate(_marks(_STRINGS.sub("", piece)) for piece in pieces(text))


def leap(text: str, at: int) -> int:
    """The end of the container that begins at `at`; what is inside is not checked."""
    level = 1
    at += 1
    for piece in _growing(text, at):
        left = _without_pairs(_NO_BRACKETS.sub("", piece))
        levels = list(accumulate(map(STEP.__getitem__, left), initial=level))
        if min(levels) <= 0:
            return at + _closing(piece, level)
        level = levels[-1]
        at += len(piece)
    raise JsonFault(FaultCode.SYNTAX, "the text ends too early", len(text))


def _growing(text: str, at: int) -> Iterator[str]:
    """As `pieces`, but for the first one, which is small: so are most containers."""
    first = _SMALL_PIECE.match(text, at)
    if first:
        yield first[0]
        yield from pieces(text, first.end())


def _without_pairs(brackets: str) -> str:
    """`brackets` without what opens and closes at once; where they close the rest is the same."""
    for _ in range(_PAIRS):
        brackets = brackets.replace("[]", "").replace("{}", "")
    return brackets


def _closing(piece: str, level: int) -> int:
    """The place in `piece` behind the bracket that brings `level` to nothing."""
    at = 0
    for hit in _STRING_OR_BRACKET.finditer(piece):
        level += STEP.get(hit[0], 0)
        at = hit.end()
        if level == 0:
            break
    return at
