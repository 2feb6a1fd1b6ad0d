"""Rules that make of any schema one that is well formed in the newest dialect."""

import re
from collections.abc import Mapping
from typing import Any

from mcplock.exporters.working import (
    ANNOTATIONS,
    Node,
    Rule,
    Working,
    local,
    nodes,
    referred,
    rename,
)
from mcplock.jsontext import Json
from mcplock.lazy import pattern
from mcplock.pointers import SCHEMA_LISTS, SCHEMA_MAPS, SCHEMAS, step
from mcplock.validation.dialects import Dialect
from mcplock.validation.forms import are_strings, is_schema, well_formed

_MALFORMED = "left out: it is not well formed"
_SINCE = {
    **dict.fromkeys(("const", "contains", "propertyNames"), Dialect.DRAFT_6),
    **dict.fromkeys(("if", "then", "else"), Dialect.DRAFT_7),
    **dict.fromkeys(("dependentRequired", "dependentSchemas"), Dialect.DRAFT_2019_09),
    **dict.fromkeys(("unevaluatedProperties", "unevaluatedItems"), Dialect.DRAFT_2019_09),
    **dict.fromkeys(("minContains", "maxContains"), Dialect.DRAFT_2019_09),
    **dict.fromkeys(("prefixItems", "$dynamicRef", "$dynamicAnchor"), Dialect.DRAFT_2020_12),
}
"""Keywords that older dialects do not know, and that so refuse nothing there."""
_AGES = list(Dialect)

_ANY = pattern(".*", re.DOTALL)
# What the newest dialect asks of keywords that no validator stumbles over.
_TEXTS = {
    **dict.fromkeys(("title", "description", "$comment", "format", "$schema"), _ANY),
    **dict.fromkeys(("contentEncoding", "contentMediaType"), _ANY),
    **dict.fromkeys(("$anchor", "$dynamicAnchor"), pattern("[A-Za-z_][-A-Za-z0-9._]*")),
    "$id": pattern("[^#]*#?"),
}
_ANNOTATED = {"examples": list, **dict.fromkeys(("deprecated", "readOnly", "writeOnly"), bool)}

_RELY_ON = {
    "properties": ("additionalProperties", "unevaluatedProperties"),
    "patternProperties": ("additionalProperties", "unevaluatedProperties"),
    "prefixItems": ("items", "unevaluatedItems"),
    "items": ("additionalItems", "unevaluatedItems"),
}
"""What refuses all that the first does not name, and so cannot be without it."""


def drop_with_what_relies(work: Working, node: Node, key: str, message: str) -> None:
    """Take `key` away, and what would refuse more without it."""
    if key in node:
        work.drop(node, key, message)
        for relying in _RELY_ON.get(key, ()):
            work.drop(node, relying, f"left out: it relies on `{key}`")


def tidy(work: Working) -> None:
    """Apply the rules of this module; name no dialect any more if that took translating."""
    dialect = work.dialect
    rules: tuple[Rule, ...] = (_unknown(dialect), _beside_ref(dialect), _form(dialect))
    work.rewrite((*rules, _tuple(dialect), _bounds(dialect), _dependencies(dialect)))
    work.freeze()


def _unknown(dialect: Dialect) -> Rule:
    unknown = {key for key, since in _SINCE.items() if _AGES.index(since) > _AGES.index(dialect)}

    def rule(work: Working, node: Node) -> None:
        for key in [key for key in node if key in unknown]:
            message = f"left out: it means nothing in {dialect}, which the schema names"
            work.drop(node, key, message, wider=False)
        work.drop(node, "$recursiveRef", "left out: newer dialects do not know it")

    return rule


_STAYS_BESIDE_REF = ANNOTATIONS | {"$ref", "$defs", "definitions", "$schema"}


def _beside_ref(dialect: Dialect) -> Rule:
    def rule(work: Working, node: Node) -> None:
        if not dialect.ref_stands_alone or not isinstance(node.get("$ref"), str):
            return
        for key in [key for key in node if key not in _STAYS_BESIDE_REF]:
            message = f"left out: in {dialect} it means nothing beside a `$ref`"
            work.drop(node, key, message, wider=False)

    return rule


