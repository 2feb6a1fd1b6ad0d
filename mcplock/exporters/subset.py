"""Any schema -> the part of JSON Schema that Gemini documents.

No references (they are written out, a recursive one as far as it does not come again), no
`allOf` and `oneOf`, no `const`, and of formats, numbers and names only some.
"""

import math
from collections.abc import Collection

from mcplock.exporters.meet import meet
from mcplock.exporters.tidy import drop_with_what_relies
from mcplock.exporters.working import Node, Working, children, loosen_one_of
from mcplock.jsontext import Json
from mcplock.pointers import step
from mcplock.validation.forms import is_number

KEYWORDS = frozenset(
    {"type", "title", "description", "enum", "format", "minimum", "maximum", "minItems"}
    | {"maxItems", "items", "prefixItems", "properties", "required", "additionalProperties"}
    | {"anyOf", "propertyOrdering"}
)
FORMATS = frozenset({"date-time", "date", "time", "int32", "int64", "float", "double", "enum"})
_NODES = 2_000
"""So many schemas may be written out in the place of references."""
_DEEP = 120


def without_references(work: Working) -> None:
    """Write out every `$ref` of a tidy schema."""
    expansion = _Expansion(work)
    expansion.expand(work.root, ())
    for key in ("$defs", "definitions"):
        if key in work.root:
            _forget(work, key, expansion.reached)


def _forget(work: Working, key: str, reached: Collection[str]) -> None:
    """Leave out the definitions; those that were written out are not lost by that."""
    place = work.place_of(work.root, key)
    names = work.root.pop(key)
    if not names:
        work.lose_at(place, "left out: it is empty", wider=False)
    for name in names:
        if step(key) + step(name) not in reached:
            work.lose_at(place + step(name), "left out: nothing refers to it", wider=False)


class _Expansion:
    """Writes out references; `fuel` is how many schemas may still be added for that.

    reached: the pointers to all that was referred to.
    """

    def __init__(self, work: Working) -> None:
        self.work = work
        self.fuel = _NODES
        self.reached: set[str] = set()

    def expand(self, node: Node, inside: tuple[str, ...], depth: int = 0) -> None:
        """Write out what `node` refers to; `inside`: the targets that it stands in."""
        while "$ref" in node:
            inside = self.write_out(node, inside, depth)
        touched = set()
        for key, child in list(children(node)):
            if key not in ("$defs", "definitions"):
                self.fuel -= bool(inside)
                before = self.work.widened
                self.expand(child, inside, depth + 1)
                if self.work.widened > before:
                    touched.add(key)
        self.work.give_up(node, touched)

    def write_out(self, node: Node, inside: tuple[str, ...], depth: int) -> tuple[str, ...]:
        target = self.work.target(node["$ref"])
        if target is None:
            self.work.drop(node, "$ref", "left out: it leads nowhere inside the schema")
            return inside
        pointer, found = target
        self.reached.add(pointer)
        if pointer in inside or self.fuel < 0 or depth > _DEEP:
            self.work.drop(node, "$ref", "left out: it would be written out without end")
            if isinstance(found.get("type"), str) and "type" not in node:
                node["type"] = found["type"]
                self.work.came(node, "type", self.work.place_of(found, "type"))
            return inside
        self.work.drop(node, "$ref", "written out", wider=len(node) > 1)
        meet(self.work, node, found)
        return (*inside, pointer)


def subset(work: Working, node: Node) -> None:
    """Change `node`, which is tidy and holds no reference, to the documented keywords."""
    _merge_all_of(work, node)
    if "oneOf" in node:
        loosen_one_of(work, node)
    _const(work, node)
    _exclusive(work, node)
    _types(work, node)
    _booleans(work, node)
    _values(work, node)
    for key in [key for key in node if key not in KEYWORDS]:
        drop_with_what_relies(work, node, key, f"left out: `{key}` is not taken")
    _required(work, node)


