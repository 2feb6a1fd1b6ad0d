"""Anthropic's Messages, with its search for tools."""

from collections.abc import Mapping, Sequence

from mcplock.approved import Tool
from mcplock.errors import UsageError
from mcplock.exporters.model import Exported, Options, described
from mcplock.exporters.schemas import anthropic_schema
from mcplock.jsontext import Json

_SEARCHES: Mapping[str, Json] = {
    "bm25": {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"},
    "regex": {"type": "tool_search_tool_regex_20251119", "name": "tool_search_tool_regex"},
}


def exported(tool: Tool, name: str) -> Exported:
    """`tool` for Messages."""
    schema, losses = anthropic_schema(tool.content.get("inputSchema"))
    return Exported(name, tool, {"name": name, **described(tool), "input_schema": schema}, losses)


def document(tools: Sequence[Exported], options: Options) -> Sequence[Json]:
    """The value of `tools` in a request to Messages.

    The last tool that is not deferred bears the mark up to which the provider caches. Where
    tools are deferred the provider's search is there too, unless another one serves.
    """
    search = options.tool_search or ("bm25" if options.defer else "none")
    rows = [dict(_SEARCHES[search])] if search != "none" else []
    for tool in tools:
        deferred = {"defer_loading": True} if options.is_deferred(tool) else {}
        rows.append({**tool.wire, **deferred})
    loaded = [row for row in rows if not row.get("defer_loading")]
    if rows and not loaded:
        message = "one tool at least must not be deferred"
        raise UsageError(message, hint="name it with `--keep`, or let the provider search")
    if loaded:
        loaded[-1]["cache_control"] = {"type": "ephemeral"}
    return rows
