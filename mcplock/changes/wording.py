"""Whether a change touches anything that a model reads."""

from collections.abc import Sequence

from mcplock.changes.model import FieldChange, Missing
from mcplock.jsontext import Json
from mcplock.model import SECTIONS, Entry, Kind
from mcplock.pointers import is_keyword, steps, value_at

_DEFINITIONS = frozenset(section.kind for section in SECTIONS)
_SCHEMA_KEYS = ("inputSchema", "outputSchema")


def touches_text(what: Kind, old: Entry, new: Entry, fields: Sequence[FieldChange]) -> bool:
    """Whether a string or a key differs outside `_meta`, `icons`, `$schema`, `$id`."""
    return any(
        _is_text(field, old, new)
        for field in fields
        if what not in _DEFINITIONS or not _unread(steps(field.pointer))
    )


def _unread(path: Sequence[str]) -> bool:
    """Whether no model is shown what stands at `path` of a definition."""
    if not path:
        return False
    if path[0] in ("_meta", "icons"):
        return True
    return path[-1] in ("$schema", "$id") and path[0] in _SCHEMA_KEYS and is_keyword(path[1:])


def _is_text(field: FieldChange, old: Entry, new: Entry) -> bool:
    if Missing.UNKNOWN in (field.old, field.new):
        return True
    if Missing.ABSENT in (field.old, field.new):
        path = steps(field.pointer)
        side = old if field.new is Missing.ABSENT else new
        if isinstance(value_at(side.content, path[:-1]), dict):
            return True  # a key came or went
    return _holds_text(field.old) or _holds_text(field.new)


def _holds_text(value: Json | Missing) -> bool:
    match value:
        case str():
            return True
        case dict():
            return bool(value)
        case list():
            return any(map(_holds_text, value))
        case _:
            return False
