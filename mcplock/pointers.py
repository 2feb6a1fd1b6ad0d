"""JSON Pointers (RFC 6901), and what a step of one means inside a JSON Schema."""

from collections.abc import Sequence

from mcplock.jsontext import Json

SCHEMA_MAPS = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
)
"""Keywords whose value is an object of schemas: its keys are names, not keywords."""

SCHEMA_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
"""Keywords whose value is a list of schemas."""

SCHEMAS = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
"""Keywords whose value is a schema; of `items`, in older dialects, also a list of them."""


def step(key: str | int) -> str:
    """One reference token with its slash."""
    return "/" + str(key).replace("~", "~0").replace("/", "~1")


def steps(pointer: str) -> list[str]:
    """The keys and indices that `pointer` walks along; none for the whole."""
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def value_at(content: Json, path: Sequence[str]) -> Json:
    """What stands at `path`, which must be there."""
    for key in path:
        content = content[int(key)] if isinstance(content, list) else content[key]
    return content


def is_keyword(schema_path: Sequence[str]) -> bool:
    """Whether the last step of a path from a schema's root is a keyword, not a name or data."""
    at = 0
    while at < len(schema_path) - 1:
        key = schema_path[at]
        inside = schema_path[at + 1]
        if key in SCHEMA_MAPS or key in SCHEMA_LISTS or (key == "items" and inside.isdigit()):
            at += 2
        elif key in SCHEMAS:
            at += 1
        else:
            return False
    return at == len(schema_path) - 1
