"""JSON values as text."""

import json
from collections.abc import Iterator

from mcplock.jsontext import Json
from mcplock.pointers import step


def value_text(value: Json) -> str:
    """`value` on one line; line breaks and quotes escaped, hidden characters as they are."""
    return json.dumps(value, ensure_ascii=False)


def is_prose(value: Json) -> bool:
    """Whether a value is text that is read line by line, not a word or a code."""
    if not isinstance(value, str):
        return False
    return "\n" in value or value.count(" ") > 2 or len(value) > 40


def leaves(value: Json, at: str = "") -> Iterator[tuple[str, Json]]:
    """(pointer, value) of everything in `value` that holds nothing; short lists whole."""
    match value:
        case dict() if value:
            for key, item in value.items():
                yield from leaves(item, at + step(key))
        case list() if any(isinstance(item, dict | list) or is_prose(item) for item in value):
            for index, item in enumerate(value):
                yield from leaves(item, at + step(index))
        case _:
            yield at, value
