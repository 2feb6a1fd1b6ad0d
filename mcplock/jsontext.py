"""JSON text, read strictly: what Python's own reader would quietly repair is a fault here.

Two readers. `parse` is quick and takes only text that is plain, unambiguous JSON. The
scanner behind `compact`, `array_items`, `depth` and `lines` works without recursion on
any text, however deep, and keeps what the quick one refuses: duplicate keys, numbers as
they were written, the place of each value.
"""

import json
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, NoReturn

from mcplock.text import escape_character

Json = Any
"""dict, list, str, int, float with a fraction, bool or None; no NaN, no integral float."""

MAX_DIGITS = 4_000
MAX_DEPTH = 200


class FaultCode(StrEnum):
    """Why a text is not a JSON value that every reader takes alike."""

    DUPLICATE_KEY = "duplicate-key"
    NUMBER = "number"
    SURROGATE = "surrogate"
    DEPTH = "depth"
    SYNTAX = "syntax"


class JsonFault(ValueError):
    """A text is not strict JSON. `position` counts code points from 0."""

    def __init__(self, code: FaultCode, message: str, position: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.position = position


def line_at(text: str, position: int) -> int:
    """The line, from 1, that `position` is on."""
    return text.count("\n", 0, position) + 1


# ---- the quick reader


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise JsonFault(FaultCode.DUPLICATE_KEY, f"the key {json.dumps(twice)} is there twice")
    return value


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise JsonFault(FaultCode.NUMBER, f"a number of {len(digits):,} digits")
    return int(digits)


def integral(digits: str) -> int | float:
    """A number written with a fraction or an exponent: an `int` where its value is integral."""
    if len(digits) > MAX_DIGITS:
        raise JsonFault(FaultCode.NUMBER, f"a number of {len(digits):,} digits")
    value = float(digits)
    if value - value != 0:
        raise JsonFault(FaultCode.NUMBER, f"{digits} is too large for a double")
    return int(value) if value.is_integer() else value


def not_json(name: str) -> NoReturn:
    """Refuse `NaN` and the infinities."""
    raise JsonFault(FaultCode.NUMBER, f"{name} is not a JSON number")


_decoder = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=integral, parse_constant=not_json
)


def parse(text: str) -> Json:
    """The value of `text`: integral numbers as `int`, exactly, all others as `float`.

    Raises `JsonFault` for a duplicate key, a number that is no finite double or has more
    than 4,000 digits, and a syntax error. Lone surrogates and depth are left to the caller
    (`mcplock.canonical.canonical` finds both), except that a text too deep for the
    interpreter's stack raises a `depth` fault.
    """
    try:
        return _decoder.decode(text)
    except json.JSONDecodeError as error:
        raise JsonFault(FaultCode.SYNTAX, error.msg, error.pos) from None
    except RecursionError:
        raise JsonFault(FaultCode.DEPTH, "it nests too deeply") from None


# ---- the scanner

_TOKEN = re.compile(
    r'[ \t\n\r]*(?:(?P<string>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+")'
    r"|(?P<mark>[{}\[\]:,])"
    r"|(?P<scalar>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null"
    r"|NaN|-?Infinity))"
)
_SPACE = re.compile(r"[ \t\n\r]*")

Token = tuple[str, str, int]
"""(group, text, position of its first character)"""


def tokens(text: str) -> Iterator[Token]:
    """The tokens of `text`, in order; raises `JsonFault` where none begins."""
    at = 0
    end = len(text)
    match = _TOKEN.match
    while True:
        hit = match(text, at)
        if hit is None:
            at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
            if at < end:
                raise JsonFault(FaultCode.SYNTAX, f"unexpected {text[at]!r}", at)
            return
        group = hit.lastgroup or ""
        yield group, hit[group], hit.start(group)
        at = hit.end()


def string_value(token: str) -> str:
    """The text that a string token stands for; lone surrogates stay."""
    value: str = json.loads(token, strict=False)
    return value


