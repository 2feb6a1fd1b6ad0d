"""Readers of any JSON text, however deep: tokens, paths, the place of each value."""

import json
from collections import deque
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress

from mcplock.jsontext.dense import is_dense, leap
from mcplock.jsontext.faults import FaultCode, JsonFault, line_at
from mcplock.jsontext.strict import parse, unique
from mcplock.lazy import pattern

_TOKEN = pattern(
    r"[ \t\n\r]*+(?:"
    r'(?P<string>"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+")'
    r"|(?P<mark>[{}\[\]:,])"
    r"|(?P<scalar>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null"
    r"|NaN|-?Infinity))"
)
_SPACE = pattern(r"[ \t\n\r]*+")
_MANY = 100
"""Duplicate keys that are told; nobody reads more."""

Token = tuple[str, str, int]
"""(group, text, position of its first character)"""

Path = tuple[str | int, ...]


def string_value(token: str) -> str:
    """The text that a string token stands for; lone surrogates stay."""
    value: str = json.loads(token)
    return value


def tokens(text: str, at: int = 0) -> Iterator[Token]:
    """The tokens of `text` from `at` on; raises `JsonFault` where none begins."""
    match = _TOKEN.match
    while hit := match(text, at):
        group = hit.lastgroup or ""
        yield group, hit[group], hit.start(group)
        at = hit.end()
    at = _space(text, at)
    if at < len(text):
        raise JsonFault(FaultCode.SYNTAX, f"unexpected {text[at]!r}", at)


def events(text: str) -> Iterator[tuple[list[str | int], Token]]:
    """Each token with the path of the value it belongs to.

    A container's opening and closing mark carry the container's path, a key's token the
    path of its value. The path is one list that changes as the walk goes on: copy what you
    keep, and only as deep as you need it. Raises `JsonFault` for a syntax error.
    """
    end = 0
    for path, token in _events(text, 0):
        yield path, token
        end = token[2] + len(token[1])
    _finish(text, end)


def _events(text: str, start: int) -> Iterator[tuple[list[str | int], Token]]:
    """`events` of the one value that begins at or after `start`."""
    path: list[str | int] = []
    stack: list[str] = []
    expect = "value"
    for token in tokens(text, start):
        group, literal, at = token
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
        if not stack:
            return
        expect = ", or close"
    raise JsonFault(FaultCode.SYNTAX, "the text ends too early", len(text))


def _closes(literal: str, stack: list[str], expect: str) -> bool:
    if literal == "}":
        return expect in ("key or }", ", or close") and stack[-1] == "{"
    if literal == "]":
        return expect in ("value or ]", ", or close") and stack[-1] == "["
    return False


def _space(text: str, at: int) -> int:
    hit = _SPACE.match(text, at)
    return hit.end() if hit else at


def _finish(text: str, end: int) -> None:
    at = _space(text, end)
    if at < len(text):
        raise JsonFault(FaultCode.SYNTAX, "text after the value", at)


# Their values are thrown away: numbers become small ones, which need no memory.
_lenient = json.JSONDecoder(parse_int=len, parse_float=len)
_lenient_but_for_keys = json.JSONDecoder(object_pairs_hook=unique, parse_int=len, parse_float=len)


def _skip(text: str, at: int) -> int:
    """The end of the value that begins at `at`."""
    try:
        return _lenient.raw_decode(text, at)[1]
    except json.JSONDecodeError as error:
        raise JsonFault(FaultCode.SYNTAX, error.msg, error.pos) from None
    except RecursionError:
        [(_, (_, literal, last))] = deque(_events(text, at), maxlen=1)
        return last + len(literal)


def _each(text: str, at: int, visit: Callable[[str | int, int], int]) -> int:
    """The end of the container at `at`; `visit` maps each child's (step, start) to its end."""
    closing = "}" if text[at] == "{" else "]"
    at = _space(text, at + 1)
    if text[at : at + 1] == closing:
        return at + 1
    count = 0
    while True:
        step: str | int = count
        if closing == "}":
            step, at = _key(text, at)
        at = _space(text, visit(step, _space(text, at)))
        count += 1
        if text[at : at + 1] == closing:
            return at + 1
        if text[at : at + 1] != ",":
            raise JsonFault(FaultCode.SYNTAX, f"expected ',' or '{closing}'", at)
        at = _space(text, at + 1)


