"""How JSON stands in the lock: one value a line where a reviewer wants to see it change."""

import json
import re

from mcplock.canonical import number
from mcplock.jsontext import Json
from mcplock.text import ESCAPED, escape_character

WIDTH = 100
INDENT = "  "

_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode
_SMALL_DOUBLE = re.compile(r"[0-9]e-[0-9]")
# `"` and `\` are escaped by the encoder already, controls below U+0020 too.
_STILL_BARE = re.compile(ESCAPED.pattern.replace('"\\\\', "", 1))


def one_line(value: Json) -> str:
    r"""`value` on one line, hidden characters as `\uXXXX`."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number(value)
    try:
        text = _encode(value)
    except ValueError:  # an integer longer than the interpreter was told to write
        return _by_hand(value)
    if not text.isascii() or "\x7f" in text:
        text = _STILL_BARE.sub(lambda hit: escape_character(hit[0]), text)
    if isinstance(value, (dict, list)) and _SMALL_DOUBLE.search(text):
        text = _by_hand(value)
    return text


def _by_hand(value: Json) -> str:
    """`one_line` where a container may hold a small double, which the encoder prints otherwise."""
    match value:
        case dict():
            members = (f"{one_line(key)}: {_by_hand(item)}" for key, item in value.items())
            return "{" + ", ".join(members) + "}"
        case list():
            return "[" + ", ".join(map(_by_hand, value)) + "]"
        case _:
            return one_line(value)


def holds_object(value: Json) -> bool:
    """Whether an object stands anywhere inside the container `value`."""
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, dict) or (isinstance(item, list) and holds_object(item)):
            return True
    return False


def lay_out(value: Json, indent: str = "", used: int = 0) -> str:
    """`value` as it stands in the lock.

    indent: of the line that the value begins on; used: how many code points of that line
    are taken by the key before it and the comma behind it.
    """
    if not isinstance(value, (dict, list)) or not value:
        return one_line(value)
    if not holds_object(value):
        line = one_line(value)
        if len(indent) + used + len(line) <= WIDTH:
            return line
    return block(value, indent)


def block(value: Json, indent: str = "") -> str:
    """The container `value` with each of its members on lines of its own."""
    inner = indent + INDENT
    last = len(value) - 1
    if isinstance(value, dict):
        keys = [f"{one_line(key)}: " for key in value]
        rows = [
            f"{key}{lay_out(item, inner, len(key) + (position < last))}"
            for position, (key, item) in enumerate(zip(keys, value.values(), strict=True))
        ]
        opening, closing = "{", "}"
    else:
        rows = [lay_out(item, inner, int(position < last)) for position, item in enumerate(value)]
        opening, closing = "[", "]"
    body = f",\n{inner}".join(rows)
    return f"{opening}\n{inner}{body}\n{indent}{closing}"
