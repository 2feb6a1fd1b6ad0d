"""YAML text -> a document, each key with its line.

The value is built from the events of PyYAML's parser, so that nothing recurses, no tag makes
an object, and what an alias expands to is counted before anything walks it. Plain scalars are
read as YAML 1.2 has them: `yes`, `on`, dates and octal numbers are text. Where a reader of
YAML 1.1 would take such a text for something else, a warning says so.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcplock.jsontext import Json, Path
from mcplock.lazy import pattern
from mcplock.manifest.document import Document
from mcplock.manifest.encoding import MAX_CHARACTERS
from mcplock.manifest.excerpt import Lines
from mcplock.text import visible

if TYPE_CHECKING:
    from yaml.events import Event, ScalarEvent

MAX_NESTING = 50
MAX_VALUES = 100_000
"""Values that a file may have when every alias is replaced by what it stands for."""

_NULL = pattern(r"~|null|Null|NULL|")
_BOOLEAN = pattern(r"true|True|TRUE|false|False|FALSE")
_INTEGER = pattern(r"[-+]?[0-9]+")
_NUMBER = pattern(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?")
_OLD = (
    (pattern(r"(?i:yes|no|on|off|y|n)"), "true or false"),
    (pattern(r"\d{4}-\d\d?-\d\d?(?:[Tt ].*)?"), "a date"),
    (
        pattern(
            r"[-+]?(?:0[0-7_]+|0[ox][0-9a-fA-F_]+|0b[01_]+|\d[\d_]*_[\d_.]*|\d+(?::[0-5]?\d)+)"
        ),
        "a number",
    ),
)
"""What YAML 1.1 reads otherwise than 1.2: each form, and what it is there."""

_STRING, _MAP, _LIST = (f"tag:yaml.org,2002:{kind}" for kind in ("str", "map", "seq"))
_MERGE = "<<"
_WORDS = (
    (r"found character '\\t' that cannot start any token", "a tab; YAML is indented by spaces"),
    (r"found character '[@`]' that cannot .*", "a text that begins so stands in quotes"),
    (r"mapping values are not allowed here", "a second `: ` on the line; quotes make it text"),
    (r"found undefined alias.*", "an alias of which no anchor stands above"),
    (r"found unexpected end of stream", "a string that does not end"),
    (r"found unknown escape character.*", "not an escape that YAML knows; write a backslash twice"),
    (r"could not find expected ':'", "a key that no `:` follows"),
    (r"expected <block end>.*", "does not stand under what it belongs to: look at the indentation"),
    (r"special characters are not allowed", "a character that no YAML may hold"),
)


def read(text: str, file: str) -> Document:
    """The document of `text`; with faults and no value where it is not YAML, or no mapping.

    A key that stands twice is a fault, and its first value the one that is read. A file
    without content is an empty mapping.
    """
    document = Document(file, quoting="; write it in quotes")
    lines = Lines(text)
    try:
        document.value = _Reader(document, lines).read(text)
    except _Refused as refused:
        document.faults.append(lines.fault(file, refused.position, str(refused)))
        return document
    if document.value is None:
        document.value = {}
    elif not isinstance(document.value, dict):
        document.fault_at(1, "must be a mapping of keys to values")
        document.value = None
    return document


def stands_plain(text: str) -> bool:
    """Whether `text` without quotes is that text here, and in the eyes of a 1.1 reader."""
    return _resolved(text) == text and not any(form.fullmatch(text) for form, _ in _OLD)


class _Refused(Exception):
    """The text cannot be read on from `position`."""

    def __init__(self, position: int, message: str) -> None:
        super().__init__(message)
        self.position = position


@dataclass(slots=True)
class _Node:
    """A value, how many values it expands to, and its own place."""

    json: Json
    size: int
    at: int
    text: str = ""  # a scalar as it is written: what it is as a key
    plain: bool = False
    is_key: bool = False


@dataclass(slots=True)
class _Open:
    """A mapping or sequence whose end has not come."""

    node: _Node
    path: Path
    anchor: str
    keys: dict[str, int] = field(default_factory=dict)  # with the line of each
    key: _Node | None = None
    merged: list[_Node] = field(default_factory=list)


class _Reader:
    def __init__(self, document: Document, lines: Lines) -> None:
        self._document = document
        self._lines = lines
        self._places: dict[Path, int] = {}
        document.lines = self._places
        self._open: list[_Open] = []
        self._anchors: dict[str, _Node | None] = {}
        self._root: _Node | None = None

    def read(self, text: str) -> Json:
        """The value of `text`; None where it has none."""
        if len(text) > MAX_CHARACTERS:
            raise _Refused(0, f"has {len(text):,} characters; {MAX_CHARACTERS:,} are the most")
        for event in _events(text):
            self._take(event)
        return self._root.json if self._root else None

    def _take(self, event: "Event") -> None:
        import yaml

        match event:
            case yaml.DocumentStartEvent() if self._root is not None:
                raise _Refused(_at(event), "a second document; a manifest is one")
            case yaml.ScalarEvent():
                self._put(self._scalar(event), event.anchor)
            case yaml.AliasEvent():
                self._put(self._alias(event), None)
            case yaml.MappingStartEvent():
                self._enter({}, event)
            case yaml.SequenceStartEvent():
                self._enter([], event)
            case yaml.CollectionEndEvent():
                self._leave()

    def _enter(self, container: Json, event: "Event") -> None:
        import yaml

        assert isinstance(event, yaml.CollectionStartEvent)  # noqa: S101  the caller matched it
        at = _at(event)
        if len(self._open) >= MAX_NESTING:
            raise _Refused(at, f"nests more than {MAX_NESTING} levels deep")
        if event.tag not in (None, "!", _MAP if isinstance(container, dict) else _LIST):
            self._fault(at, f"the tag `{visible(event.tag)}` is not read")
        if event.anchor:
            self._anchors[event.anchor] = None  # until it ends: no value holds itself
        path = self._next_path(at)
        self._open.append(_Open(_Node(container, 1, at), path, event.anchor or ""))

    def _leave(self) -> None:
        closed = self._open.pop()
        for merged in closed.merged:
            self._merge(closed, merged)
        self._put(closed.node, closed.anchor, closed.path)

    def _next_path(self, at: int) -> Path:
        """The path of the value that begins at `at`."""
        if not self._open:
            return ()
        above = self._open[-1]
        if isinstance(above.node.json, list):
            path: Path = (*above.path, len(above.node.json))
            self._places.setdefault(path, self._lines.line(at))
            return path
        return (*above.path, above.key.text) if above.key else above.path

    def _put(self, node: _Node, anchor: str | None, path: Path | None = None) -> None:
        if anchor:
            self._anchors[anchor] = node
        if not self._open:
            self._root = node
            return
        above = self._open[-1]
        path = self._next_path(node.at) if path is None else path
        if isinstance(above.node.json, list):
            above.node.json.append(node.json)
            self._grow(above, node)
        elif above.key is None:
            self._key(above, node)
        else:
            self._value(above, above.key, node)
            above.key = None
        self._warn_of_old(node, path)

    def _key(self, above: _Open, node: _Node) -> None:
        if isinstance(node.json, dict | list):
            raise _Refused(node.at, "a key must be a text")
        above.key = node
        node.is_key = True
        path = (*above.path, node.text)
        line = self._lines.line(node.at)
        self._places.setdefault(path, line)
        if node.text in above.keys:
            first = above.keys[node.text]
            self._document.fault(
                path, "is written twice" + f" (again on line {line})" * (line != first)
            )
        above.keys.setdefault(node.text, line)

    def _value(self, above: _Open, key: _Node, node: _Node) -> None:
        self._grow(above, node)
        if key.text == _MERGE and key.plain:
            above.merged.append(node)
        else:
            above.node.json.setdefault(key.text, node.json)

    def _grow(self, above: _Open, node: _Node) -> None:
        above.node.size += node.size
        if above.node.size > MAX_VALUES:
            raise _Refused(node.at, f"more than {MAX_VALUES:,} values when aliases are expanded")

    def _merge(self, closed: _Open, merged: _Node) -> None:
        """Add what `<<` brings: what is written out goes first, then what is merged first."""
        parts = merged.json if isinstance(merged.json, list) else [merged.json]
        line = self._lines.line(merged.at)
        for part in parts:
            if not isinstance(part, dict):
                self._fault(merged.at, "`<<` merges mappings, and this is none")
                continue
            for key, value in part.items():
                if key not in closed.node.json:
                    closed.node.json[key] = value
                    self._places[(*closed.path, key)] = line

    def _scalar(self, event: "ScalarEvent") -> _Node:
        at, text = _at(event), event.value
        plain = event.implicit[0] and event.style is None
        if event.tag not in (None, "!", _STRING):
            self._fault(at, f"the tag `{visible(event.tag)}` is not read")
        json = _resolved(text) if plain else text
        return _Node(json, 1, at, text, plain)

    def _alias(self, event: "Event") -> _Node:
        import yaml

        assert isinstance(event, yaml.AliasEvent)  # noqa: S101  the caller matched it
        at = _at(event)
        anchor = event.anchor or ""
        node = self._anchors.get(anchor)
        if node is None:
            inside = anchor in self._anchors
            raise _Refused(at, "holds itself" if inside else "an alias whose anchor is not above")
        return _Node(node.json, node.size, at, node.text)

    def _warn_of_old(self, node: _Node, path: Path) -> None:
        if not node.plain or node.is_key or not isinstance(node.json, str):
            return
        for form, taken_for in _OLD:
            if form.fullmatch(node.text):
                message = f"is read as text; YAML 1.1 takes it for {taken_for}: write it in quotes"
                self._document.warn(path, message)

    def _fault(self, at: int, message: str) -> None:
        self._document.fault_at(self._lines.line(at), message)


def _at(event: "Event") -> int:
    """The position that `event` begins at."""
    return event.start_mark.index if event.start_mark else 0


def _events(text: str) -> "Iterator[Event]":
    import yaml

    try:
        yield from yaml.parse(text, Loader=yaml.SafeLoader)
    except yaml.reader.ReaderError as error:
        raise _Refused(error.position, _in_words(error.reason)) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = min(mark.index if mark else 0, len(text.rstrip()))
        raise _Refused(at, _in_words(error.problem or "not YAML")) from None
    except ValueError:  # a number in a directive or an escape that Python cannot take
        raise _Refused(0, "not YAML") from None


def _in_words(problem: str) -> str:
    for said, words in _WORDS:
        if re.fullmatch(said, problem):
            return words
    return visible(problem)


def _resolved(text: str) -> Json:
    """What a plain scalar is in YAML 1.2."""
    readers: tuple[tuple[re.Pattern[str], Callable[[str], Json]], ...] = (
        (_NULL, lambda _: None),
        (_BOOLEAN, lambda word: word.lower() == "true"),
        (_INTEGER, _integer),
        (_NUMBER, float),
    )
    for form, reader in readers:
        if form.fullmatch(text):
            return reader(text)
    return text


def _integer(digits: str) -> Json:
    """A number; what has a zero in front, or more digits than any here, is text."""
    bare = digits.lstrip("+-")
    return digits if len(bare) > 300 or (len(bare) > 1 and bare[0] == "0") else int(digits)
