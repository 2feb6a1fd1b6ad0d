"""How a server is reached: exact, unexpanded, untruncated."""

import json
from collections.abc import Iterator

from mcplock.lazy import pattern
from mcplock.manifest import variables
from mcplock.model import Source, Transport
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.wrap import marked, shown, wrap
from mcplock.text import visible

_INDENT = " " * 4
_LABEL = 8
_REPEATED = pattern(r"(\\[nrtbf]|\\u[0-9a-f]{4}|⟨U\+[0-9A-F]+⟩)\1{7,}")


def launch_lines(source: Source, width: int) -> list[Line]:
    """How `source` is reached: every word quoted and whole, blanks told where they are many."""
    lines = []
    for label, text in _told(source):
        rows = wrap(marked(_squeezed(text)), width - len(_INDENT) - _LABEL)
        for at, row in enumerate(rows):
            head = Span(Style.DIM, f"{label if at == 0 else '':<{_LABEL}}")
            lines.append(line(_INDENT, head, *row))
    return lines


def _told(source: Source) -> Iterator[tuple[str, str]]:
    """(what it is, its text) of each part of a source; hidden characters are visible."""
    if source.type is Transport.STDIO:
        yield "runs", " ".join(_quoted(word) for word in (source.command, *source.args))
        if source.cwd:
            yield "in", _quoted(source.cwd)
    else:
        yield source.type.value, _quoted(source.url)
    for name, value in source.env.items():
        yield "env", f"{visible(name)}={_quoted(value)}"
    for name, value in source.headers.items():
        yield "header", f"{visible(name)}: {_quoted(value)}"
    for name, value in source.oauth.items():
        yield "oauth", f"{visible(name)}: {_quoted(value)}"
    if source.capabilities:
        yield "offers", ", ".join(source.capabilities)
    names = variables(source)
    if names:
        yield "reads", ", ".join(map(visible, names))


def _quoted(word: str) -> str:
    return shown(json.dumps(word, ensure_ascii=False))


def _squeezed(text: str) -> str:
    r"""`text` with eight or more times the same mark or escape told as `⟨\n×10240⟩`.

    What stands behind a screen of line breaks cannot hide there. The text's own brackets
    are marks by now.
    """
    return _REPEATED.sub(lambda hit: f"⟨{hit[1].strip('⟨⟩')}×{len(hit[0]) // len(hit[1])}⟩", text)
