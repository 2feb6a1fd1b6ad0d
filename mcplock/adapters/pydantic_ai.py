"""Approved tools for Pydantic AI."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Unpack

from mcplock.adapters.calling import Call, caller, reason, said
from mcplock.approved import Tool
from mcplock.errors import InvalidArguments, McplockError
from mcplock.jsontext import Json

if TYPE_CHECKING:
    import pydantic_ai

    from mcplock.catalog import Catalog
    from mcplock.live import Live
    from mcplock.live.sync import How


def tools(source: "Catalog | Live", **how: Unpack["How"]) -> "list[pydantic_ai.Tool]":
    """The tools of a connection or a catalog as Pydantic AI has them.

    Arguments that do not fit and errors of the tool itself are a `ModelRetry`: the model may
    do better, as often as the agent's `retries` allow. What the lock or a person refused and
    what is wrong with a server is a `ToolFailed`, because asking again changes nothing.
    how: what `Catalog.connect` takes, where `source` is a catalog.
    """
    from pydantic_ai import Tool as Made

    catalog, call = caller(source, how)
    return [
        Made.from_schema(_function(tool, call), tool.exported, tool.description, tool.input_schema)
        for tool in catalog
    ]


def _function(tool: Tool, call: Call) -> Callable[..., Awaitable[str]]:
    async def made(**arguments: Json) -> str:
        from pydantic_ai import ModelRetry
        from pydantic_ai.exceptions import ToolFailed

        try:
            result = await call(tool, arguments)
        except InvalidArguments as error:
            raise ModelRetry(reason(error)) from error
        except McplockError as error:
            raise ToolFailed(reason(error)) from error
        if result.is_error:
            raise ModelRetry(said(result))
        return said(result)

    return made
