"""Does to a value what its changes say."""

from collections.abc import Sequence
from typing import Any

from mcplock.changes.model import FieldChange, Missing
from mcplock.jsontext import Json
from mcplock.pointers import steps, value_at


def replay(old: Json, fields: Sequence[FieldChange]) -> Json:
    """What `old` becomes: what is gone taken out from the end on, then all else put in.

    Neither `old` nor a value of `fields` is changed, whatever the fields are. Raises
    LookupError, TypeError or ValueError where they do not fit `old`.
    """
    whole: list[Json] = [_copied(old)]
    for field in reversed(fields):
        if field.new is Missing.ABSENT:
            parent, key = _slot(whole, field.pointer)
            del parent[key]
    for field in fields:
        if field.new is Missing.ABSENT:
            continue
        parent, key = _slot(whole, field.pointer)
        if field.old is Missing.ABSENT and isinstance(parent, list):
            parent.insert(key, _copied(field.new))
        else:
            parent[key] = _copied(field.new)
    return whole[0]


def _slot(whole: list[Json], pointer: str) -> tuple[Any, Any]:
    """The object or list around what stands at `pointer`, and the key or index there."""
    *path, last = ["0", *steps(pointer)]
    parent = value_at(whole, path)
    return parent, int(last) if isinstance(parent, list) else last


def _copied(value: Json) -> Json:
    """The value in containers of its own; a deep copy would share what `value` has twice."""
    match value:
        case dict():
            return {key: _copied(inside) for key, inside in value.items()}
        case list():
            return [_copied(inside) for inside in value]
        case _:
            return value
