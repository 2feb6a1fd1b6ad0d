"""Where the keys of a TOML text stand: `tomllib` tells values, but no places.

The walk takes the text to be well formed and stops, without an error, where it is not.
"""

import re
import tomllib
from contextlib import suppress

from mcplock.jsontext import Path
from mcplock.lazy import pattern
from mcplock.records import NamedTuple

_BLANK = pattern(r"(?:[ \t\n]|#[^\n]*)*+")
_REST = pattern(r"[ \t]*+(?:#[^\n]*+)?(?=\n|\Z)")
_NAME = pattern(r'[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'')
_DOT = pattern(r"[ \t]*(\.)?[ \t]*")
_STRING = pattern(
    r'"""(?:[^\\]|\\.)*?"{3,5}(?!")'
    r"|'''.*?'{3,5}(?!')"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_SCALAR = pattern(r"[^,\]}#\n]*")


class Key(NamedTuple):
    """A key, a table header or a list item.

    path: where it leads, with the index in each list; start, end: its positions in the
    text, the value included, of a header all up to the next one.
    """

    path: Path
    start: int
    end: int


def keys(text: str) -> list[Key]:
    """The keys, headers and list items of `text`, in order, as far as it is well formed."""
    walk = _Walk(text)
    with suppress(RecursionError, _IllFormed):
        walk.document()
    return sorted(walk.found, key=lambda key: key.start)


class _IllFormed(Exception):
    pass


class _Walk:
    def __init__(self, text: str) -> None:
        self.found: list[Key] = []
        self._text = text
        self._at = 0
        self._counts: dict[Path, int] = {}  # the last index of each list of tables
        self._header: tuple[Path, int] | None = None

    def document(self) -> None:
        """Walk the whole text."""
        self._blank()
        while self._at < len(self._text):
            if self._sees("["):
                self._table()
            else:
                self._pair(self._header[0] if self._header else ())
            self._end_of_line()
            self._blank()
        self._close_table()

    def _table(self) -> None:
        self._close_table()
        start = self._at
        brackets = 2 if self._sees("[[") else 1
        self._at += brackets
        self._blank()
        self._header = self._located(self._names(), new_item=brackets == 2), start
        self._expect("]" * brackets)

    def _close_table(self) -> None:
        if self._header:
            self.found.append(Key(*self._header, self._at))

    def _located(self, names: Path, *, new_item: bool) -> Path:
        """The path of a header, with the index in each list of tables on the way."""
        path: Path = ()
        for position, name in enumerate(names, start=1):
            path = (*path, name)
            if position == len(names) and new_item:
                self._counts[path] = self._counts.get(path, -1) + 1
            if path in self._counts:
                path = (*path, self._counts[path])
        return path

    def _pair(self, within: Path) -> None:
        start = self._at
        path = (*within, *self._names())
        self._expect("=")
        self._blank()
        self._value(path)
        self.found.append(Key(path, start, self._at))

    def _value(self, path: Path) -> None:
        if self._sees("{"):
            self._inline_table(path)
        elif self._sees("["):
            self._list(path)
        elif hit := _STRING.match(self._text, self._at) or _SCALAR.match(self._text, self._at):
            self._at = hit.end()

    def _inline_table(self, path: Path) -> None:
        self._expect("{")
        self._blank()
        while not self._sees("}"):
            self._pair(path)
            self._comma("}")
        self._expect("}")

    def _list(self, path: Path) -> None:
        self._expect("[")
        self._blank()
        index = 0
        while not self._sees("]"):
            start = self._at
            self._value((*path, index))
            self.found.append(Key((*path, index), start, self._at))
            self._comma("]")
            index += 1
        self._expect("]")

    def _names(self) -> Path:
        names: list[str] = []
        while hit := _NAME.match(self._text, self._at):
            names.append(_unquoted(hit[0]))
            self._at = hit.end()
            dot = _DOT.match(self._text, self._at)
            if not dot or not dot[1]:
                return tuple(names)
            self._at = dot.end()
        raise _IllFormed

    def _comma(self, closing: str) -> None:
        self._blank()
        if self._sees(","):
            self._at += 1
            self._blank()
        elif not self._sees(closing):
            raise _IllFormed

    def _end_of_line(self) -> None:
        hit = _REST.match(self._text, self._at)
        if hit is None:
            raise _IllFormed
        self._at = hit.end()

    def _sees(self, mark: str) -> bool:
        return self._text.startswith(mark, self._at)

    def _expect(self, mark: str) -> None:
        self._at = _skip_spaces(self._text, self._at)
        if not self._sees(mark):
            raise _IllFormed
        self._at += len(mark)

    def _blank(self) -> None:
        if hit := _BLANK.match(self._text, self._at):
            self._at = hit.end()


def _skip_spaces(text: str, at: int) -> int:
    while text.startswith((" ", "\t"), at):
        at += 1
    return at


def _unquoted(name: str) -> str:
    if name[0] not in "\"'":
        return name
    try:
        return str(tomllib.loads(f"v = {name}")["v"])
    except tomllib.TOMLDecodeError:
        raise _IllFormed from None
