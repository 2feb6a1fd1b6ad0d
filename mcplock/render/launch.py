"""How a server is reached: exact, unexpanded, untruncated."""

import json
from collections.abc import Iterator

from mcplock.lazy import pattern
from mcplock.manifest import variables
from mcplock.model import Source, Transport
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.wrap import marked, shown
from mcplock.text import visible

_INDENT = " " * 4
_LABEL = 8
_REPEATED = pattern(r"(\\[nrtbf]|\\u[0-9a-f]{4}|⟨U\+[0-9A-F]+⟩)\1{7,}")


def launch_lines(source: Source) -> list[Line]:
    """How `source` is reached: every word quoted and whole, blanks told where they are many.

    A part is one line, however long: what is consented to is not broken but by a terminal.
    """
    return [
        line(_INDENT, Span(Style.DIM, f"{label:<{_LABEL}}"), *spans)
        for label, spans in _told(source)
    ]


def _told(source: Source) -> Iterator[tuple[str, list[Span]]]:
    """(what it is, its text) of each part of a source; hidden characters are visible."""
    if source.type is Transport.STDIO:
        more = [span for word in source.args for span in (*_plain(" "), *_word(word))]
        yield "runs", [*_word(source.command), *more]
        if source.cwd:
            yield "in", _word(source.cwd)
    else:
        yield source.type.value, _word(source.url)
    for name, value in source.env.items():
        yield "env", [*_plain(f"{visible(name)}="), *_word(value)]
    for name, value in source.headers.items():
        yield "header", [*_plain(f"{visible(name)}: "), *_word(value)]
    for name, value in source.oauth.items():
        yield "oauth", [*_plain(f"{visible(name)}: "), *_word(value)]
    if source.capabilities:
        yield "offers", _plain(", ".join(source.capabilities))
    names = variables(source)
    if names:
        yield "reads", _plain(", ".join(map(visible, names)))


def _word(word: str) -> list[Span]:
    return marked(_squeezed(_quoted(word)), Style.LITERAL)


def _plain(text: str) -> list[Span]:
    return marked(_squeezed(text))


def _quoted(word: str) -> str:
    return shown(json.dumps(word, ensure_ascii=False))


def _squeezed(text: str) -> str:
    r"""`text` with eight or more times the same mark or escape told as `⟨\n×10240⟩`.

    What stands behind a screen of line breaks cannot hide there. The text's own brackets
    are marks by now.
    """
    return _REPEATED.sub(lambda hit: f"⟨{hit[1].strip('⟨⟩')}×{len(hit[0]) // len(hit[1])}⟩", text)
