"""How JSON stands in the lock: one value a line where a reviewer wants to see it change."""

from functools import lru_cache
from json.encoder import encode_basestring

from mcplock.canonical import number
from mcplock.jsontext import Json
from mcplock.text import ESCAPED, escape_character

WIDTH = 100
INDENT = "  "


def lay_out(value: Json, indent: str = "", used: int = 0) -> str:
    """`value` as it stands in the lock.

    indent: of the line that the value begins on; used: how many code points of that line
    are taken by the key before it and the comma behind it.
    """
    line = _line(value, WIDTH - len(indent) - used)
    if line is not None:
        return line
    inner = indent + INDENT
    body = f",\n{inner}".join(_rows(value, inner))
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{inner}{body}\n{indent}{closing}"


def _rows(container: Json, indent: str) -> list[str]:
    """The members of a container, each as it stands on lines of its own, without the comma."""
    rows = []
    behind = len(container)
    if isinstance(container, dict):
        for name, item in container.items():
            behind -= 1
            start = key(name)
            if isinstance(item, str):  # most are
                rows.append(start + _quoted(item))
            else:
                rows.append(start + lay_out(item, indent, len(start) + (behind > 0)))
    else:
        for item in container:
            behind -= 1
            rows.append(lay_out(item, indent, behind > 0))
    return rows


def _line(value: Json, room: int) -> str | None:
    """`value` on one line; None for a container longer than `room` or with an object inside."""
    if isinstance(value, dict):
        return _object_line(value, room)
    if isinstance(value, list):
        return _list_line(value, room)
    if isinstance(value, str):
        return _quoted(value)
    return _CONSTANTS[value] if value is None or isinstance(value, bool) else number(value)


def _object_line(value: dict[str, Json], room: int) -> str | None:
    parts = []
    for name, item in value.items():
        room -= 2  # brackets, or what stands between two
        if isinstance(item, str):
            text = _quoted(item) if len(item) <= room else None
        else:
            text = None if isinstance(item, dict) else _line(item, room)
        if text is None:
            return None
        part = key(name) + text
        room -= len(part)
        if room < 0:
            return None
        parts.append(part)
    return "{" + ", ".join(parts) + "}"


def _list_line(value: list[Json], room: int) -> str | None:
    parts = []
    for item in value:
        room -= 2
        text = None if isinstance(item, dict) else _line(item, room)
        if text is None:
            return None
        room -= len(text)
        if room < 0:
            return None
        parts.append(text)
    return "[" + ", ".join(parts) + "]"


_CONSTANTS = {None: "null", False: "false", True: "true"}


def _quoted(text: str) -> str:
    r"""`text` as a JSON string, hidden characters as `\uXXXX`."""
    quoted = encode_basestring(text)
    if quoted.isascii() and "\x7f" not in quoted:
        return quoted
    return ESCAPED.sub(lambda hit: escape_character(hit[0]), quoted)


@lru_cache(maxsize=4096)
def key(name: str) -> str:
    """A key with its colon, as it stands before a value."""
    return f"{_quoted(name)}: "
