"""`unevaluatedProperties` and `unevaluatedItems`: what no other part of a schema has looked at.

Ours for all dialects: the library reads a schema under `additionalProperties` of 2019-09 as a
list of names, takes the keywords that `unevaluatedProperties` itself has for names as well,
and follows a reference that leads to itself without end.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from mcplock.jsontext import Json

Validator = Any
"""A `jsonschema` validator."""
_Own = Callable[[Validator, Json, dict[str, Json]], set[Any]]
"""(validator, value, schema) -> the names or places that the schema's own keywords look at."""


def unevaluated_properties(
    validator: Validator, wanted: Json, value: Json, schema: Json
) -> Iterator[Any]:
    """The errors of the properties that are left to `wanted`."""
    if isinstance(value, dict):
        known = _looked_at(validator, value, schema, _properties)
        left = {name: item for name, item in value.items() if name not in known}
        yield from _errors(validator, wanted, left)


def unevaluated_items(
    validator: Validator, wanted: Json, value: Json, schema: Json
) -> Iterator[Any]:
    """The errors of the items that are left to `wanted`."""
    if isinstance(value, list):
        known = _looked_at(validator, value, schema, _items)
        left = {at: item for at, item in enumerate(value) if at not in known}
        yield from _errors(validator, wanted, left)


def _errors(validator: Validator, wanted: Json, left: dict[Any, Json]) -> Iterator[Any]:
    from jsonschema import ValidationError

    for place, item in left.items():
        if wanted is False:
            yield ValidationError("is not allowed by any part of the schema", path=(place,))
        else:
            yield from validator.descend(item, wanted, path=place)


_ASIDE = ("unevaluatedProperties", "unevaluatedItems")


def _looked_at(validator: Validator, value: Json, schema: Json, own: _Own) -> set[Any]:
    """What of `value` is looked at by `schema` but for the keyword that is asking."""
    rest = {key: item for key, item in schema.items() if key not in _ASIDE}
    seen = {id(schema)}
    found: set[Any] = set()
    waiting = [(validator, rest)]
    while waiting:
        within, part = waiting.pop()
        found |= own(within, value, part)
        for further, inner in _applied(within, value, part):
            if isinstance(inner, dict) and id(inner) not in seen:
                seen.add(id(inner))
                waiting.append((further, inner))
    return found


def _applied(
    validator: Validator, value: Json, schema: dict[str, Json]
) -> Iterator[tuple[Validator, Json]]:
    """The schemas that `schema` applies to the whole of `value`, and that it fits."""
    yield from _referred(validator, schema)
    for key in ("allOf", "anyOf", "oneOf"):
        for branch in schema.get(key, ()):
            if _fits(validator, value, branch):
                yield validator, branch
    for name, dependent in schema.get("dependentSchemas", {}).items():
        if isinstance(value, dict) and name in value:
            yield validator, dependent
    if "if" in schema:
        holds = _fits(validator, value, schema["if"])
        for key in ("if", "then") if holds else ("else",):
            if key in schema:
                yield validator, schema[key]


def _referred(validator: Validator, schema: dict[str, Json]) -> Iterator[tuple[Validator, Json]]:
    from referencing.jsonschema import lookup_recursive_ref

    resolver = validator._resolver
    found = [resolver.lookup(schema[key]) for key in ("$ref", "$dynamicRef") if key in schema]
    if "$recursiveRef" in schema:
        found.append(lookup_recursive_ref(resolver))
    for resolved in found:
        yield (
            validator.evolve(schema=resolved.contents, _resolver=resolved.resolver),
            resolved.contents,
        )


def _fits(validator: Validator, value: Json, schema: Json) -> bool:
    return next(iter(validator.descend(value, schema)), None) is None


def _properties(validator: Validator, value: Json, schema: dict[str, Json]) -> set[Any]:
    del validator
    if "additionalProperties" in schema or "unevaluatedProperties" in schema:
        return set(value)
    patterns = [re.compile(source) for source in schema.get("patternProperties", ())]
    return {
        name
        for name in value
        if name in schema.get("properties", ()) or any(known.search(name) for known in patterns)
    }


def _items(validator: Validator, value: Json, schema: dict[str, Json]) -> set[Any]:
    everything = set(range(len(value)))
    items = schema.get("items")
    if "unevaluatedItems" in schema or isinstance(items, dict | bool):
        return everything
    if isinstance(items, list):  # as tuples were written before 2020-12
        return everything if "additionalItems" in schema else set(range(len(items)))
    found = set(range(len(schema.get("prefixItems", ()))))
    # In 2019-09, which has that keyword, `contains` looks at no item.
    if "contains" in schema and "$recursiveRef" not in validator.VALIDATORS:
        found |= {at for at, item in enumerate(value) if _fits(validator, item, schema["contains"])}
    return found
