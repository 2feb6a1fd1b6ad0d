"""Prose, old against new: line by line, with the words that changed marked."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from mcplock.changes.sequence import Run, same_runs
from mcplock.render.limits import beginning, differing
from mcplock.render.spans import WORDS, Line, Span, Style, line
from mcplock.render.words import Part, changed_words
from mcplock.render.wrap import marked, shown, wrap

_CONTEXT = 2
_WIDEST = 120  # cells of a row that is still easy to read
_ELSEWHERE = "⋯"
_BREAK = "↵"
_DEEP = 8
_LONGEST_GAP = 4
_FAR = 4  # rows: more than are shown around a difference


@dataclass(frozen=True, slots=True)
class _Side:
    """How one of the two texts looks."""

    sign: str
    whole: Style  # of a line that the other text lacks
    words: Style  # of the words that the other text's line lacks


_SIDES = {
    "-": _Side("-", Style.REMOVED, Style.REMOVED_WORDS),
    "+": _Side("+", Style.ADDED, Style.ADDED_WORDS),
}


_SIGNS = ("- ", "+ ", "  ")


def prose_diff(old: str, new: str, width: int, context: int = _CONTEXT) -> list[Line]:
    """Rows of at most `width` cells, the first two of them a sign and a blank.

    Of what is the same, `context` lines are shown around each difference. An indentation
    that all lines share is left out.
    """
    old, new, lines = differing(old, new)
    left, right = _dedented(old.split("\n"), new.split("\n"))
    width = min(width, _WIDEST)
    old_at = new_at = 0
    for run in [*(same_runs(left, right) or []), Run(len(left), len(right), 0)]:
        lines += _stretch(left[old_at : run.old], right[new_at : run.new], width)
        old_at, new_at = run.old + run.length, run.new + run.length
        around = (
            context if run.old or run.new else 0,
            context if old_at < len(left) or new_at < len(right) else 0,
        )
        lines += _same(left[run.old : old_at], *around, width)
    return _without_gaps(lines)


def whole_prose(text: str, sign: str, width: int) -> list[Line]:
    """All of a text that only one side has; `sign` is `-` or `+`."""
    width = min(width, _WIDEST)
    text, more = beginning(text)
    rows = [row for part in text.split("\n") for row in _whole(part, _SIDES[sign], width)]
    return [*_without_gaps(rows), *more]


def plain_prose(text: str, width: int) -> list[Line]:
    """A text by itself, without the indentation that its lines share."""
    width = min(width, _WIDEST)
    text, more = beginning(text)
    lines = dedented(text).split("\n")
    rows = [row for part in lines for row in _rows(marked(shown(part)), width)]
    return [*_without_gaps(rows), *more]


def dedented(text: str) -> str:
    """A text without the deep indentation that its lines share."""
    return "\n".join(_dedented(text.split("\n"), [])[0])


def _without_gaps(rows: Sequence[Line]) -> list[Line]:
    """`rows`, each long gap counted: it may be there to push text out of sight."""
    kept: list[Line] = []
    for opening, group in groupby(rows, key=_blank_opening):
        blank = list(group)
        if opening is None or len(blank) <= _LONGEST_GAP:
            kept += blank
        else:
            said = Span(Style.HIDDEN, f"{_ELSEWHERE} {len(blank)} blank lines")
            kept.append(line(*blank[0][: bool(opening)], said))
    return kept


def _blank_opening(row: Line) -> str | None:
    """The sign, if any, of a row that shows nothing else; None of other rows."""
    sign = row[0].text if row and row[0].text in _SIGNS else ""
    text = "".join(span.text for span in (row[1:] if sign else row))
    return None if text.strip(f" {_BREAK}") else sign


def _dedented(old: Sequence[str], new: Sequence[str]) -> tuple[list[str], list[str]]:
    """Both without the deep indentation that lines of a text inside program code have.

    Nothing is left out where two lines that differ would then be the same.
    """
    blanks = [len(text) - len(text.lstrip(" ")) for text in (*old, *new) if text.strip(" ")]
    margin = " " * min(filter(None, blanks), default=0)
    if len(margin) < _DEEP:
        return list(old), list(new)
    shorter = [text.removeprefix(margin) if text.strip(" ") else text for text in (*old, *new)]
    if len(set(shorter)) < len({*old, *new}):
        return list(old), list(new)
    return shorter[: len(old)], shorter[len(old) :]


def _stretch(old: Sequence[str], new: Sequence[str], width: int) -> Iterator[Line]:
    """Lines that differ, between lines that are the same."""
    words = None
    if old and new:
        words = changed_words("\n".join(map(shown, old)), "\n".join(map(shown, new)))
    for at, (side, texts) in enumerate(zip(_SIDES.values(), (old, new), strict=True)):
        if words:
            for parts in _in_lines(words[at]):
                yield from _with_words(_cropped(parts, _FAR * width), side, width)
        else:
            for text in texts:
                yield from _whole(text, side, width)


def _whole(text: str, side: _Side, width: int) -> Iterator[Line]:
    rows = _rows(marked(shown(text), side.whole), width - 2)
    return _signed(rows, side)


def _rows(spans: Sequence[Span], width: int) -> list[Line]:
    """Rows of a line; those after the first are indented as the first is."""
    indent = _indent(spans, width)
    if not indent:
        return wrap(spans, width)
    first = Span(spans[0].style, spans[0].text[indent:])
    margin = Span(Style.PLAIN, " " * indent)
    return [(margin, *row) for row in wrap([first, *spans[1:]], width - indent)]


def _indent(spans: Sequence[Span], width: int) -> int:
    """How many blanks a line begins with, half its width at most; none of them changed."""
    if not spans or spans[0].style in WORDS:
        return 0
    text = spans[0].text
    return min(len(text) - len(text.lstrip(" ")), width // 2)


def _signed(rows: Iterable[Line], side: _Side) -> Iterator[Line]:
    for at, row in enumerate(rows):
        yield line(Span(side.whole, f"{side.sign} " if at == 0 else "  "), *row)


# ---- lines of which some words differ


def _in_lines(parts: Sequence[Part]) -> list[list[Part]]:
    lines: list[list[Part]] = [[]]
    for part in parts:
        first, *rest = part.text.split("\n")
        lines[-1].append(Part(first, part.changed))
        for text in rest:
            if part.changed:
                lines[-1].append(Part(_BREAK, True))
            lines.append([Part(text, part.changed)])
    return lines


def _cropped(parts: Sequence[Part], most: int) -> list[Part]:
    """A line whose long unchanged parts lack what is far from any difference."""
    cropped = []
    for at, part in enumerate(parts):
        text = part.text
        if not part.changed and len(text) > 2 * most:
            head = text[:most] if at else ""
            text = head + (text[-most:] if at < len(parts) - 1 else "")
        cropped.append(Part(text, part.changed))
    return cropped


def _with_words(parts: Sequence[Part], side: _Side, width: int) -> Iterator[Line]:
    spans = [span for part in parts for span in _part(part, side)]
    rows, keep, indent = _kept(spans, parts, width - 2)
    if len(keep) < len(rows):  # there is to be room for the marks of what is left out
        rows, keep, indent = _kept(spans, parts, width - 6)
    return _signed(_elided(rows, keep, indent), side)


def _kept(
    spans: Sequence[Span], parts: Sequence[Part], width: int
) -> tuple[list[Line], set[int], int]:
    """(rows, which of them are shown, their indentation): those with an edit, and next to one."""
    indent = _indent(spans, width)
    rows = _rows(spans, width)
    keep = {
        near
        for at in _rows_with_edits(rows, parts, indent)
        for near in range(max(0, at - 1), min(len(rows), at + 2))
    }
    return rows, keep, indent


def _part(part: Part, side: _Side) -> list[Span]:
    return [Span(side.words, part.text)] if part.changed else marked(part.text)


def _rows_with_edits(rows: Sequence[Line], parts: Sequence[Part], indent: int) -> set[int]:
    """The rows where a changed part stands, or where one is that this side lacks."""
    row_of = [0] * indent  # by position in the line
    for at, row in enumerate(rows):
        row_of += [at] * (sum(len(span.text) for span in row) - indent)
    row_of.append(len(rows) - 1)
    found: set[int] = set()
    at = 0
    for part in parts:
        if part.changed:
            found.update(row_of[at : at + max(1, len(part.text))])
        at += len(part.text)
    return found


def _elided(rows: Sequence[Line], keep: set[int], indent: int) -> Iterator[Line]:
    """The rows to keep, each with a mark where others are left out before it or at the end."""
    gap = Span(Style.DIM, f"{_ELSEWHERE} ")
    kept = sorted(keep) or [0]
    for before, at in zip([-1, *kept], kept, strict=False):
        margin, rest = (rows[at][:1], rows[at][1:]) if indent else ((), rows[at])
        opening = [gap] if at > before + 1 else []
        closing = [Span(Style.DIM, f" {_ELSEWHERE}")] if at == kept[-1] < len(rows) - 1 else []
        yield line(*margin, *opening, *rest, *closing)


# ---- lines that are the same


def _same(lines: Sequence[str], first: int, last: int, width: int) -> Iterator[Line]:
    """The first and the last lines of a stretch that both texts have."""
    left_out = len(lines) - first - last
    if left_out <= 1:
        first, left_out = len(lines), 0
    for text in lines[:first]:
        yield _context(text, width)
    if left_out:
        yield line(Span(Style.DIM, f"  {_ELSEWHERE} {left_out} lines"))
        for text in lines[first + left_out :]:
            yield _context(text, width)


def _context(text: str, width: int) -> Line:
    row, *more = wrap(marked(shown(text), Style.DIM), width - 4)
    return line("  ", *row, *([Span(Style.DIM, _ELSEWHERE)] if more else []))
