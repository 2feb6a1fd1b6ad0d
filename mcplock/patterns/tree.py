"""What a regular expression is made of. Captures are not kept: only whether it matches."""

from dataclasses import dataclass
from enum import Enum

LAST = 0x10FFFF

Range = tuple[int, int]
"""First and last code point, both included."""


@dataclass(frozen=True, slots=True)
class Category:
    r"""`\p{…}`: the general categories, two letters each, that it stands for."""

    names: frozenset[str]
    negated: bool


@dataclass(frozen=True, slots=True)
class Chars:
    """One character out of a set, or with `negated` one that is not in it."""

    ranges: tuple[Range, ...] = ()
    categories: tuple[Category, ...] = ()
    negated: bool = False


class Edge(Enum):
    """A place between two characters."""

    START = "^"
    END = "$"
    WORD = "\\b"
    INSIDE = "\\B"


@dataclass(frozen=True, slots=True)
class Join:
    """One after the other; nothing at all where there are no parts."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One of several."""

    branches: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """The body again and again; `most` is None where there is no end to it."""

    body: "Node"
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Look:
    """What must, or with `negated` must not, stand ahead or `behind`."""

    body: "Node"
    behind: bool
    negated: bool


Node = Chars | Edge | Join | Either | Repeat | Look


def outside(ranges: tuple[Range, ...]) -> tuple[Range, ...]:
    """All code points that are in none of `ranges`."""
    gaps = []
    at = 0
    for first, last in sorted(ranges):
        if first > at:
            gaps.append((at, first - 1))
        at = max(at, last + 1)
    if at <= LAST:
        gaps.append((at, LAST))
    return tuple(gaps)
