"""Two schemas that both hold -> one that accepts whatever both accept, and maybe more."""

from collections.abc import Callable, Mapping

from mcplock.canonical import canonical
from mcplock.exporters.working import Node, Working
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


def meet(work: Working, node: Node, other: Node) -> None:
    """Let `node` ask also for what `other` asks, as far as one schema can.

    What `additionalProperties` and `items` refuse is judged with all names known to either,
    so that nothing is refused that both accept. Parts of `other` become parts of `node`.
    """
    for key, value in other.items():
        if key in _NOT_MOVED or key in _GROUPED or key in _RELYING:
            continue
        if key not in node:
            _take(work, node, other, key)
        elif key in _OF_SCHEMAS:
            node[key] = _OF_SCHEMAS[key](work, work.place_of(node, key), node[key], value)
        elif key in _JOINED:
            joined = _JOINED[key](node[key], value)
            if joined == value != node[key]:
                _take(work, node, other, key)
            node[key] = joined
    for group in _GROUPS:
        if group[0] in other and not any(key in node for key in group):
            for key in (key for key in group if key in other):
                _take(work, node, other, key)


def _take(work: Working, node: Node, other: Node, key: str) -> None:
    node[key] = other[key]
    work.came(node, key, work.place_of(other, key))


def same(left: Json, right: Json) -> bool:
    """Whether two schemas are the same JSON value."""
    return canonical(left) == canonical(right)


def _both(work: Working, place: str, left: Json, right: Json) -> Json:
    """A schema that asks for what both ask; `place`: where the left one stood, or around it."""
    if left is True or left == {} or same(left, right):
        return right
    if right is True or right == {}:
        return left
    parts: Node = {"allOf": [left, right]}
    return work.made(parts, work.place(left) if isinstance(left, dict) else place)


def _properties(work: Working, place: str, left: Json, right: Json) -> Json:
    joined = {
        name: _both(work, place, left[name], item) if name in left else item
        for name, item in right.items()
    }
    return {**left, **joined}


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


_OF_SCHEMAS: Mapping[str, Callable[[Working, str, Json, Json], Json]] = {
    "properties": _properties,
    "patternProperties": _properties,
    "dependentSchemas": _properties,
    "items": _both,
}
_JOINED: Mapping[str, _Join] = {
    "required": _names,
    "type": _types,
    "enum": _values,
    "allOf": lambda left, right: [*left, *right],
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), min),
}
