"""Approved tools for the Agent Development Kit of Google."""

from typing import TYPE_CHECKING, Unpack

from mcplock.adapters.calling import caller, reason, said
from mcplock.errors import McplockError
from mcplock.jsontext import Json

if TYPE_CHECKING:
    from google.adk.tools import BaseTool, ToolContext
    from google.genai.types import FunctionDeclaration

    from mcplock.catalog import Catalog
    from mcplock.live import Live
    from mcplock.live.sync import How


def tools(source: "Catalog | Live", **how: Unpack["How"]) -> "list[BaseTool]":
    """The tools of a connection or a catalog as the Agent Development Kit has them.

    A call answers with `{"result": TEXT}`; one that failed, also one that the lock or a person
    refused, with `{"error": TEXT}`. how: what `Catalog.connect` takes, where `source` is a
    catalog.
    """
    from google.adk.tools import BaseTool
    from google.genai.types import FunctionDeclaration

    catalog, call = caller(source, how)

    class LockedTool(BaseTool):
        """A tool whose schema is declared as it is locked."""

        def _get_declaration(self) -> "FunctionDeclaration":
            return FunctionDeclaration(
                name=self.name,
                description=self.description,
                parameters_json_schema=catalog[self.name].input_schema,
            )

        async def run_async(
            self, *, args: dict[str, Json], tool_context: "ToolContext"
        ) -> dict[str, str]:
            try:
                result = await call(catalog[self.name], args)
            except McplockError as error:
                return {"error": reason(error)}
            return {"error" if result.is_error else "result": said(result)}

    return [LockedTool(name=tool.exported, description=tool.description) for tool in catalog]
