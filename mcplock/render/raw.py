"""Text without a canonical form, as a server sent it: alone, or against what is known of it."""

import json
import re
from collections.abc import Iterator, Sequence

from mcplock.jsontext import Json
from mcplock.lazy import pattern
from mcplock.model import Entry
from mcplock.render.prose import plain_prose, prose_diff
from mcplock.render.spans import Line, Span, Style, line

_INDENT = "    "
_MOST_TEXTS = 4
_STEP = 2
_DEEPEST = 12
_ON_ONE_LINE = 80
_TOKEN = pattern(r'"(?:[^"\\]++|\\.)*+"?|[{}\[\],:]|[^"{}\[\],:]++', re.DOTALL)
_FLAT = pattern(
    r'[{\[](?:"(?:[^"\\]++|\\.)*+"|[^"{}\[\]]++)*+[}\]]', re.DOTALL
)  # a container that holds no other
_ESCAPE = pattern(r"\\(.)", re.DOTALL)


def raw_lines(entry: Entry, width: int) -> Iterator[Line]:
    """What the server sent for `entry`, each definition of the name by itself."""
    for at, text in _told(entry.raw):
        yield _head(entry, at, "as it was sent:")
        for spans in plain_prose(spread(text), width - len(_INDENT) - _STEP):
            yield line(_INDENT, " " * _STEP, *spans)
    yield from _rest(entry.raw)


def raw_diff(old: Json, entry: Entry, width: int) -> Iterator[Line]:
    """What the server sent for `entry` against the content `old`, which the lock has."""
    before = spread(json.dumps(old, ensure_ascii=False, separators=(",", ":")))
    for at, text in _told(entry.raw):
        after = spread(text)
        if after == before:
            yield _head(entry, at, "is the one that is locked")
            continue
        yield _head(entry, at, "as it was sent, compared with the locked text:")
        for spans in prose_diff(before, after, width - len(_INDENT)):
            yield line(_INDENT, *spans)
    yield from _rest(entry.raw)


def spread(text: str) -> str:
    """Compact JSON text in lines; it may break off.

    Keys, their order and the spelling of values are kept. Where a string has a line break
    the text has one too, behind its escape; no line ends with a comma, which would differ
    wherever something was added behind it.
    """
    return "".join(_spread(text))


def _spread(text: str) -> Iterator[str]:
    depth = at = 0
    while hit := _FLAT.match(text, at) or _TOKEN.match(text, at):
        token, at = hit[0], hit.end()
        if len(token) > 1 and token[0] in "{[" and not (depth and len(token) <= _ON_ONE_LINE):
            token, at = token[0], hit.start() + 1
        if len(token) > 1 and token[0] in "{[":
            yield _roomy(token)
        elif token in ("{", "["):
            depth += 1
            yield token + _line_break(depth)
        elif token in ("}", "]"):
            depth -= 1
            yield _line_break(depth) + token
        elif token == ",":
            yield _line_break(depth)
        elif token == ":":
            yield ": "
        else:
            yield _broken(token, _line_break(depth + 1))


def _line_break(depth: int) -> str:
    return "\n" + " " * (_STEP * min(depth, _DEEPEST))


def _broken(token: str, line_break: str) -> str:
    """A string token with `line_break` behind the escape of each of its own."""

    def followed(escape: re.Match[str]) -> str:
        return escape[0] + line_break if escape[1] == "n" else escape[0]

    return _ESCAPE.sub(followed, token)


def _roomy(flat: str) -> str:
    return "".join(f"{token} " if token in (",", ":") else token for token in _TOKEN.findall(flat))


def _told(raw: Sequence[str]) -> Iterator[tuple[int, str]]:
    return enumerate(raw[:_MOST_TEXTS], start=1)


def _head(entry: Entry, at: int, said: str) -> Line:
    total = len(entry.raw)
    which = f"definition {at} of {total} " if total > 1 else ""
    return line(_INDENT, Span(Style.WARNING, which + said))


def _rest(raw: Sequence[str]) -> Iterator[Line]:
    if len(raw) > _MOST_TEXTS:
        yield line(_INDENT, f"… and {len(raw) - _MOST_TEXTS:,} more definitions")
