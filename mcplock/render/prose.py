"""Prose, old against new: line by line, with the words that changed marked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mcplock.changes.sequence import Run, same_runs
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.words import Part, changed_words
from mcplock.render.wrap import marked, shown, wrap

_CONTEXT = 2


@dataclass(frozen=True, slots=True)
class _Side:
    """How one of the two texts looks."""

    sign: str
    whole: Style  # of a line that the other text lacks
    words: Style  # of the words that the other text's line lacks


_OLD = _Side("-", Style.REMOVED, Style.REMOVED_WORDS)
_NEW = _Side("+", Style.ADDED, Style.ADDED_WORDS)
_ELSEWHERE = "⋯"


def prose_diff(old: str, new: str, width: int) -> list[Line]:
    """Rows of at most `width` cells; what is the same is shown near a difference only."""
    left, right = old.split("\n"), new.split("\n")
    runs = same_runs(left, right) or []
    lines: list[Line] = []
    old_at = new_at = 0
    for run in [*runs, Run(len(left), len(right), 0)]:
        lines += _stretch(left[old_at : run.old], right[new_at : run.new], width)
        old_at, new_at = run.old + run.length, run.new + run.length
        after = old_at < len(left) or new_at < len(right)
        lines += _same(left[run.old : old_at], bool(run.old or run.new), after, width)
    return lines


def whole_prose(text: str, side: str, width: int) -> list[Line]:
    """All of a text that only one side has; `side` is `-` or `+`."""
    lines = text.split("\n")
    return [row for text in lines for row in _whole(text, _OLD if side == "-" else _NEW, width)]


def _stretch(old: Sequence[str], new: Sequence[str], width: int) -> Iterator[Line]:
    """Lines that differ, between lines that are the same."""
    words = changed_words("\n".join(map(shown, old)), "\n".join(map(shown, new)))
    for side, texts, at in ((_OLD, old, 0), (_NEW, new, 1)):
        if words and old and new:
            for parts in _in_lines(words[at]):
                yield from _with_words(parts, side, width)
        else:
            for text in texts:
                yield from _whole(text, side, width)


def _whole(text: str, side: _Side, width: int) -> Iterator[Line]:
    rows = wrap(marked(shown(text), side.whole), width - 2)
    yield from _signed(rows, side.sign, side.whole)


def _signed(rows: Sequence[Line], sign: str, style: Style) -> Iterator[Line]:
    for at, row in enumerate(rows):
        yield line(Span(style, f"{sign} " if at == 0 else "  "), *row)


def _in_lines(parts: Sequence[Part]) -> list[list[Part]]:
    lines: list[list[Part]] = [[]]
    for part in parts:
        first, *rest = part.text.split("\n")
        lines[-1].append(Part(first, part.changed))
        for text in rest:
            if part.changed:
                lines[-1].append(Part("↵", True))
            lines.append([Part(text, part.changed)])
    return lines


def _with_words(parts: Sequence[Part], side: _Side, width: int) -> Iterator[Line]:
    spans = [span for part in parts for span in _part(part, side)]
    rows = wrap(spans, width - 2)
    keep = _near(_rows_with_edits(rows, parts), len(rows), 1)
    yield from _signed(_elided(rows, keep), side.sign, side.whole)


def _part(part: Part, side: _Side) -> list[Span]:
    return [Span(side.words, part.text)] if part.changed else marked(part.text)


def _rows_with_edits(rows: Sequence[Line], parts: Sequence[Part]) -> set[int]:
    """The rows where a changed part begins, ends or stands."""
    ends: list[int] = []
    for row in rows:
        ends.append((ends[-1] if ends else 0) + sum(len(span.text) for span in row))
    found: set[int] = set()
    at = 0
    for part in parts:
        if part.changed:
            touched = range(at, at + len(part.text) + 1)
            found |= {row for row, end in enumerate(ends) if _meets(touched, ends, row, end)}
        at += len(part.text)
    return found


def _meets(touched: range, ends: Sequence[int], row: int, end: int) -> bool:
    start = ends[row - 1] if row else 0
    return (touched.start < end and touched.stop > start) or touched.start == end == ends[-1]


def _near(found: set[int], total: int, distance: int) -> set[int]:
    return {
        near for at in found for near in range(max(0, at - distance), min(total, at + distance + 1))
    }


def _elided(rows: Sequence[Line], keep: set[int]) -> list[Line]:
    elided: list[Line] = []
    for at, row in enumerate(rows):
        if at in keep:
            elided.append(row)
        elif at == 0 or at - 1 in keep:
            elided.append(line(Span(Style.DIM, _ELSEWHERE)))
    return elided


def _same(lines: Sequence[str], before: bool, after: bool, width: int) -> Iterator[Line]:
    """Lines that both texts have: those next to a difference, as context."""
    first = _CONTEXT if before else 0
    last = _CONTEXT if after else 0
    hidden = len(lines) - first - last
    for at, text in enumerate(lines):
        if hidden > 1 and at == first:
            yield line(Span(Style.DIM, f"  {_ELSEWHERE} {hidden} lines"))
        if at < first or at >= len(lines) - last or hidden <= 1:
            row, *more = wrap(marked(shown(text), Style.DIM), width - 2)
            yield line("  ", *row, *([Span(Style.DIM, _ELSEWHERE)] if more else []))