def _key(text: str, at: int) -> tuple[str, int]:
    """The key at `at`, and where the colon behind it ends."""
    if text[at : at + 1] != '"':
        raise JsonFault(FaultCode.SYNTAX, "expected a key", at)
    end = _skip(text, at)
    colon = _space(text, end)
    if text[colon : colon + 1] != ":":
        raise JsonFault(FaultCode.SYNTAX, "expected ':'", colon)
    return string_value(text[at:end]), colon + 1


def spans(text: str, *, within: Path = (), levels: int = 1) -> list[tuple[Path, int, int]]:
    """(path, start, end) of each value up to `levels`, a few, below `within`, in order.

    A duplicate key gives a row each. The value at `within` itself comes last. What lies
    deeper, or elsewhere, is only checked for its syntax, and of a dense text not even that.
    """
    walk = _Walk(text, within, levels)
    _finish(text, walk.value((), _space(text, 0)))
    return walk.found


class _Walk:
    """What `spans` has found so far. No function that holds itself: it would stay in memory."""

    def __init__(self, text: str, within: Path, levels: int) -> None:
        self.found: list[tuple[Path, int, int]] = []
        self._text = text
        self._within = within
        self._deepest = len(within) + levels
        self._dense = is_dense(text)

    def value(self, path: Path, start: int) -> int:
        """The end of the value at `path`, which begins at `start`."""
        shallow = len(self._within)
        text = self._text
        on_the_way = path[:shallow] == self._within[: len(path)]
        holds = text[start : start + 1] in ("{", "[")
        if on_the_way and holds and len(path) < self._deepest:
            end = _each(text, start, lambda step, at: self.value((*path, step), at))
        elif self._dense and holds:
            end = leap(text, start)
        else:
            end = _skip(text, start)
        if on_the_way and len(path) >= shallow:
            self.found.append((path, start, end))
        return end


def array_items(text: str, path: Path) -> list[str]:
    """The text of each element of the array at `path`; [] where there is none."""
    return [
        text[start:end]
        for found, start, end in spans(text, within=path)
        if len(found) > len(path) and isinstance(found[-1], int)
    ]


def member(text: str, name: str) -> str | None:
    """The first string that stands under `name` in the object that `text` is."""
    for path, start, end in spans(text):
        if path == (name,) and text[start] == '"':
            return string_value(text[start:end])
    return None


def lines(text: str, paths: Collection[Path]) -> dict[Path, int]:
    """The line, from 1, of each of `paths`: of its first key or, in an array, its value."""
    wanted = set(paths)
    deepest = max(map(len, wanted), default=-1)
    places: dict[Path, int] = {}
    line = 1
    before = 0
    for path, (_, _, at) in events(text):
        if len(path) <= deepest and (place := tuple(path)) in wanted:
            line += text.count("\n", before, at)
            before = at
            places.setdefault(place, line)
            if len(places) == len(wanted):
                break
    return places


def duplicate_keys(text: str) -> list[tuple[Path, int]]:
    """Each key that stands again in its object, with its line; the first hundred of them."""
    found: list[tuple[Path, int]] = []
    with suppress(ValueError, RecursionError):
        _lenient_but_for_keys.decode(text)
        return found
    for path, at in _again(text):
        found.append((tuple(path), line_at(text, at)))
        if len(found) == _MANY:
            break
    return found


def _again(text: str) -> Iterator[tuple[list[str | int], int]]:
    seen: list[set[str | int]] = []  # the keys so far of each object that is open
    for path, (group, literal, at) in events(text):
        if group == "key":
            if path[-1] in seen[-1]:
                yield path, at
            seen[-1].add(path[-1])
        elif group == "mark" and literal in "{[":
            seen.append(set())
        elif group == "mark":
            seen.pop()


def placed(text: str, fault: JsonFault) -> JsonFault:
    """The first fault of the same kind in `text`, with its position, where `parse` has none."""
    if fault.code is FaultCode.DUPLICATE_KEY:
        path, at = next(_again(text))
        return JsonFault(fault.code, f"the key {json.dumps(path[-1])} is there twice", at)
    if fault.code is FaultCode.NUMBER:
        for _, (group, literal, at) in events(text):
            try:
                if group == "scalar":
                    parse(literal)
            except JsonFault as found:
                return JsonFault(found.code, found.message, at)
    return fault
