"""Approved definitions in the shape that a provider or a client takes: a module for each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mcplock.approved import Tool
from mcplock.errors import UsageError
from mcplock.exporters import anthropic, bedrock, gemini, jsonl, mcp, openai
from mcplock.exporters.model import Exported, Loss, Options
from mcplock.jsontext import Json


@dataclass(frozen=True, slots=True)
class Exporter:
    """One format.

    exported: a tool and the name it is to bear -> the tool in this format; document: all
    of them -> what the file holds; takes: the names of the options that it knows; lines:
    whether each member of the document is a line of its own; tells: puts the instructions,
    by server, into the document, where it has a place for them.
    """

    exported: Callable[[Tool, str], Exported]
    document: Callable[[Sequence[Exported], Options], Json]
    takes: Sequence[str] = ()
    lines: bool = False
    tells: Callable[[Json, Mapping[str, str]], Json] | None = None


FORMATS: Mapping[str, Exporter] = {
    "mcp": Exporter(mcp.exported, mcp.document, tells=mcp.with_instructions),
    "openai": Exporter(openai.chat, openai.chat_document),
    "openai-responses": Exporter(
        openai.responses, openai.responses_document, ("defer", "keep", "tool_search", "namespaces")
    ),
    "anthropic": Exporter(anthropic.exported, anthropic.document, ("defer", "keep", "tool_search")),
    "gemini": Exporter(gemini.exported, gemini.document),
    "bedrock": Exporter(bedrock.exported, bedrock.document),
    "jsonl": Exporter(jsonl.exported, jsonl.document, lines=True),
}
"""By the name that `--format` takes."""

__all__ = ["FORMATS", "Exported", "Exporter", "Loss", "Options", "Tool", "checked_format"]


def checked_format(name: str, options: Options) -> Exporter:
    """The exporter called `name`; `UsageError` where there is none or it lacks an option."""
    exporter = FORMATS.get(name)
    if exporter is None:
        raise UsageError(f"there is no format `{name}`; there are {', '.join(FORMATS)}")
    given = {
        "defer": options.defer,
        "keep": bool(options.keep),
        "tool_search": bool(options.tool_search),
        "namespaces": options.namespaces,
    }
    for option, is_given in given.items():
        if is_given and option not in exporter.takes:
            formats = [key for key, other in FORMATS.items() if option in other.takes]
            flag = f"`--{option.replace('_', '-')}`"
            raise UsageError(f"{flag} is not for `{name}`, only for {' and '.join(formats)}")
    return exporter
