"""TOML text -> a document, each key with its line."""

import re
import tomllib
from collections.abc import Generator, Iterator
from dataclasses import dataclass

from mcplock.jsontext import Path, line_at
from mcplock.manifest.document import Document

_AT = re.compile(r" \(at line (\d+), column (\d+)\)$| \(at end of document\)$")


def read(text: str, file: str) -> Document:
    """The document of `text`; with faults and no value where it is not TOML."""
    document = Document(file)
    try:
        document.value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _AT.search(str(error))
        line = int(place[1]) if place and place[1] else line_at(text, len(text))
        document.fault_at(line, _AT.sub("", str(error)))
        return document
    document.lines = lines(text)
    return document


def lines(text: str) -> dict[Path, int]:
    """The line, from 1, of each key of `text`, which must be well-formed TOML."""
    places: dict[Path, int] = {}
    for key in keys(text):
        line = line_at(text, key.start)
        for length in range(1, len(key.path) + 1):
            places.setdefault(key.path[:length], line)
    return places


@dataclass(frozen=True, slots=True)
class Key:
    """A key or table header: where it leads, and its position in the text."""

    path: Path
    start: int


_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_NAME = re.compile(r'[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'')
_DOT = re.compile(r"[ \t]*(\.)?[ \t]*")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}(?!")|\'\'\'.*?\'{3,5}(?!\')|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'',
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}#\n]*")


def keys(text: str) -> Iterator[Key]:
    """The keys and headers of `text`, in order, as far as it is well formed."""
    at = _skip(text, 0)
    table: Path = ()
    counts: dict[Path, int] = {}  # the last index of each array of tables
    while at < len(text):
        start = at
        brackets = 2 if text.startswith("[[", at) else int(text[at] == "[")
        names, at = _names(text, _skip(text, at + brackets))
        if not names:
            return
        if brackets:
            table = _located(names, counts, new_item=brackets == 2)
            yield Key(table, start)
            at = _skip(text, at + brackets)
            continue
        path = (*table, *names)
        yield Key(path, start)
        at = yield from _value(text, _skip(text, at + 1), path)
        at = _skip(text, at)


def _skip(text: str, at: int) -> int:
    hit = _BLANK.match(text, at)
    return hit.end() if hit else at


def _names(text: str, at: int) -> tuple[Path, int]:
    names: list[str] = []
    while hit := _NAME.match(text, at):
        name = hit[0]
        names.append(tomllib.loads(f"v={name}")["v"] if name[0] in "\"'" else name)
        dot = _DOT.match(text, hit.end())
        at = dot.end() if dot else hit.end()
        if not (dot and dot[1]):
            return tuple(names), at
    return (), at


def _located(names: Path, counts: dict[Path, int], *, new_item: bool) -> Path:
    """The path of a header, with the index of each array of tables that it leads through."""
    path: Path = ()
    for position, name in enumerate(names, start=1):
        path = (*path, name)
        if position == len(names) and new_item:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _value(text: str, at: int, path: Path) -> Generator[Key, None, int]:
    """The keys inside the value at `at`; returns where the value ends."""
    if text.startswith("{", at):
        return (yield from _inline_table(text, _skip(text, at + 1), path))
    if text.startswith("[", at):
        return (yield from _array(text, _skip(text, at + 1), path))
    hit = _STRING.match(text, at) or _SCALAR.match(text, at)
    return hit.end() if hit else at


def _inline_table(text: str, at: int, path: Path) -> Generator[Key, None, int]:
    while not text.startswith("}", at):
        start = at
        names, at = _names(text, at)
        if not names:
            return len(text)
        yield Key((*path, *names), start)
        at = yield from _value(text, _skip(text, at + 1), (*path, *names))
        at = _comma(text, at)
    return at + 1


def _array(text: str, at: int, path: Path) -> Generator[Key, None, int]:
    index = 0
    while not text.startswith("]", at):
        if at >= len(text):
            return at
        yield Key((*path, index), at)
        at = yield from _value(text, at, (*path, index))
        at = _comma(text, at)
        index += 1
    return at + 1


def _comma(text: str, at: int) -> int:
    at = _skip(text, at)
    return _skip(text, at + 1) if text.startswith(",", at) else at
