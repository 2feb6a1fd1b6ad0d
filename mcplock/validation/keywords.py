"""What each keyword says of a value that it refuses, in one line that is safe to print.

Only keywords that look at the value itself; those that apply other schemas to it or to its
parts are in `mcplock.validation.applicators`.
"""

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from mcplock.canonical import canonical
from mcplock.jsontext import Json
from mcplock.text import visible
from mcplock.validation.forms import is_number

Leaf = Callable[[Json, Json], str | None]
"""(the keyword's value, the value to check) -> why it is refused, or None."""

_SHOWN = 80


def shown(value: Json) -> str:
    """`value` as short JSON, safe to print."""
    text = json.dumps(value, ensure_ascii=False)
    return visible(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def same(left: Json, right: Json) -> bool:
    """Whether two JSON values are equal: 1 is 1.0, and true is not 1."""
    if type(left) is type(right) and isinstance(left, str | bool | int):
        return bool(left == right)
    return canonical(left) == canonical(right)


def type_name(value: Json) -> str:
    """The JSON Schema type that `value` has."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case str():
            return "string"
        case int():
            return "integer"
        case float():
            return "number"
        case list():
            return "array"
        case _:
            return "object"


def is_of_type(value: Json, name: str) -> bool:
    """Whether `value` is of the JSON Schema type `name`."""
    own = type_name(value)
    return name == own or (
        (name == "number" and own == "integer")
        or (name == "integer" and own == "number" and value == value // 1)
    )


def _type(names: Json, value: Json) -> str | None:
    wanted = [names] if isinstance(names, str) else names
    if any(is_of_type(value, name) for name in wanted):
        return None
    return f"must be {' or '.join(wanted)}, not {type_name(value)}"


def _enum(allowed: Json, value: Json) -> str | None:
    if any(same(value, item) for item in allowed):
        return None
    if len(allowed) > 10:
        return f"must be one of {len(allowed)} values, such as {shown(allowed[0])}"
    return f"must be one of {', '.join(map(shown, allowed))}"


def _const(wanted: Json, value: Json) -> str | None:
    return None if same(value, wanted) else f"must be {shown(wanted)}"


def _minimum(bound: Json, value: Json) -> str | None:
    return f"must be at least {shown(bound)}" if is_number(value) and value < bound else None


def _maximum(bound: Json, value: Json) -> str | None:
    return f"must be at most {shown(bound)}" if is_number(value) and value > bound else None


def _exclusive_minimum(bound: Json, value: Json) -> str | None:
    return f"must be greater than {shown(bound)}" if is_number(value) and value <= bound else None


def _exclusive_maximum(bound: Json, value: Json) -> str | None:
    return f"must be less than {shown(bound)}" if is_number(value) and value >= bound else None


def _multiple_of(divisor: Json, value: Json) -> str | None:
    """Exact, in decimal: 0.3 is a multiple of 0.1."""
    if not is_number(value) or value - value != 0 or _exact(value) % _exact(divisor) == 0:
        return None
    return f"must be a multiple of {shown(divisor)}"


def _exact(value: int | float) -> Fraction:
    return Fraction(value) if isinstance(value, int) else Fraction(repr(value))


def _counted(kind: type[Any], unit: str, units: str, *, least: bool) -> Leaf:
    def check(bound: Json, value: Json) -> str | None:
        if not isinstance(value, kind) or (len(value) >= bound if least else len(value) <= bound):
            return None
        words = "at least" if least else "at most"
        return f"must have {words} {bound} {unit if bound == 1 else units}, not {len(value)}"

    return check


_CHARACTERS = (str, "character", "characters")
_ITEMS = (list, "item", "items")
_PROPERTIES = (dict, "property", "properties")


def _unique_items(wanted: Json, value: Json) -> str | None:
    if not wanted or not isinstance(value, list):
        return None
    if len({canonical(item) for item in value}) == len(value):
        return None
    return "must not have two equal items"


LEAVES: Mapping[str, Leaf] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "minimum": _minimum,
    "maximum": _maximum,
    "exclusiveMinimum": _exclusive_minimum,
    "exclusiveMaximum": _exclusive_maximum,
    "multipleOf": _multiple_of,
    "minLength": _counted(*_CHARACTERS, least=True),
    "maxLength": _counted(*_CHARACTERS, least=False),
    "minItems": _counted(*_ITEMS, least=True),
    "maxItems": _counted(*_ITEMS, least=False),
    "minProperties": _counted(*_PROPERTIES, least=True),
    "maxProperties": _counted(*_PROPERTIES, least=False),
    "uniqueItems": _unique_items,
}
