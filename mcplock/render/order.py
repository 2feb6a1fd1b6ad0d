"""One list in two orders, in short."""

from collections.abc import Iterator, Sequence

from mcplock.changes.identity import exact
from mcplock.jsontext import Json
from mcplock.render.prose import whole_prose
from mcplock.render.spans import Line
from mcplock.render.terms import clip
from mcplock.render.values import value_text

_WIDEST = 40
_AROUND = 2
_MOST = 40
_LEFT_OUT = "…"


def order_lines(old: Sequence[Json], new: Sequence[Json], width: int) -> Iterator[Line]:
    """Both orders of the same items; what both begin and end with is left out.

    An item that is too long to be told has its old index before its beginning.
    """
    before, after = _words(old, new)
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    for sign, words in (("-", before), ("+", after)):
        yield from whole_prose(_row(words, head, tail), sign, width)


def _words(old: Sequence[Json], new: Sequence[Json]) -> tuple[list[str], list[str]]:
    """A short text for each item, the same one for the same item."""
    short = [clip(value_text(item), _WIDEST) for item in old]
    if any(text.endswith(_LEFT_OUT) for text in short):
        short = [f"({at}) {text}" for at, text in enumerate(short)]
    waiting: dict[str, list[str]] = {}
    for item, text in zip(old, short, strict=True):
        waiting.setdefault(exact(item), []).append(text)
    return short, [waiting[exact(item)].pop(0) for item in new]


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    same = (at for at, (left, right) in enumerate(zip(old, new, strict=True)) if left != right)
    return next(same, len(old))


def _row(words: Sequence[str], head: int, tail: int) -> str:
    first, last = max(0, head - _AROUND), min(len(words), len(words) - tail + _AROUND)
    last = min(last, first + _MOST)
    told = [*([_LEFT_OUT] if first else []), *words[first:last]]
    return ", ".join([*told, *([_LEFT_OUT] if last < len(words) else [])])
