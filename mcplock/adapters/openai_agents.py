"""Approved tools for the OpenAI Agents SDK."""

import json
from typing import TYPE_CHECKING, Unpack

from mcplock.adapters.calling import Call, caller, reason, said
from mcplock.approved import Tool
from mcplock.errors import McplockError

if TYPE_CHECKING:
    from agents import FunctionTool
    from agents.tool_context import ToolContext

    from mcplock.catalog import Catalog
    from mcplock.live import Live
    from mcplock.live.sync import How


def tools(source: "Catalog | Live", **how: Unpack["How"]) -> "list[FunctionTool]":
    """The tools of a connection or a catalog as the OpenAI Agents SDK has them.

    They are not strict, because the SDK rewrites the schemas of those that are. A failed call,
    also one that the lock or a person refused, is a message to the model, as the SDK's own
    tools have it; the run goes on. how: what `Catalog.connect` takes, where `source` is a
    catalog.
    """
    from agents import FunctionTool

    catalog, call = caller(source, how)
    return [
        FunctionTool(
            name=tool.exported,
            description=tool.description,
            params_json_schema=tool.input_schema,
            on_invoke_tool=_Invoker(tool, call),
            strict_json_schema=False,
        )
        for tool in catalog
    ]


class _Invoker:
    """Makes the calls of one tool."""

    def __init__(self, tool: Tool, call: Call) -> None:
        self._tool = tool
        self._call = call

    async def __call__(self, context: "ToolContext[object]", arguments: str) -> str:
        try:
            given = json.loads(arguments or "{}")
        except ValueError as error:
            return f"Error: the arguments are no JSON: {error}"
        if not isinstance(given, dict):
            return "Error: the arguments are no JSON object"
        try:
            result = await self._call(self._tool, given)
        except McplockError as error:
            return f"Error: {reason(error)}"
        return f"Error: {said(result)}" if result.is_error else said(result)
