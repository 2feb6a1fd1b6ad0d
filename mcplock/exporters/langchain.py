"""What LangChain does to a schema on its way to a model, and a schema that survives it.

It writes references out wherever a key is called `$ref`, be that a property or data, lets what
stands beside one replace what it refers to, and fails where it cannot follow one; then it
takes away whatever is called `title`. Most schemas mean the same after that. Another one is
written so that nothing in it is taken for a reference or a title; that only ever widens it.
"""

from collections.abc import Collection

from mcplock.exporters.schemas import POINTER
from mcplock.exporters.subset import without_references
from mcplock.exporters.tidy import tidy
from mcplock.exporters.working import ANNOTATIONS, Node, Working, nodes
from mcplock.jsontext import Json
from mcplock.pointers import SCHEMA_LISTS, SCHEMA_MAPS, SCHEMAS

_MOST = 5_000
"""So many dicts and lists may a schema have once LangChain has written it out."""
_DEEP = 250
_BESIDE = ANNOTATIONS | {"$ref", "$defs", "definitions", "$schema"}
_NAMED = (SCHEMA_MAPS | {"dependencies", "dependentRequired"}) - {"properties"}
_DELICATE = frozenset(
    {"not", "oneOf", "if", "maxContains", "unevaluatedProperties", "unevaluatedItems"}
)
"""What may refuse more where something inside it accepts more."""
_DEFINITIONS = ("$defs", "definitions")


def langchain_schema(schema: Node) -> Node:
    """`schema` itself where it survives, else one that does and accepts all that it accepts."""
    if _survives(schema):
        return schema
    work = Working(schema, POINTER)
    tidy(work)
    without_references(work)
    work.rewrite((_without_definitions, _other_names, _without_data))
    return work.root


def _survives(schema: Node) -> bool:
    """Whether it means the same when LangChain has written out its references."""
    whole = list(nodes(schema))
    if any(_loses_a_name(node, is_root=node is schema) for node in whole):
        return False
    plain = {id(node) for node in whole if node.keys() <= _BESIDE}
    may_cut = not any(_DELICATE & node.keys() for node in whole)
    try:
        _WrittenOut(schema, plain, may_cut=may_cut).walk(schema, ())
    except _Harmed:
        return False
    return True


def _loses_a_name(node: Node, *, is_root: bool) -> bool:
    """Whether something called `title` is there that is no title, and taken away as one."""
    properties = node.get("properties")
    if isinstance(properties, dict) and not isinstance(properties.get("title", {}), dict):
        return True
    named = [key for key in _NAMED if not (is_root and key in _DEFINITIONS)]
    if any(isinstance(node.get(key), dict) and "title" in node[key] for key in named):
        return True
    return isinstance(node.get("const"), dict) and _has("title", node["const"])


class _Harmed(Exception):
    """A reference that LangChain does not follow, or not as it is meant."""


class _WrittenOut:
    """Goes through a schema as LangChain does.

    plain: the references that it gets right; may_cut: whether one that comes back to itself
    may become a schema that accepts all.
    """

    def __init__(self, schema: Node, plain: Collection[int], *, may_cut: bool) -> None:
        self.schema = schema
        self.plain = plain
        self.may_cut = may_cut
        self.fuel = _MOST

    def walk(self, value: Json, inside: tuple[str, ...], depth: int = 0) -> None:
        self.fuel -= 1
        if self.fuel < 0 or depth > _DEEP:
            raise _Harmed
        if isinstance(value, dict):
            if "$ref" in value:
                self.follow(value, inside, depth)
            for key, item in value.items():
                if key != "$defs":
                    self.walk(item, inside, depth + 1)
                elif value is not self.schema and _has("$ref", item):
                    raise _Harmed  # it stays, but what it refers to goes
        elif isinstance(value, list):
            for item in value:
                self.walk(item, inside, depth + 1)

    def follow(self, node: Node, inside: tuple[str, ...], depth: int) -> None:
        ref = node["$ref"]
        if id(node) not in self.plain or not isinstance(ref, str):
            raise _Harmed
        if ref in inside and not self.may_cut:
            raise _Harmed
        if ref not in inside:
            self.walk(self.found(ref), (*inside, ref), depth + 1)

    def found(self, ref: str) -> Json:
        """What LangChain finds; it knows neither anchors nor what is escaped in a pointer."""
        first, *keys = ref.split("/")
        found: Json = self.schema
        if first != "#" or any(mark in ref for mark in "~%"):
            raise _Harmed
        try:
            for key in keys:
                found = found[int(key)] if isinstance(found, list) else found[key]
        except (LookupError, TypeError, ValueError):
            raise _Harmed from None
        return found


def _has(name: str, value: Json) -> bool:
    """Whether a key in `value` is called `name`."""
    if isinstance(value, dict):
        return name in value or any(_has(name, item) for item in value.values())
    return isinstance(value, list) and any(_has(name, item) for item in value)


def _without_definitions(work: Working, node: Node) -> None:
    """All that was referred to is written out."""
    for key in _DEFINITIONS:
        work.drop(node, key, "left out: nothing refers to it", wider=False)


def _other_names(work: Working, node: Node) -> None:
    """Say in another way what a property or a pattern called `$ref` or `title` has to be."""
    properties = node.get("properties", {})
    if isinstance(properties.get("title"), bool):
        properties["title"] = {} if properties["title"] else {"not": {}}
    patterns = {
        f"(?:{source})" if source in ("$ref", "title") else source: item
        for source, item in node.get("patternProperties", {}).items()
    }
    if "$ref" in properties:
        patterns[r"^\$ref$"] = properties.pop("$ref")
    if patterns:
        node["patternProperties"] = patterns
    for key in ("dependentSchemas", "dependentRequired"):
        for name in ("$ref", "title"):
            if name in node.get(key, {}):
                work.lose(node, key, f"less `{name}`, which LangChain takes for a keyword")
                del node[key][name]


def _without_data(work: Working, node: Node) -> None:
    """Leave out data in which a key is called `$ref`; of `const`, `title` alone is enough."""
    subschemas = SCHEMA_LISTS | SCHEMA_MAPS | SCHEMAS
    for key in [key for key in node if key not in subschemas and _has("$ref", node[key])]:
        work.drop(node, key, "left out: LangChain would follow it", wider=key not in ANNOTATIONS)
    if isinstance(node.get("const"), dict) and _has("title", node["const"]):
        node["allOf"] = [*node.get("allOf", ()), {"enum": [node.pop("const")]}]
