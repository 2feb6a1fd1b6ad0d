"""The root of a schema: providers want an object there that says so, in plain words.

Alternatives at the root are folded: one object with the properties of all of them, of which
only those are required that all require. What tells them apart is said in the description.
"""

import json
from collections.abc import Mapping, Sequence

from mcplock.exporters.meet import meet, same
from mcplock.exporters.working import Node, Working
from mcplock.jsontext import Json

COMBINATORS = frozenset({"anyOf", "oneOf", "allOf"})
_DEEP = 20
_MANY = 200
_TOLD = 8
"""More alternatives than these are not told in words."""


def object_root(work: Working) -> None:
    """Let the root say `"type": "object"`: arguments are nothing else."""
    kind = work.root.get("type")
    if kind == "object":
        return
    message = "`type` added" if kind is None else "written as `object`: arguments are nothing else"
    work.lose(work.root, "type", message, wider=False)
    work.root["type"] = "object"


def plain_root(work: Working, refused: frozenset[str]) -> None:
    """Make the root free of a `$ref` and of the keywords in `refused`."""
    root = work.root
    if "$ref" in root or refused & COMBINATORS & root.keys():
        _Fold(work).fold(root, 0)
    for key in ("not", "enum", "const"):
        if key in refused:
            work.drop(root, key, "left out: it may not stand at the root")


_SAID = {
    "$ref": "written out: it may not stand at the root",
    "allOf": "folded into one object: it may not stand at the root",
    "anyOf": "folded into one object that takes any of the alternatives, or a mixture",
    "oneOf": "folded into one object that takes any of the alternatives, or a mixture",
}


class _Fold:
    """Folds a schema; `fuel` is how many references and branches may still be followed."""

    def __init__(self, work: Working) -> None:
        self.work = work
        self.fuel = _MANY

    def fold(self, node: Node, depth: int) -> None:
        """Make `node` an object without reference and combinators at its own level."""
        while "$ref" in node:
            self.tell(node, "$ref", depth)
            target = self.work.target(node.pop("$ref"))
            self.fuel -= 1
            if target is None or self.fuel < 0:
                break
            meet(self.work, node, target[1])
        for branch in self.branches(node, "allOf", depth):
            meet(self.work, node, branch)
        for key in ("anyOf", "oneOf"):
            branches = self.branches(node, key, depth)
            if branches:
                self.unite(node, key, branches)

    def tell(self, node: Node, key: str, depth: int) -> None:
        """List as a loss what happens to `key` of the root; what is inside goes with it."""
        if depth == 0:
            self.work.lose(node, key, _SAID[key])

    def branches(self, node: Node, key: str, depth: int) -> list[Node]:
        """The alternatives, folded, that an object can fit; each unlimited beyond the bounds."""
        if key not in node:
            return []
        self.tell(node, key, depth)
        found: list[Node] = []
        for branch in node.pop(key):
            self.fuel -= 1
            if not isinstance(branch, dict) or self.fuel < 0 or depth > _DEEP:
                found += [{}] if branch is not False else []
                continue
            self.fold(branch, depth + 1)
            kinds = branch.get("type", "object")
            if "object" in ([kinds] if isinstance(kinds, str) else kinds):
                found.append(branch)
        return found

    def unite(self, node: Node, key: str, branches: Sequence[Node]) -> None:
        """Let `node` take what any of `branches` takes."""
        properties = self.given(node, "properties", key, {})
        names = dict.fromkeys(name for branch in branches for name in branch.get("properties", ()))
        for name in names:
            if name not in properties:
                properties[name] = self.any_of(name, branches)
        required = node.get("required", [])
        common = [
            name
            for name in branches[0].get("required", ())
            if all(name in branch.get("required", ()) for branch in branches)
        ]
        told = _in_words(key, branches, {*required, *common})
        if required or common:
            self.given(node, "required", key, [])
            node["required"] = list(dict.fromkeys([*required, *common]))
        if all(map(_is_closed, branches)):
            self.given(node, "additionalProperties", key, False)
        if told:
            before = self.given(node, "description", key, "")
            node["description"] = f"{before} {told}".strip()

    def given(self, node: Node, key: str, origin: str, value: Json) -> Json:
        """What `key` of `node` is; it is made `value`, as part of `origin`, where it is absent."""
        if key not in node:
            node[key] = value
            self.work.came(node, key, self.work.place_of(node, origin))
        return node[key]

    def any_of(self, name: str, branches: Sequence[Node]) -> Json:
        """What the property `name` may be under any of `branches`.

        Where one of them says nothing of it, everything; the others are kept as what it
        ought to be, beside a schema that takes all.
        """
        options: list[Json] = []
        for branch in branches:
            option = branch.get("properties", {}).get(name)
            if option is None:
                option = None if _is_closed(branch) else {}
            if option is not None and not any(same(option, known) for known in options):
                options.append(option)
        options.sort(key=lambda option: option in ({}, True))
        if len(options) == 1:
            return options[0]
        first = next((option for option in options if isinstance(option, dict)), self.work.root)
        return self.work.made({"anyOf": options}, self.work.place(first))


def _is_closed(branch: Mapping[str, Json]) -> bool:
    """Whether it takes no properties but those that it names."""
    return branch.get("additionalProperties") is False and not branch.get("patternProperties")


def _in_words(key: str, branches: Sequence[Node], known: set[str]) -> str:
    """What distinguishes the alternatives; "" where that cannot be said shortly."""
    told = [_needs(branch, known) for branch in branches]
    if not 1 < len(told) <= _TOLD or not all(told) or len(set(told)) < len(told):
        return ""
    amount = "at least" if key == "anyOf" else "exactly"
    return f"Give {amount} one of these: {'; '.join(told)}."


def _needs(branch: Mapping[str, Json], known: set[str]) -> str:
    names = [name for name in branch.get("required", ()) if name not in known]
    words = [f"`{name}`" for name in names]
    for name, schema in branch.get("properties", {}).items():
        value = schema.get("const") if isinstance(schema, dict) else None
        if isinstance(value, str | int):
            words = [word for word in words if word != f"`{name}`"]
            words.append(f"`{name}` = {json.dumps(value, ensure_ascii=False)}")
    return " and ".join(words)
