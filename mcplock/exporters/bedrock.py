"""Amazon Bedrock's Converse."""

from collections.abc import Sequence

from mcplock.approved import Tool
from mcplock.exporters.model import Exported, Loss, Options, described
from mcplock.exporters.schemas import bedrock_schema
from mcplock.jsontext import Json


def exported(tool: Tool, name: str) -> Exported:
    """`tool` as a `toolSpec`; an empty description is none at all."""
    schema, losses = bedrock_schema(tool.content.get("inputSchema"))
    spec = {"name": name, **described(tool), "inputSchema": {"json": schema}}
    if spec.get("description") == "":
        del spec["description"]
        losses = (Loss("/description", "left out: it is empty"), *losses)
    return Exported(name, tool, {"toolSpec": spec}, losses)


def document(tools: Sequence[Exported], options: Options) -> Sequence[Json]:
    """The value of `toolConfig.tools` in a request to Converse."""
    del options
    return [tool.wire for tool in tools]