_CANONICAL_ESCAPES = re.compile('["\\\\\x00-\x1f\ud800-\udfff]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quote(text: str) -> str:
    r"""`text` as a JSON string in canonical form; lone surrogates as `\uXXXX`."""
    escaped = _CANONICAL_ESCAPES.sub(
        lambda hit: _SHORT.get(hit[0]) or escape_character(hit[0]), text
    )
    return f'"{escaped}"'


def compact(text: str) -> str:
    """`text` without white space, strings escaped as in the canonical form.

    Keys stay in the order sent, duplicates are kept, numbers are as written.
    """
    return "".join(
        quote(string_value(token)) if group == "string" else token
        for group, token, _ in tokens(text)
    )


def depth(text: str) -> int:
    """How many containers stand one in another at the deepest place of `text`."""
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        return text.count("{") + text.count("[")  # an upper bound is all that callers need
    deepest = level = 0
    for group, token, _ in tokens(text):
        if group == "mark":
            level += (token in "{[") - (token in "}]")
            deepest = max(deepest, level)
    return deepest


Path = tuple[str | int, ...]


def events(text: str) -> Iterator[tuple[list[str | int], Token]]:
    """Each token with the path of the value it belongs to; no recursion.

    A container's opening and closing mark carry the container's path, a key's token the
    path of its value. The path is one list that changes as the walk goes on: copy what you
    keep, and only as deep as you need it. Raises `JsonFault` for a syntax error.
    """
    path: list[str | int] = []
    stack: list[str] = []
    expect = "value"
    for token in tokens(text):
        group, literal, at = token
        if expect == "end":
            raise JsonFault(FaultCode.SYNTAX, "text after the value", at)
        if expect == "colon":
            if literal != ":":
                raise JsonFault(FaultCode.SYNTAX, "expected ':'", at)
            expect = "value"
            continue
        if group == "string" and expect in ("key", "key or }"):
            path[-1] = string_value(literal)
            yield path, ("key", literal, at)
            expect = "colon"
            continue
        opens = expect in ("value", "value or ]")
        if opens and group != "mark":
            yield path, token
        elif opens and literal in "{[":
            yield path, token
            stack.append(literal)
            path.append(0)
            expect = "key or }" if literal == "{" else "value or ]"
            continue
        elif literal == "," and expect == ", or close":
            if stack[-1] == "[":
                path[-1] = int(path[-1]) + 1
            expect = "key" if stack[-1] == "{" else "value"
            continue
        elif _closes(literal, stack, expect):
            stack.pop()
            path.pop()
            yield path, token
        else:
            raise JsonFault(FaultCode.SYNTAX, f"unexpected {literal!r}", at)
        expect = ", or close" if stack else "end"
    if expect != "end":
        raise JsonFault(FaultCode.SYNTAX, "the text ends too early", len(text))


def _closes(literal: str, stack: list[str], expect: str) -> bool:
    if literal == "}":
        return expect in ("key or }", ", or close") and stack[-1] == "{"
    if literal == "]":
        return expect in ("value or ]", ", or close") and stack[-1] == "["
    return False


def spans(text: str, *, within: Path = (), levels: int = 1) -> list[tuple[Path, int, int]]:
    """(path, start, end) of each value up to `levels` below `within`, in order.

    A duplicate key gives a row each. The value at `within` itself comes last.
    """
    starts: dict[Path, int] = {}
    found: list[tuple[Path, int, int]] = []
    shallow = len(within)
    for walked, (group, literal, at) in events(text):
        if group == "key" or not shallow <= len(walked) <= shallow + levels:
            continue
        path = tuple(walked)
        if path[:shallow] != within:
            continue
        if group == "mark" and literal in "{[":
            starts[path] = at
        elif group == "mark":
            found.append((path, starts.pop(path), at + 1))
        else:
            found.append((path, at, at + len(literal)))
    return found


def array_items(text: str, path: Path) -> list[str]:
    """The text of each element of the array at `path`; [] where there is none."""
    below = len(path) + 1
    return [
        text[start:end] for found, start, end in spans(text, within=path) if len(found) == below
    ]


def member(text: str, name: str) -> str | None:
    """The first string that stands under `name` in the object that `text` is."""
    for path, start, end in spans(text):
        if path == (name,) and text[start] == '"':
            return string_value(text[start:end])
    return None


def lines(text: str) -> dict[Path, int]:
    """The line, from 1, of each value's key or, in an array, of the value itself."""
    places: dict[Path, int] = {}
    line = 1
    before = 0
    for path, (_, _, at) in events(text):
        line += text.count("\n", before, at)
        before = at
        places.setdefault(tuple(path), line)
    return places


def duplicate_keys(text: str) -> list[tuple[Path, int]]:
    """Each key that stands again in its object, with its line."""
    seen: list[set[str | int]] = []  # the keys so far of each object that is open
    found: list[tuple[Path, int]] = []
    for path, (group, literal, at) in events(text):
        if group == "key":
            if path[-1] in seen[-1]:
                found.append((tuple(path), line_at(text, at)))
            seen[-1].add(path[-1])
        elif group == "mark" and literal in "{[":
            seen.append(set())
        elif group == "mark":
            seen.pop()
    return found
