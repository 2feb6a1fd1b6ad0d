"""Text cut into rows of a width."""

import re
from collections.abc import Iterable, Iterator, Sequence

from mcplock.lazy import pattern
from mcplock.render.cells import belongs, cells, clusters
from mcplock.render.spans import WORDS, Line, Span, Style
from mcplock.text import visible

# What a row may be broken after or before: marks, blanks, and each character of the scripts
# that write no blanks.
_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef"
_UNIT = pattern(f"⟨[^⟩]*⟩| +|[{_WIDE}]|[^ ⟨{_WIDE}]+|⟨")
_MARK = pattern("(⟨[^⟩]*⟩)")
_LONG_BLANK = pattern("(?<=[^ ]) {24,}|^ {60,}")


def shown(text: str) -> str:
    """`text` of one line, safe and without a trick: as `visible`, and long blanks counted."""
    return _LONG_BLANK.sub(lambda hit: f"⟨U+0020×{len(hit[0])}⟩", visible(text))


def marked(text: str, style: Style = Style.PLAIN) -> list[Span]:
    """Text that went through `shown` in one style, its hidden characters standing out."""
    parts = _MARK.split(text)
    return [Span(Style.HIDDEN if at % 2 else style, part) for at, part in enumerate(parts) if part]


def _plain_rows(text: str, width: int) -> Iterator[str]:
    """As `wrap`, for text in ASCII, which most texts are."""
    at = 0
    while len(text) - at > width:
        end = text.rfind(" ", at, at + width + 1)
        end = at + width if end <= at else end
        while text[end : end + 1] == " ":
            end += 1
        yield text[at:end]
        at = end
    if at < len(text) or not text:
        yield text[at:]


def wrap(spans: Iterable[Span], width: int) -> list[Line]:
    """`spans` as rows of at most `width` cells, broken at blanks where there are any.

    Nothing is lost; the blanks at a break end the row before it. At least one row.
    """
    spans = list(spans)
    if len(spans) == 1 and spans[0].text.isascii() and spans[0].style not in WORDS:
        return [(Span(spans[0].style, text),) for text in _plain_rows(spans[0].text, width)]
    rows: list[list[Span]] = [[]]
    room = width
    for word in _words(spans):
        for part in _fitting(word, room, width):
            taken = _cells(part)
            if taken > room and not _may_hang(part, rows[-1]):
                rows.append([])
                room = width
            rows[-1] += part
            room -= taken
    return [_joined(row) for row in rows]


def _may_hang(part: Sequence[Span], row: Sequence[Span]) -> bool:
    """Whether it may stand beyond a row's end: blanks that nobody has to see.

    Of changed words that is the one blank between two of them.
    """
    if not part[0].text.isspace():
        return False
    inside = len(part[0].text) == 1 and row and row[-1].style is part[0].style
    return part[0].style not in WORDS or bool(inside)


def _cells(spans: Sequence[Span]) -> int:
    return sum(cells(span.text) for span in spans)


def fold(spans: Line, width: int, hang: int = 6) -> list[Line]:
    """A line as it is where it fits, else as rows: no text can reach a row's first column."""
    spans = _trimmed(spans)
    if _cells(spans) <= width:
        return [spans]
    first, *others = wrap(spans, width)
    rest = wrap([span for row in others for span in row], width - hang) if others else []
    return [_trimmed(first), *((Span(Style.PLAIN, " " * hang), *_trimmed(row)) for row in rest)]


_COMMAND = pattern("`[^`]+`")
_WHOLE = pattern(".+")
_GLUE = "\x1f"
"""In place of a blank where no row may end; no text that is shown has it."""


def fold_commands(spans: Line, width: int, hang: int = 6) -> list[Line]:
    """As `fold`, and what is copied stays on one row if it fits there.

    That is a command in backticks, and a word of a command line.
    """

    def glued(hit: re.Match[str]) -> str:
        return hit[0].replace(" ", _GLUE) if cells(hit[0]) < width - hang else hit[0]

    def copied(span: Span) -> Span:
        kept = _WHOLE if span.style is Style.LITERAL else _COMMAND
        return Span(span.style, kept.sub(glued, span.text))

    together = map(copied, spans)
    return [
        tuple(Span(span.style, span.text.replace(_GLUE, " ")) for span in row)
        for row in fold(tuple(together), width, hang)
    ]


def _trimmed(spans: Line) -> Line:
    """A row without the blanks at its end, but for a change of blanks alone."""
    if not spans:
        return spans
    *before, last = spans
    text = last.text.rstrip(" ")
    if text:
        return (*before, Span(last.style, text))
    return spans if last.style in WORDS else _trimmed(tuple(before))


def _words(spans: Iterable[Span]) -> Iterator[list[Span]]:
    """Units that stay together: parts of several styles where no break is between them."""
    word: list[Span] = []
    for span in spans:
        for unit in _UNIT.findall(span.text):
            if word and _breaks(word[-1].text, unit):
                yield word
                word = []
            word.append(Span(span.style, unit))
    if word:
        yield word


def _breaks(before: str, after: str) -> bool:
    if belongs(before, after):
        return False
    wide = cells(before[-1]) > 1 or cells(after[0]) > 1
    return wide or before.isspace() or after.isspace()


def _fitting(word: list[Span], room: int, width: int) -> Iterator[list[Span]]:
    """`word`, cut where it alone is wider than a row; `room` is left in the first one."""
    if _cells(word) <= width:
        yield word
        return
    if room < _FEWEST:
        room = width
    for span in word:
        part = ""
        for character in clusters(span.text):
            if cells(character) > room:
                yield [Span(span.style, part)]
                part, room = "", width
            part += character
            room -= cells(character)
        yield [Span(span.style, part)]


_FEWEST = 8  # cells that are worth a part of a word


def _joined(row: Sequence[Span]) -> Line:
    """Neighbours of one style as one span."""
    joined: list[Span] = []
    for span in row:
        if joined and joined[-1].style is span.style:
            joined[-1] = Span(span.style, joined[-1].text + span.text)
        else:
            joined.append(span)
    return tuple(joined)
