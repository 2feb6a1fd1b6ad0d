"""What the value of a keyword must look like for a validator to take it."""

from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from mcplock.jsontext import Json
from mcplock.validation.dialects import Dialect

TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def is_number(value: Json) -> bool:
    """Whether it is a JSON number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_schema(value: Json) -> bool:
    """Whether it can be a schema at all."""
    return isinstance(value, dict | bool)


def are_strings(value: Json) -> bool:
    """Whether it is a list of strings."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def is_reference(value: Json) -> bool:
    """Whether it is a string that can be read as a URI or a part of one."""
    try:
        return isinstance(value, str) and urlsplit(value) is not None
    except ValueError:
        return False


def well_formed(key: str, value: Json, dialect: Dialect) -> bool:
    """Whether a validator can take `value` under `key`, which holds no schemas."""
    if dialect is Dialect.DRAFT_4 and key in ("exclusiveMinimum", "exclusiveMaximum"):
        return isinstance(value, bool)
    return key not in _FORMS or _FORMS[key](value)


def _is_count(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _are_types(value: Json) -> bool:
    names = value if isinstance(value, list) else [value]
    return bool(names) and all(isinstance(name, str) and name in TYPES for name in names)


def _are_lists_of_strings(value: Json) -> bool:
    return isinstance(value, dict) and all(map(are_strings, value.values()))


def _is_string(value: Json) -> bool:
    return isinstance(value, str)


def _is_flag(value: Json) -> bool:
    return isinstance(value, bool)


_FORMS: Mapping[str, Callable[[Json], bool]] = {
    "type": _are_types,
    "enum": lambda value: isinstance(value, list),
    "required": are_strings,
    "pattern": _is_string,
    "multipleOf": lambda value: is_number(value) and value > 0,
    "uniqueItems": _is_flag,
    "dependentRequired": _are_lists_of_strings,
    "$recursiveAnchor": _is_flag,
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), is_number),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), _is_count),
    **dict.fromkeys(("minProperties", "maxProperties"), _is_count),
    **dict.fromkeys(("minContains", "maxContains"), _is_count),
    **dict.fromkeys(("$ref", "$dynamicRef", "$recursiveRef", "$id", "id"), is_reference),
    **dict.fromkeys(("$anchor", "$dynamicAnchor"), _is_string),
}