def _form(dialect: Dialect) -> Rule:
    def rule(work: Working, node: Node) -> None:
        for key, value in list(node.items()):
            if key == "items" and isinstance(value, list) and dialect.items_may_be_list:
                _members(work, node, key, dict(enumerate(value)))
            elif key == "dependencies" and isinstance(value, dict):
                for name in [name for name, item in value.items() if not are_strings(item)]:
                    _members(work, node, key, {name: value[name]})
            elif key in SCHEMA_MAPS and isinstance(value, dict):
                _members(work, node, key, value)
            elif key in SCHEMA_LISTS and isinstance(value, list) and value:
                _members(work, node, key, dict(enumerate(value)))
            elif not _is_formed(key, value, dialect):
                drop_with_what_relies(work, node, key, _MALFORMED)

    return rule


def _is_formed(key: str, value: Json, dialect: Dialect) -> bool:
    if key in SCHEMAS:
        return is_schema(value)
    if key in SCHEMA_MAPS or key in SCHEMA_LISTS or key == "dependencies":
        return False  # the right form was met before
    if key in _TEXTS:
        return isinstance(value, str) and _TEXTS[key].fullmatch(value) is not None
    return well_formed(key, value, dialect) and isinstance(value, _ANNOTATED.get(key, object))


def _members(work: Working, node: Node, key: str, members: Mapping[Any, Json]) -> None:
    """Let what is no schema in a list or a map accept everything."""
    bad = [name for name, item in members.items() if not is_schema(item)]
    if bad and key == "oneOf":
        work.drop(node, key, _MALFORMED)
        return
    for name in bad:
        work.lose_at(work.place(node) + step(key) + step(name), "written as {}: it is no schema")
        node[key][name] = {}


def _tuple(dialect: Dialect) -> Rule:
    """`items` as a list, with `additionalItems`, -> `prefixItems` and `items`."""

    def rule(work: Working, node: Node) -> None:
        if dialect is Dialect.DRAFT_2020_12:
            return
        if not isinstance(node.get("items"), list):
            work.drop(node, "additionalItems", "left out: it means nothing here", wider=False)
            return
        _forget_dialect(work)
        work.lose(node, "items", "written as `prefixItems`", wider=False)
        rest = node.pop("additionalItems", None)
        if rest is not None:
            work.lose(node, "additionalItems", "written as `items`", wider=False)
        rename(work, node, "items", "prefixItems")
        if not node["prefixItems"]:
            del node["prefixItems"]
        if rest is not None:
            node["items"] = rest
            work.came(node, "items", work.place_of(node, "additionalItems"))

    return rule


def _bounds(dialect: Dialect) -> Rule:
    """`exclusiveMinimum: true` beside a `minimum` -> the bound itself."""

    def rule(work: Working, node: Node) -> None:
        if dialect is not Dialect.DRAFT_4:
            return
        for key, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            if exclusive not in node:
                continue
            _forget_dialect(work)
            work.lose(node, exclusive, "written as a number", wider=False)
            if node.pop(exclusive) and key in node:
                node[exclusive] = node.pop(key)
                work.came(node, exclusive, work.place_of(node, key))

    return rule


def _dependencies(dialect: Dialect) -> Rule:
    """`dependencies` -> `dependentRequired` and `dependentSchemas`."""

    def rule(work: Working, node: Node) -> None:
        if "dependencies" not in node or not dialect.ref_stands_alone:
            return
        _forget_dialect(work)
        message = "written as `dependentRequired` and `dependentSchemas`"
        work.lose(node, "dependencies", message, wider=False)
        named = node.pop("dependencies")
        lists = {name: item for name, item in named.items() if isinstance(item, list)}
        for key in ("dependentRequired", "dependentSchemas"):
            work.came(node, key, work.place_of(node, "dependencies"))
        if lists:
            node["dependentRequired"] = lists
        if len(lists) < len(named):
            node["dependentSchemas"] = {
                name: item for name, item in named.items() if name not in lists
            }

    return rule


def _forget_dialect(work: Working) -> None:
    message = "left out: the schema is written in a newer dialect"
    work.drop(work.root, "$schema", message, wider=False)


def drop_lost_references(work: Working) -> None:
    """Take away each `$ref` that leads nowhere inside the schema as it is now."""
    anchors = {
        node[key]
        for node in nodes(work.root)
        for key in ("$anchor", "$dynamicAnchor")
        if key in node
    }

    def rule(work: Working, node: Node) -> None:
        ref = node.get("$ref")
        if ref is None or (ref[:1] == "#" and ref[1:] in anchors):
            return
        pointer = local(ref)
        if pointer is None or referred(work.root, pointer) is None:
            work.drop(node, "$ref", "left out: it leads nowhere inside the schema")

    work.rewrite((rule,))
