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
    if not isinstance(value, (dict, list)) or not value:
        return one_line(value)
    if not _needs_lines(value):
        line = one_line(value)
        if len(indent) + used + len(line) <= WIDTH:
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


def _needs_lines(container: Json) -> bool:
    """Whether an object stands anywhere inside, or a string that no line has room for."""
    for item in container.values() if isinstance(container, dict) else container:
        if isinstance(item, str):
            if len(item) > WIDTH:
                return True
        elif isinstance(item, dict) or (isinstance(item, list) and _needs_lines(item)):
            return True
    return False


def one_line(value: Json) -> str:
    """`value` on one line."""
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, dict):
        return "{" + ", ".join([key(name) + one_line(item) for name, item in value.items()]) + "}"
    if isinstance(value, list):
        return "[" + ", ".join([one_line(item) for item in value]) + "]"
    return _CONSTANTS[value] if value is None or isinstance(value, bool) else number(value)


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
