"""The answer to `tools/list`, as a server would give it."""

from collections.abc import Mapping, Sequence

from mcplock.exporters.model import Exported, Loss, Tool
from mcplock.jsontext import Json

_OPEN = {"type": "object"}


def exported(tool: Tool, name: str) -> Exported:
    """`tool` under `name`: its definition as it is, an input schema added where it has none."""
    wire = {**tool.wire, "name": name}
    if tool.wire.get("inputSchema"):
        return Exported(name, tool, wire)
    was = "was empty" if "inputSchema" in tool.wire else "was absent"
    loss = Loss("/inputSchema", f'{was}, written as {{"type": "object"}}')
    return Exported(name, tool, wire | {"inputSchema": _OPEN}, [loss])


def document(tools: Sequence[Exported]) -> Mapping[str, Json]:
    """`{"tools": […]}`."""
    return {"tools": [tool.wire for tool in tools]}
