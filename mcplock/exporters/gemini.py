"""Gemini's function declarations."""

from collections.abc import Sequence

from mcplock.approved import Tool
from mcplock.exporters.model import Exported, Options, described
from mcplock.exporters.schemas import gemini_schema
from mcplock.jsontext import Json


def exported(tool: Tool, name: str) -> Exported:
    """`tool` as a function declaration, its parameters in JSON Schema."""
    schema, losses = gemini_schema(tool.content.get("inputSchema"))
    wire = {"name": name, **described(tool), "parametersJsonSchema": schema}
    return Exported(name, tool, wire, losses)


def document(tools: Sequence[Exported], options: Options) -> Sequence[Json]:
    """The value of `tools` in a request: one object with all declarations."""
    del options
    return [{"functionDeclarations": [tool.wire for tool in tools]}]
