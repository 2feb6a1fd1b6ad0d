"""What all adapters share: how a call is made, and what a model reads of its end."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from mcplock.approved import Tool
from mcplock.errors import McplockError, UsageError
from mcplock.jsontext import Json, exact_text
from mcplock.live import Live, Result
from mcplock.live.result import block_text

if TYPE_CHECKING:
    from mcplock.catalog import Catalog
    from mcplock.live.sync import How

Call = Callable[[Tool, Mapping[str, Json]], Awaitable[Result]]
"""Calls a tool; raises what `Live.call` raises."""


def caller(source: "Catalog | Live", how: "How") -> "tuple[Catalog, Call]":
    """The tools of `source`, and what calls them.

    An open connection is used as it is, and its owner closes it. Of a catalog each call makes
    a connection of its own, as `how` says, and closes it: slower, but nothing stays open.
    """
    if not isinstance(source, Live):
        return source, partial(_call_alone, source, how)
    if how:
        given = ", ".join(how)
        raise UsageError(f"{given}: the connection is made already", hint="give it to `connect`")
    return source.catalog, partial(_call, source)


async def _call(live: Live, tool: Tool, arguments: Mapping[str, Json]) -> Result:
    return await live.call(tool.exported, arguments)


async def _call_alone(
    catalog: "Catalog", how: "How", tool: Tool, arguments: Mapping[str, Json]
) -> Result:
    async with catalog.connect(**how) as live:
        return await _call(live, tool, arguments)


def said(result: Result) -> str:
    """What a model reads of a result: its texts, or the structured content where it has none.

    Content that is no text is named, so that the model knows that there was some. What older
    servers send as `toolResult` is read as well.
    """
    texts = [_block(block) for block in result.content]
    if not texts and "structuredContent" in result.wire:
        texts = [exact_text(result.structured)]
    if "toolResult" in result.wire:
        legacy = result.wire["toolResult"]
        texts.append(legacy if isinstance(legacy, str) else exact_text(legacy))
    return "\n".join(texts)


def _block(block: Json) -> str:
    if (text := block_text(block)) is not None:
        return text
    match block:
        case {"type": "resource_link", "uri": str(uri)}:
            return f"[link: {uri}]"
        case {"type": str(kind), "mimeType": str(media)}:
            return f"[{kind}: {media}]"
        case _:
            return "[content that is no text]"


def reason(error: McplockError) -> str:
    """What a model reads of a call that was not made, or whose server failed.

    The hint is left out: it names commands for a person, and an agent with a shell that reads
    `mcplock trust` might run it.
    """
    return error.message
