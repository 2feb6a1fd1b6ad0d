"""Text cut into rows of a width."""

import re
from collections.abc import Iterable, Iterator, Sequence

from mcplock.render.cells import cells
from mcplock.render.spans import Line, Span, Style
from mcplock.text import visible

# What a row may be broken after or before: marks, blanks, and each character of the scripts
# that write no blanks.
_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef"
_UNIT = re.compile(f"⟨[^⟩]*⟩| +|[{_WIDE}]|[^ ⟨{_WIDE}]+")
_MARK = re.compile("(⟨[^⟩]*⟩)")
_LONG_BLANK = re.compile(" {24,}")


def shown(text: str) -> str:
    """`text` of one line, safe and without a trick: as `visible`, and long blanks counted."""
    return _LONG_BLANK.sub(lambda hit: f"⟨U+0020×{len(hit[0])}⟩", visible(text))


def marked(text: str, style: Style = Style.PLAIN) -> list[Span]:
    """Text that went through `shown` in one style, its hidden characters standing out."""
    parts = _MARK.split(text)
    return [Span(Style.HIDDEN if at % 2 else style, part) for at, part in enumerate(parts) if part]


def wrap(spans: Iterable[Span], width: int) -> list[Line]:
    """`spans` as rows of at most `width` cells, broken at blanks where there are any.

    No character is lost but blanks at the end of a row. At least one row.
    """
    rows: list[list[Span]] = [[]]
    room = width
    for word in _words(spans, width):
        taken = sum(cells(span.text) for span in word)
        blank = word[0].text.isspace()
        if taken > room and not blank:
            rows.append([])
            room = width
        rows[-1] += word
        room -= taken
    return [_joined(row) for row in rows]


def _words(spans: Iterable[Span], width: int) -> Iterator[list[Span]]:
    """Units that stay together: parts of several styles where no break is between them."""
    word: list[Span] = []
    for span in spans:
        for unit in _UNIT.findall(span.text):
            if word and _breaks(word[-1].text, unit):
                yield from _fitting(word, width)
                word = []
            word.append(Span(span.style, unit))
    if word:
        yield from _fitting(word, width)


def _breaks(before: str, after: str) -> bool:
    wide = cells(before[-1]) > 1 or cells(after[0]) > 1
    return before.isspace() or after.isspace() or wide


def _fitting(word: Sequence[Span], width: int) -> Iterator[list[Span]]:
    """`word`, cut where it alone is wider than a row."""
    if sum(cells(span.text) for span in word) <= width:
        yield list(word)
        return
    for span in word:
        part, room = "", width
        for character in span.text:
            if cells(character) > room:
                yield [Span(span.style, part)]
                part, room = "", width
            part += character
            room -= cells(character)
        yield [Span(span.style, part)]


def _joined(row: Sequence[Span]) -> Line:
    """Neighbours of one style as one span."""
    joined: list[Span] = []
    for span in row:
        if joined and joined[-1].style is span.style:
            joined[-1] = Span(span.style, joined[-1].text + span.text)
        else:
            joined.append(span)
    return tuple(joined)
