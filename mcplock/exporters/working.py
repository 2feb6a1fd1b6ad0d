"""A schema that an exporter changes, and where each part of it stood in the definition.

It is a private copy, changed in place. A change either keeps the meaning or widens it:
what was accepted is accepted. What is widened inside a `not`, though, narrows the schema
around it; so `rewrite` gives up such a keyword where anything inside it was widened.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Any

from mcplock.exporters.model import Loss
from mcplock.jsontext import Json
from mcplock.pointers import SCHEMA_LISTS, SCHEMA_MAPS, SCHEMAS, step, steps, value_at
from mcplock.validation.dialects import dialect_of

Node = dict[str, Any]
"""A schema that is an object, inside a working copy."""

Rule = Callable[["Working", Node], None]
"""Changes one node, not its subschemas."""

ANNOTATIONS = frozenset(
    {"title", "description", "$comment", "default", "examples", "deprecated", "readOnly"}
    | {"writeOnly", "example"}
)
"""Keywords that tell something and refuse nothing."""


class Working:
    """The working copy of one schema.

    dialect: the one that the schema names; root: the schema as it is now; losses: in the
    order in which they happened; widened: how many changes accept more than what stood there;
    before: what references mean, which is never changed.
    """

    def __init__(self, schema: Node, pointer: str) -> None:
        self.dialect = dialect_of(schema)
        self.pointer = pointer
        self.losses: dict[Loss, None] = {}
        self.widened = 0
        self._places: dict[int, str] = {}
        self._origins: dict[int, dict[str, str]] = {}
        self._alive: list[Json] = []  # so that no identity is given to another node
        self.root: Node = self._copy(schema, pointer)
        self.before = self.root

    def freeze(self) -> None:
        """From now on a reference means what stands here now, whatever becomes of it."""
        self.before = self.copied(self.root)

    def _copy(self, value: Json, pointer: str) -> Json:
        if isinstance(value, dict):
            made = {key: self._copy(item, pointer + step(key)) for key, item in value.items()}
            return self._placed(made, pointer)
        if isinstance(value, list):
            return [self._copy(item, pointer + step(at)) for at, item in enumerate(value)]
        return value

    def copied(self, value: Json) -> Json:
        """A deep copy of a part of the working copy, its nodes in the same places."""
        if isinstance(value, dict):
            made = self._placed(
                {key: self.copied(item) for key, item in value.items()}, self.place(value)
            )
            if id(value) in self._origins:
                self._origins[id(made)] = dict(self._origins[id(value)])
            return made
        return list(map(self.copied, value)) if isinstance(value, list) else value

    def _placed(self, node: Node, pointer: str) -> Node:
        self._places[id(node)] = pointer
        self._alive.append(node)
        return node

    def place(self, node: Node) -> str:
        """Where `node` stood in the definition."""
        return self._places.get(id(node), self.pointer)

    def place_of(self, node: Node, key: str) -> str:
        """Where what `key` of `node` says stood in the definition."""
        origin = self._origins.get(id(node), {}).get(key)
        return self.place(node) + step(key) if origin is None else origin

    def came(self, node: Node, key: str, place: str) -> None:
        """Note that what `key` of `node` says now stood at `place`."""
        self._origins.setdefault(id(node), {})[key] = place

    def made(self, node: Node, place: str) -> Node:
        """`node`, which is new, as what became of what stood at `place`."""
        self._placed(node, place)
        self._origins[id(node)] = dict.fromkeys(node, place)
        return node

    def lose(self, node: Node, key: str, message: str, *, wider: bool = True) -> None:
        """Note what was done to `key` of `node`."""
        self.lose_at(self.place_of(node, key), message, wider=wider)

    def lose_at(self, pointer: str, message: str, *, wider: bool = True) -> None:
        """Note what was done at `pointer`."""
        self.losses.setdefault(Loss(pointer, message))
        self.widened += wider

    def drop(self, node: Node, key: str, message: str, *, wider: bool = True) -> None:
        """Take `key` away, where it is there."""
        if key in node:
            self.lose(node, key, message, wider=wider)
            del node[key]

    def target(self, ref: Json) -> tuple[str, Node] | None:
        """(pointer from the root, copy) of what a local `$ref` refers to; None if nothing."""
        pointer = local(ref)
        found = None if pointer is None else referred(self.before, pointer)
        if pointer is None or found is None or found is False:
            return None
        return pointer, {} if found is True else self.copied(found)

    def rewrite(self, rules: tuple[Rule, ...]) -> None:
        """Apply `rules` to every node, and give up what a change inside it would narrow."""
        self._rewrite(self.root, rules)
        if self.widened:
            self._rewrite(self.root, (_distrust,))

    def _rewrite(self, node: Node, rules: tuple[Rule, ...]) -> None:
        for rule in rules:
            rule(self, node)
        touched = set()
        for key, child in list(children(node)):
            before = self.widened
            self._rewrite(child, rules)
            if self.widened > before:
                touched.add(key)
        self.give_up(node, touched)

    def give_up(self, node: Node, touched: Collection[str]) -> None:
        """Drop or loosen those keywords of `node` that would narrow for what was widened inside.

        touched: the keywords inside of which something was.
        """
        if "not" in touched:
            self.drop(node, "not", "left out: what stands inside it had to be widened")
        if "oneOf" in touched and "oneOf" in node:
            loosen_one_of(self, node)
        if "if" in touched:
            for key in ("if", "then", "else"):
                self.drop(node, key, "left out: the condition had to be widened")
        if "contains" in touched:
            self.drop(node, "maxContains", "left out: `contains` had to be widened")


def _distrust(work: Working, node: Node) -> None:
    """Drop what asks whether all was evaluated, or denies a part that may be wider now."""
    for key in ("unevaluatedProperties", "unevaluatedItems"):
        work.drop(node, key, "left out: it relies on parts that were changed")
    refers = {
        key
        for key, child in children(node)
        if key in _DENYING and any("$ref" in inner for inner in nodes(child))
    }
    work.give_up(node, refers)


_DENYING = frozenset({"not", "oneOf", "if", "contains"})


def loosen_one_of(work: Working, node: Node) -> None:
    """Ask that one or more alternatives fit, instead of exactly one."""
    if "anyOf" in node:
        work.drop(node, "oneOf", "left out: beside an `anyOf` it cannot be one")
        return
    work.lose(node, "oneOf", "written as `anyOf`")
    rename(work, node, "oneOf", "anyOf")


def rename(work: Working, node: Node, old: str, new: str) -> None:
    """Let the key `old` of `node` be `new`, in its place."""
    work.came(node, new, work.place_of(node, old))
    items = [(new if key == old else key, item) for key, item in node.items()]
    node.clear()
    node.update(items)


def local(ref: Json) -> str | None:
    """The JSON Pointer that a `$ref` into its own document is; None for any other."""
    if isinstance(ref, str) and (ref == "#" or ref.startswith("#/")):
        from urllib.parse import unquote

        return unquote(ref[1:])
    return None


def referred(root: Json, pointer: str) -> Json:
    """The schema that stands at `pointer` in `root`; None where there is none."""
    try:
        found = value_at(root, steps(pointer))
    except (LookupError, ValueError, TypeError):
        return None
    return found if isinstance(found, dict | bool) else None


def children(node: Node) -> Iterator[tuple[str, Node]]:
    """(keyword, schema) of each subschema that is an object."""
    for key, value in node.items():
        if isinstance(value, dict):
            if key in SCHEMA_MAPS or key == "dependencies":
                yield from ((key, item) for item in value.values() if isinstance(item, dict))
            elif key in SCHEMAS:
                yield key, value
        elif isinstance(value, list) and (key in SCHEMA_LISTS or key == "items"):
            yield from ((key, item) for item in value if isinstance(item, dict))


def nodes(node: Node) -> Iterator[Node]:
    """`node` and all that stands in it."""
    yield node
    for _, child in children(node):
        yield from nodes(child)


def leads_nowhere(schema: Json) -> bool:
    """Whether a local `$ref` in `schema` leads to nothing."""
    if not isinstance(schema, dict):
        return False
    pointers = (local(node.get("$ref")) for node in nodes(schema))
    return any(pointer is not None and referred(schema, pointer) is None for pointer in pointers)
