"""Approved tools for LangChain and LangGraph."""

from typing import TYPE_CHECKING, Literal, Unpack

from mcplock.adapters.calling import caller, reason, said
from mcplock.errors import McplockError
from mcplock.exporters.langchain import langchain_schema
from mcplock.jsontext import Json

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

    from mcplock.catalog import Catalog
    from mcplock.live import Live, Result
    from mcplock.live.sync import How


def tools(source: "Catalog | Live", **how: Unpack["How"]) -> "list[BaseTool]":
    """The tools of a connection or a catalog as LangChain has them; their calls are awaited.

    A failed call, also one that the lock or a person refused, is a `ToolException`, which the
    tool turns into a message with the status `error`. A result's artifact is the whole
    `Result`. A tool's `args_schema` is the locked one; its `tool_call_schema`, from which
    LangChain makes what a model is sent, is a wider one where LangChain would fail at that or
    narrow it. how: what `Catalog.connect` takes, where `source` is a catalog.
    """
    from langchain_core.tools import BaseTool, ToolException

    catalog, call = caller(source, how)
    told = {tool.exported: langchain_schema(tool.input_schema) for tool in catalog}

    class LockedTool(BaseTool):
        """A tool whose arguments may have any names, which those of a function may not."""

        response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
        handle_tool_error: bool = True

        @property
        def args(self) -> dict[str, Json]:
            """The schemas of the arguments, of which there may be none."""
            arguments: dict[str, Json] = told[self.name].get("properties", {})
            return arguments

        @property
        def tool_call_schema(self) -> dict[str, Json]:
            """What LangChain makes what a model is sent from."""
            schema = told[self.name]
            return {**schema, "description": self.description} if self.description else schema

        def _run(self, /, **_: Json) -> "tuple[str, Result]":
            raise NotImplementedError("tools of mcplock are awaited: use `ainvoke`")

        async def _arun(self, /, **arguments: Json) -> "tuple[str, Result]":
            try:
                result = await call(catalog[self.name], arguments)
            except McplockError as error:
                raise ToolException(reason(error)) from error
            if result.is_error:
                raise ToolException(said(result))
            return said(result), result

    return [
        LockedTool(name=tool.exported, description=tool.description, args_schema=tool.input_schema)
        for tool in catalog
    ]
