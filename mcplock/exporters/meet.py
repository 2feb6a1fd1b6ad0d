"""Two schemas that both hold -> one that accepts whatever both accept, and maybe more."""

from collections.abc import Callable, Mapping

from mcplock.canonical import canonical
from mcplock.exporters.working import Node
from mcplock.jsontext import Json

_Join = Callable[[Json, Json], Json]
_NOT_MOVED = frozenset(
    {"$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$defs", "definitions"}
)
# Keywords that mean something only beside each other move together, or not at all.
_GROUPS = (
    ("contains", "minContains", "maxContains"),
    ("if", "then", "else"),
)
_GROUPED = frozenset(key for group in _GROUPS for key in group)
_RELYING = frozenset({"unevaluatedProperties", "unevaluatedItems"})


def meet(node: Node, other: Mapping[str, Json]) -> None:
    """Let `node` ask also for what `other` asks, as far as one schema can.

    What `additionalProperties` and `items` refuse is judged with all names known to either,
    so that nothing is refused that both accept. Parts of `other` become parts of `node`.
    """
    for key, value in other.items():
        if key in _NOT_MOVED or key in _GROUPED or key in _RELYING:
            continue
        if key not in node:
            node[key] = value
        elif key in _JOINED:
            node[key] = _JOINED[key](node[key], value)
    for group in _GROUPS:
        if group[0] in other and not any(key in node for key in group):
            node.update({key: other[key] for key in group if key in other})


def same(left: Json, right: Json) -> bool:
    """Whether two schemas are the same JSON value."""
    return canonical(left) == canonical(right)


def both(left: Json, right: Json) -> Json:
    """A schema that asks for what both ask."""
    if left is True or left == {} or same(left, right):
        return right
    if right is True or right == {}:
        return left
    return {"allOf": [left, right]}


def _properties(left: Json, right: Json) -> Json:
    return {
        **left,
        **{name: both(left[name], item) if name in left else item for name, item in right.items()},
    }


def _names(left: Json, right: Json) -> Json:
    return [*left, *(name for name in right if name not in left)]


def _types(left: Json, right: Json) -> Json:
    """The types that both allow; an integer is a number too."""
    mine, other = ([names] if isinstance(names, str) else names for names in (left, right))
    allowed = [name for name in mine if name in other or (name == "integer" and "number" in other)]
    allowed += [name for name in other if name == "integer" and "number" in mine]
    allowed = list(dict.fromkeys(allowed))
    return (allowed[0] if len(allowed) == 1 else allowed) or left


def _values(left: Json, right: Json) -> Json:
    wanted = {canonical(item) for item in right}
    return [item for item in left if canonical(item) in wanted] or left


_JOINED: Mapping[str, _Join] = {
    "properties": _properties,
    "patternProperties": _properties,
    "dependentSchemas": _properties,
    "required": _names,
    "type": _types,
    "enum": _values,
    "allOf": lambda left, right: [*left, *right],
    "items": both,
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), min),
}
