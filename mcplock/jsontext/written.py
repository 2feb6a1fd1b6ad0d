"""JSON text as it is written: strings in canonical form, the compact form, depth."""

import json
import re
from collections.abc import Callable
from itertools import accumulate

from mcplock.jsontext.dense import STEP, STRING, pieces
from mcplock.jsontext.faults import MAX_DEPTH
from mcplock.lazy import pattern
from mcplock.text import escape_character

_STRING_OR_SPACE = pattern(rf"{STRING}|[ \t\n\r]++", re.DOTALL)
_STRING_OR_SCALAR = pattern(rf"{STRING}|[^\[\]{{}}:,\"]++", re.DOTALL)
_NO_BRACKETS = pattern(rf"(?:{STRING}|[^\[\]{{}}\"]++)++", re.DOTALL)
_ESCAPED = pattern('["\\\\\x00-\x1f\ud800-\udfff]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SURROGATE = pattern("[\ud800-\udfff]")


def quote(text: str) -> str:
    r"""`text` as a JSON string in canonical form; lone surrogates as `\uXXXX`."""
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(hit: re.Match[str]) -> str:
    return _SHORT.get(hit[0]) or escape_character(hit[0])


def compact(text: str, change: Callable[[str], str] | None = None) -> str:
    """The JSON `text` without white space, strings escaped as in the canonical form.

    Keys stay in the order sent, duplicates are kept, numbers are as written. `change` is
    applied to every string; a number that it changes becomes a string.
    """
    return "".join(_compact(piece, change) for piece in pieces(text))


def _compact(piece: str, change: Callable[[str], str] | None) -> str:
    short = _SURROGATE.sub(_escape, _STRING_OR_SPACE.sub(_rewritten, piece))
    return _STRING_OR_SCALAR.sub(_changed_by(change), short) if change else short


def _rewritten(hit: re.Match[str]) -> str:
    token = hit[0]
    if token[0] != '"':
        return ""
    return quote(json.loads(token)) if "\\" in token else token


def _changed_by(change: Callable[[str], str]) -> Callable[[re.Match[str]], str]:
    def changed(hit: re.Match[str]) -> str:
        token = hit[0]
        before = json.loads(token) if token[0] == '"' else token
        after = change(before)
        return token if after == before else quote(after)

    return changed


def too_deep(text: str) -> bool:
    """Whether more than 200 containers stand one in another in the JSON `text`."""
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        return False
    steps = map(STEP.__getitem__, _NO_BRACKETS.sub("", text))
    return any(level > MAX_DEPTH for level in accumulate(steps))
