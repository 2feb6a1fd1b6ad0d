"""OpenAI: Chat Completions, and Responses with namespaces and its search for tools."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from mcplock.approved import Tool
from mcplock.errors import UsageError
from mcplock.exported import exported_server
from mcplock.exporters.model import Exported, Options, described
from mcplock.exporters.schemas import openai_schema
from mcplock.jsontext import Json


def chat(tool: Tool, name: str) -> Exported:
    """`tool` for Chat Completions."""
    flat = responses(tool, name)
    function = {key: value for key, value in flat.wire.items() if key != "type"}
    return Exported(name, tool, {"type": "function", "function": function}, flat.losses)


def responses(tool: Tool, name: str) -> Exported:
    """`tool` for Responses; not `strict`, for that would narrow its schema."""
    schema, losses = openai_schema(tool.content.get("inputSchema"))
    wire = {"type": "function", "name": name, **described(tool), "parameters": schema}
    return Exported(name, tool, wire | {"strict": False}, losses)


def chat_document(tools: Sequence[Exported], options: Options) -> Sequence[Json]:
    """The value of `tools` in a request to Chat Completions."""
    del options
    return [tool.wire for tool in tools]


def responses_document(tools: Sequence[Exported], options: Options) -> Sequence[Json]:
    """The value of `tools` in a request to Responses."""
    if options.tool_search not in ("", "none"):
        raise UsageError("OpenAI has one search for tools: `--tool-search` can only be `none`")
    rows = list(_namespaces(tools, options) if options.namespaces else _flat(tools, options))
    searched = any(options.is_deferred(tool) for tool in tools) and options.tool_search != "none"
    return [*rows, {"type": "tool_search"}] if searched else rows


def _flat(tools: Sequence[Exported], options: Options) -> Iterator[Mapping[str, Json]]:
    for tool in tools:
        deferred = options.is_deferred(tool)
        yield {**tool.wire, "defer_loading": True} if deferred else tool.wire


def _namespaces(tools: Sequence[Exported], options: Options) -> Iterator[Mapping[str, Json]]:
    for server, group in groupby(tools, key=lambda exported: exported.tool.server):
        yield {
            "type": "namespace",
            "name": exported_server(server),
            "description": f"Tools of the MCP server {server}",
            "tools": list(_flat(list(group), options)),
        }
