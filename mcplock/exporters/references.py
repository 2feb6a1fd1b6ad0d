"""References into a schema whose root was changed.

What becomes of the root is meant for arguments, which are objects; what refers to the root,
or to a part of it that was folded into it, means what stood there, and that may be a text.
"""

import re
from collections.abc import Iterator, Mapping

from mcplock.exporters.working import Node, Working, children, local, referred
from mcplock.jsontext import Json
from mcplock.lazy import pattern

_NOT_COPIED = frozenset(
    {"$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$defs", "definitions"}
)
_ODD = pattern(r"[^A-Za-z0-9]+", re.ASCII)


def keep_references(work: Working) -> None:
    """Let each reference mean what it meant before the root was changed.

    Where something else stands at its target now, a copy of what stood there comes to the
    definitions of the schema, and the reference leads to that.
    """
    changed = _changed(work)
    if not changed:
        return
    copies: dict[str, str] = {}
    waiting = [work.root]
    while waiting:
        for node in list(_own_nodes(waiting.pop())):
            pointer = _meant(work, node, "$ref")
            if pointer is not None and pointer in changed:
                _lead(work, node, pointer, changed[pointer], copies, waiting)
            if _meant(work, node, "$dynamicRef") in changed:
                work.drop(node, "$dynamicRef", "left out: what it means had to be changed")


def _changed(work: Working) -> Mapping[str, Json]:
    """Pointer -> what stood there, None where nothing did, of each target that is another now."""
    places = {
        pointer: None
        for whole in (work.before, work.root)
        for node in _own_nodes(whole)
        for key in ("$ref", "$dynamicRef")
        if (pointer := _meant(work, node, key)) is not None
    }
    return {
        pointer: referred(work.before, pointer)
        for pointer in places
        if referred(work.before, pointer) != referred(work.root, pointer)
    }


def _meant(work: Working, node: Node, key: str) -> str | None:
    """The pointer that a reference is, also one that names an anchor of the root."""
    ref = node.get(key)
    anchors = [work.before[name] for name in ("$anchor", "$dynamicAnchor") if name in work.before]
    return "" if ref in [f"#{anchor}" for anchor in anchors] else local(ref)


def _lead(
    work: Working,
    node: Node,
    pointer: str,
    stood: Json,
    copies: dict[str, str],
    waiting: list[Node],
) -> None:
    """Let the `$ref` of `node` lead to a copy of what stood at `pointer`."""
    if stood is None:
        work.drop(node, "$ref", "left out: it leads nowhere inside the schema")
        return
    if pointer not in copies:
        copies[pointer] = _copy(work, pointer, stood, waiting)
    message = "leads to a copy of what stood there, which had to be changed"
    work.lose(node, "$ref", message, wider=False)
    node["$ref"] = copies[pointer]


def _copy(work: Working, pointer: str, stood: Json, waiting: list[Node]) -> str:
    """Put a copy of `stood` to the definitions; give what refers to it."""
    root = work.root
    key = "definitions" if "definitions" in root and "$defs" not in root else "$defs"
    work.came(root, key, work.place_of(root, key) if key in root else work.place(root))
    copy = work.copied(stood)
    if isinstance(copy, dict):
        for name in _NOT_COPIED if pointer == "" else ():
            copy.pop(name, None)
        waiting.append(copy)
    definitions = root.setdefault(key, {})
    name = first = _ODD.sub("-", pointer).strip("-") or "root"
    number = 1
    while name in definitions:
        number += 1
        name = f"{first}-{number}"
    definitions[name] = copy
    return f"#/{key}/{name}"


def _own_nodes(node: Node) -> Iterator[Node]:
    """`node` and all in it but what has an identity of its own: `#` means another root there."""
    yield node
    for _, child in children(node):
        if not isinstance(child.get("$id"), str):
            yield from _own_nodes(child)