def _merge_all_of(work: Working, node: Node) -> None:
    """Merge the parts of `allOf`, also of those that come with a part."""
    rounds = 0
    while "allOf" in node and rounds < _NODES:
        rounds += 1
        work.lose(node, "allOf", "merged into the schema around it")
        for part in node.pop("allOf"):
            if isinstance(part, dict):
                meet(work, node, part)


def _const(work: Working, node: Node) -> None:
    if "const" not in node:
        return
    value = node["const"]
    if not isinstance(value, str) and not is_number(value):
        work.drop(node, "const", "left out: only texts and numbers can be listed")
        return
    message = "written as `enum`"
    work.drop(node, "const", message, wider="enum" in node)
    node["enum"] = [value]
    work.came(node, "enum", work.place_of(node, "const"))


def _exclusive(work: Working, node: Node) -> None:
    """Exclusive bounds as inclusive ones: the same for integers, a little wider for numbers."""
    whole = node.get("type") == "integer"
    for key, bound, inward, tighter in (
        ("exclusiveMinimum", "minimum", 1, max),
        ("exclusiveMaximum", "maximum", -1, min),
    ):
        if key not in node:
            continue
        value = node[key]
        work.drop(node, key, f"written as `{bound}`", wider=not whole)
        if whole:
            value = (math.floor(value) if inward > 0 else math.ceil(value)) + inward
        if bound not in node or tighter(node[bound], value) != node[bound]:
            node[bound] = value
            work.came(node, bound, work.place_of(node, key))


def _types(work: Working, node: Node) -> None:
    """Several types, beside null, as alternatives."""
    names = node.get("type")
    if not isinstance(names, list):
        return
    if len(names) == 1:
        work.lose(node, "type", "written as a single name", wider=False)
        node["type"] = names[0]
    elif len(names) - ("null" in names) > 1:
        if "anyOf" in node:
            work.drop(node, "type", "left out: several types beside an `anyOf`")
            return
        work.drop(node, "type", "written as `anyOf`", wider=False)
        place = work.place_of(node, "type")
        node["anyOf"] = [work.made({"type": name}, place) for name in names]
        work.came(node, "anyOf", place)


def _booleans(work: Working, node: Node) -> None:
    """`true` as an empty schema; `false`, which would forbid, as one too."""
    for key in ("properties", "prefixItems", "anyOf"):
        holder = node.get(key, {})
        places = holder if isinstance(holder, dict) else range(len(holder))
        for place in list(places):
            if isinstance(holder[place], bool):
                work.lose(node, key, "true or false in it written as {}", wider=not holder[place])
                holder[place] = {}
    if node.get("items") is False and "prefixItems" in node:
        count = len(node["prefixItems"])
        work.drop(node, "items", "written as `maxItems`", wider=False)
        if node.get("maxItems", count) >= count:
            node["maxItems"] = count
            work.came(node, "maxItems", work.place_of(node, "items"))
    elif isinstance(node.get("items"), bool):
        work.lose(node, "items", "written as {}", wider=node["items"] is False)
        node["items"] = {}


def _values(work: Working, node: Node) -> None:
    """Listed values have to be texts and numbers, formats have to be known."""
    values = node.get("enum")
    if values is not None and not (values and all(map(_listable, values))):
        work.drop(node, "enum", "left out: only texts and numbers can be listed")
    if "format" in node and node["format"] not in FORMATS:
        work.drop(node, "format", "left out: it is not among the known formats", wider=False)


def _listable(value: Json) -> bool:
    return isinstance(value, str) or is_number(value)


def _required(work: Working, node: Node) -> None:
    """What is required has to be described."""
    if "required" not in node:
        return
    known = node.get("properties", {})
    kept = [name for name in node["required"] if name in known]
    if len(kept) < len(node["required"]):
        work.lose(node, "required", "less what `properties` does not describe")
        node["required"] = kept
        if not kept:
            del node["required"]
