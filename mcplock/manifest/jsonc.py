"""JSON with comments and trailing commas -> a document, each key with its line.

Comments and trailing commas are blanked out in place, so that every position stays true,
and the strict scanner of `mcplock.jsontext` reads what is left.
"""

import re

from mcplock.jsontext import (
    MAX_DEPTH,
    FaultCode,
    Json,
    JsonFault,
    Path,
    events,
    parse,
    string_value,
)
from mcplock.lazy import pattern
from mcplock.manifest.document import Document
from mcplock.manifest.excerpt import Lines

_LINES_DOWN_TO = 6
"""As deep as a server's keys and list items stand in any client's file."""

_COMMENT = pattern(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?')
_TRAILING = pattern(r'"(?:[^"\\\n]|\\.)*"|[\[{:,]\s*,|,(?=\s*[}\]])')
_GOOD_SCALAR = pattern(r"(?:-?[0-9.eE+]+|true|false|null)(?!\w)")
_MISPLACED = "misplaced: a comma, a colon or a bracket is missing before it"
_GOOD_STRING = pattern(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')


def read(text: str, file: str) -> Document:
    """The document of `text`; with faults and no value where it is not JSON.

    A key that stands twice is a fault, and its first value the one that is read.
    """
    document = Document(file)
    lines = Lines(text)
    try:
        _Reader(document, lines).read(blanked(text))
    except JsonFault as fault:
        position, message = _in_words(text, fault)
        document.faults.append(lines.fault(file, position, message))
        document.value = None
    return document


def blanked(text: str) -> str:
    """`text` with spaces in place of comments and trailing commas."""
    text = _COMMENT.sub(_without_comment, text)
    return _TRAILING.sub(lambda hit: " " if hit[0] == "," else hit[0], text)


def _without_comment(hit: re.Match[str]) -> str:
    piece = hit[0]
    if piece[0] == '"':
        return piece
    if piece.startswith("/*") and (len(piece) < 4 or not piece.endswith("*/")):
        raise JsonFault(FaultCode.SYNTAX, "", hit.start())
    return re.sub("[^\n]", " ", piece)


class _Reader:
    """Builds the value of one text from the scanner's events, without recursion."""

    def __init__(self, document: Document, lines: Lines) -> None:
        self._document = document
        self._lines = lines
        self._places: dict[Path, int] = {}
        self._open: list[Json] = []  # the containers around the current value
        self._keys: list[dict[str, tuple[int, int]]] = []  # the keys of each: (line, position)
        self._twice = False  # the value that comes next stands under a key that is taken

    def read(self, text: str) -> None:
        """Fill the document with what `text` says."""
        self._document.lines = self._places
        for path, (group, literal, at) in events(text):
            if len(path) > MAX_DEPTH:
                raise JsonFault(FaultCode.DEPTH, f"nests more than {MAX_DEPTH} levels deep", at)
            if len(path) <= _LINES_DOWN_TO:
                self._places.setdefault(tuple(path), self._lines.line(at))
            if group == "key":
                self._key(path, at)
            elif group != "mark":
                self._put(path, self._scalar(path, group, literal))
            elif literal in "{[":
                self._enter(path, {} if literal == "{" else [])
            else:
                self._open.pop()
                self._keys.pop()

    def _key(self, path: list[str | int], at: int) -> None:
        line = self._lines.line(at)
        first = self._keys[-1].setdefault(str(path[-1]), (line, at))
        self._twice = first[1] != at
        if self._twice:
            again = f" (again on line {line})" if line != first[0] else ""
            self._document.fault(tuple(path), f"is written twice{again}")

    def _enter(self, path: list[str | int], container: Json) -> None:
        self._put(path, container)
        self._open.append(container)
        self._keys.append({})

    def _put(self, path: list[str | int], value: Json) -> None:
        if not self._open:
            self._document.value = value
        elif isinstance(self._open[-1], list):
            self._open[-1].append(value)
        elif not self._twice:
            self._open[-1][path[-1]] = value
        self._twice = False

    def _scalar(self, path: list[str | int], group: str, literal: str) -> Json:
        if group == "string":
            return string_value(literal)
        try:
            return parse(literal)
        except JsonFault as fault:
            self._document.fault(tuple(path), fault.message)
            return None


def _in_words(text: str, fault: JsonFault) -> tuple[int, str]:
    """Where and what the fault is, for a person who edits the file; never a value of it."""
    at = fault.position
    if fault.code is not FaultCode.SYNTAX or at >= len(text):
        return at, fault.message
    if text.startswith("/*", at):
        return at, "a comment that does not end"
    if text[at] == '"':
        return _string_in_words(text, at)
    if text[at] == "'":
        return at, "strings stand in double quotes"
    if _GOOD_SCALAR.match(text, at):
        return at, _MISPLACED
    if text[at].isalnum():
        return at, "neither a string in quotes nor a number"
    return at, f"unexpected {text[at]!r}"


def _string_in_words(text: str, at: int) -> tuple[int, str]:
    hit = _GOOD_STRING.match(text, at)
    end = hit.end() if hit else at
    match text[end : end + 1]:
        case '"':
            return at, _MISPLACED
        case "\\":
            return end, "not an escape that JSON knows; a backslash is written twice"
        case "\t":
            return end, "a tab inside a string is written `\\t`"
        case _:
            return at, "a string that does not end on its line"
