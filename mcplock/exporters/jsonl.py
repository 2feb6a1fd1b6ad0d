"""One tool a line: what a search engine takes in, and what `mcplock.load` can verify."""

from collections.abc import Sequence

from mcplock.approved import Tool
from mcplock.exporters.model import Exported, Options
from mcplock.jsontext import Json


def exported(tool: Tool, name: str) -> Exported:
    """`tool` with where it comes from, its hash and its whole definition."""
    wire = {
        "name": name,
        "server": tool.server,
        "tool": tool.name,
        "hash": tool.hash,
        "definition": tool.content,
    }
    return Exported(name, tool, wire)


def document(tools: Sequence[Exported], options: Options) -> Sequence[Json]:
    """The lines."""
    del options
    return [tool.wire for tool in tools]
