"""Tools and a format -> the document, what was lost for it, and what could not be in it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcplock.approved import Omitted, Tool
from mcplock.errors import Refused, UsageError
from mcplock.exported import exported_names
from mcplock.exporters import Exported, Options, checked_format
from mcplock.jsontext import Json
from mcplock.text import visible


@dataclass(frozen=True, slots=True)
class Made:
    """An export.

    lines: whether each member of the document is a line of its own; nameless: tools that
    are not in it because another one would bear the same name.
    """

    document: Json
    lines: bool
    tools: Sequence[Exported]
    nameless: Sequence[Omitted]


def make(
    tools: Sequence[Tool],
    format_name: str,
    options: Options,
    *,
    instructions: Mapping[str, str] = {},
    raw_names: bool = False,
) -> Made:
    """Export `tools`, in their order; with `raw_names` under the names that the servers gave.

    instructions: those of servers, for a format that has a place for them.
    """
    exporter = checked_format(format_name, options)
    names = _raw_names(tools) if raw_names else exported_names(map(_identity, tools))
    exported = [
        exporter.exported(tool, names[_identity(tool)])
        for tool in tools
        if _identity(tool) in names
    ]
    nameless = [
        Omitted(tool.server, tool.name, "another tool would bear the same name")
        for tool in tools
        if _identity(tool) not in names
    ]
    document = exporter.document(exported, options)
    if exporter.tells:
        document = exporter.tells(document, instructions)
    return Made(document, exporter.lines, exported, nameless)


def refuse_losses(tools: Sequence[Exported]) -> None:
    """Raise `Refused`, with every loss, where a schema had to be changed."""
    told = [
        visible(f"{exported.tool.id}: {loss.pointer}: {loss.message}")
        for exported in tools
        for loss in exported.losses
    ]
    if told:
        raise Refused("\n".join(["the export changes what was approved", *told]))


def _identity(tool: Tool) -> tuple[str, str]:
    return tool.server, tool.name


def _raw_names(tools: Sequence[Tool]) -> Mapping[tuple[str, str], str]:
    """The servers' own names; `UsageError` where two servers have the same one."""
    times = Counter(tool.name for tool in tools)
    twice = [tool for tool in tools if times[tool.name] > 1]
    if twice:
        names = ", ".join(visible(tool.id) for tool in twice)
        message = f"`--raw-names` would give several tools one name: {names}"
        raise UsageError(message, hint="`mcplock export --raw-names --only SERVER`")
    return {_identity(tool): tool.name for tool in tools}
