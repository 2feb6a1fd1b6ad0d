"""The answer to `tools/list`, as a server would give it."""

from collections.abc import Mapping, Sequence

from mcplock.approved import Tool
from mcplock.canonical import hash_value
from mcplock.exporters.model import Exported, Loss, Options
from mcplock.exporters.schemas import OPEN
from mcplock.exporters.working import leads_nowhere
from mcplock.jsontext import Json

META = "mcplock/catalog"
"""Where in the result's `_meta` stands which tool of the lock each one is, and what was told."""


def exported(tool: Tool, name: str) -> Exported:
    """`tool` under `name`: its definition as it is.

    An input schema is added where it has none, and an output schema left out where a
    reference in it leads nowhere: clients refuse a whole server for that.
    """
    first = {"name": name} | {key: tool.content[key] for key in _FIRST if key in tool.content}
    wire = first | {key: value for key, value in tool.content.items() if key not in first}
    losses = []
    if not tool.content.get("inputSchema"):
        was = "was empty" if "inputSchema" in tool.content else "was absent"
        losses.append(Loss("/inputSchema", f'{was}, written as {{"type": "object"}}'))
        wire["inputSchema"] = OPEN
    if leads_nowhere(wire.get("outputSchema")):
        losses.append(Loss("/outputSchema", "left out: a reference in it leads nowhere"))
        del wire["outputSchema"]
    return Exported(name, tool, wire, losses)


_FIRST = ("title", "description")


def document(tools: Sequence[Exported], options: Options) -> Mapping[str, Json]:
    """`{"tools": […]}`, with what `mcplock.load` verifies it by in the result's `_meta`."""
    del options
    result: dict[str, Json] = {"tools": [exported.wire for exported in tools]}
    if tools:
        result["_meta"] = {META: {"tools": list(map(_row, tools))}}
    return result


def with_instructions(
    document: Mapping[str, Json], instructions: Mapping[str, str]
) -> Mapping[str, Json]:
    """`document`, whose `_meta` tells also the approved instructions of servers."""
    if not instructions:
        return document
    told = {
        server: {"hash": hash_value(text), "text": text} for server, text in instructions.items()
    }
    ours = document.get("_meta", {META: {"tools": []}})[META]
    return {**document, "_meta": {META: {**ours, "instructions": told}}}


def _row(exported: Exported) -> Mapping[str, Json]:
    """Which tool of the lock it is, and what of its definition is not as it is locked."""
    tool = exported.tool
    row: dict[str, Json] = {"server": tool.server, "tool": tool.name, "hash": tool.hash}
    added = [key for key in exported.wire if key not in tool.content]
    replaced = {
        key: value
        for key, value in tool.content.items()
        if key != "name" and exported.wire.get(key) != value
    }
    if added:
        row["added"] = added
    if replaced:
        row["replaced"] = replaced
    return row
