"""Texts of strangers as each kind of output takes them for text and nothing else.

What comes in is safe for a terminal already (`visible`), so it holds no line break.
"""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import chain
from os import fsencode
from urllib.parse import quote

from mcplock.lazy import pattern
from mcplock.text import inert

_BACKTICKS = pattern("`+")
_LONGEST = 200
"""Characters of a name, or of a line inside a sentence; nobody reads more."""


def code(text: str) -> str:
    """`text` as a Markdown code span: no link, image, mention, reference or HTML begins in it."""
    text = inert(short(text)) or '""'
    fence = "`" * (longest_run([text]) + 1)
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def cell(text: str) -> str:
    """`text` as a code span inside a table; a bar, which would end the cell, becomes a mark."""
    return code(short(text).replace("|", "⟨U+007C⟩"))


def fenced(lines: Sequence[str], language: str = "text") -> list[str]:
    """`lines` as a fenced code block that none of them can close."""
    fence = "`" * max(3, longest_run(lines) + 1)
    return [f"{fence}{language}", *map(inert, lines), fence]


def tag(text: str) -> str:
    """`text` inside an HTML block of Markdown, as code, which no later filter looks into."""
    return f"<code>{escape(inert(short(text)))}</code>"


def command_data(text: str) -> str:
    """`text`, which may have several lines, as the message of a GitHub workflow command."""
    lines = "\n".join(map(inert, text.split("\n")))
    return lines.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str) -> str:
    """`text` as a property of a GitHub workflow command."""
    return command_data(text).replace(":", "%3A").replace(",", "%2C")


def uri(file: str) -> str:
    """The name of a file, relative to a root, as a URI reference."""
    return quote(fsencode(file))


def unlinked(text: str) -> str:
    """`text` for a SARIF message, in which `[words](target)` is a link."""
    return text.replace("](", "⟨U+005D⟩(")


def short(text: str, most: int = _LONGEST) -> str:
    """`text`, or its beginning and `…`."""
    return text if len(text) <= most else text[: most - 1] + "…"


def longest_run(texts: Iterable[str]) -> int:
    """How long the longest run of backticks in `texts` is."""
    runs = chain.from_iterable(map(_BACKTICKS.findall, texts))
    return max(map(len, runs), default=0)
