"""Styled lines: what every renderer makes, and plain text from them."""

from collections.abc import Iterable
from enum import StrEnum

from mcplock.records import NamedTuple
from mcplock.render.cells import cells


class Style(StrEnum):
    """What a piece of text is; a terminal, Markdown or HTML decides how that looks."""

    PLAIN = "plain"
    DIM = "dim"
    STRONG = "strong"
    NAME = "name"
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    ADDED_WORDS = "added-words"  # inside an added line: what is not in the old one
    REMOVED_WORDS = "removed-words"
    LITERAL = "literal"  # a word of a command line: no row ends inside it if it fits on one
    HIDDEN = "hidden"  # the mark of a hidden character, `⟨U+200B⟩`
    HIGH = "high"
    WARNING = "warning"


WORDS = frozenset({Style.ADDED_WORDS, Style.REMOVED_WORDS})


class Span(NamedTuple):
    """Text of one style; no line break, nothing hidden in it."""

    style: Style
    text: str


Line = tuple[Span, ...]


def line(*parts: str | Span) -> Line:
    """A line of spans; a bare string is plain."""
    return tuple(part if isinstance(part, Span) else Span(Style.PLAIN, part) for part in parts)


def to_plain(lines: Iterable[Line]) -> str:
    """The text of `lines`, each with its line break; changed words are underlined by `^`."""
    return "".join(_plain_rows(spans) for spans in lines)


def _plain_rows(spans: Line) -> str:
    text = "".join(span.text for span in spans).rstrip(" ")
    marks = "".join(("^" if span.style in WORDS else " ") * cells(span.text) for span in spans)
    return f"{text}\n{marks.rstrip()}\n" if marks.strip() else f"{text}\n"
