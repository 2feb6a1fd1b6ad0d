"""What a call came to, as text and as JSON."""

import json
from collections.abc import Iterator, Sequence

from mcplock.files import shown
from mcplock.jsontext import Json, exact_text
from mcplock.live import Result
from mcplock.live.result import block_text
from mcplock.render.document import VERSION, printed
from mcplock.render.spans import Line, Span, Style, line
from mcplock.text import visible, visible_lines
from mcplock.workflow.attachments import Attachment, Saved


def call_document(result: Result, saved: Sequence[Saved]) -> str:
    """The JSON document: the server's result, whole, under a key of its own."""
    document = {
        "version": VERSION,
        "server": result.server,
        "tool": result.tool,
        "is_error": result.is_error,
        "compared": result.compared,
        "violations": [
            {"pointer": pointer, "message": message} for pointer, message in result.violations
        ],
        "remarks": list(result.remarks),
        "files": [{"block": kept.attachment.block, "path": str(kept.path)} for kept in saved],
        "result": dict(result.wire),
    }
    return printed(exact_text(document, indent=2))


def result_texts(result: Result, kept: Sequence[int] = ()) -> Iterator[str]:
    """The texts of a result, in order: structured content, blocks, what older servers send.

    kept: the blocks that are in files. A text that says the structured content again, as
    servers do for older clients, is left out.
    """
    if "structuredContent" in result.wire:
        yield exact_text(result.structured, indent=2)
    for at, block in enumerate(result.content):
        text = "" if at in kept else _text_of(block)
        if text and not ("structuredContent" in result.wire and _says(text, result.structured)):
            yield text
    if "toolResult" in result.wire:
        yield exact_text(result.wire["toolResult"], indent=2)


def _text_of(block: Json) -> str:
    if (text := block_text(block)) is not None:
        return text
    match block:
        case {"type": "resource_link", "uri": str(uri)}:
            return uri
        case {"type": "image" | "audio" | "resource"}:
            return ""
        case _:
            return exact_text(block)


def _says(text: str, value: Json) -> bool:
    try:
        return bool(json.loads(text) == value)
    except (ValueError, RecursionError):
        return False


def result_lines(result: Result, kept: Sequence[int] = ()) -> list[Line]:
    """The texts of a result for a terminal: what does not show is marked, but for tabs."""
    texts = (text.replace("\r\n", "\n").expandtabs(4) for text in result_texts(result, kept))
    return [line(row) for text in texts for row in visible_lines(text.removesuffix("\n"))]


def attachment_lines(found: Sequence[Attachment], saved: Sequence[Saved]) -> list[Line]:
    """What is in files now, and what is shown nowhere."""
    paths = {kept.attachment.block: kept.path for kept in saved}
    lines = []
    for attachment in found:
        what = visible(attachment.mime or attachment.kind)
        path = paths.get(attachment.block)
        if path and attachment.data is not None:
            lines.append(line(f"{what}, {len(attachment.data):,} bytes: {visible(shown(path))}"))
        elif attachment.data is None:
            lines.append(line(f"{what}: no well-formed Base64; `--format json` shows it"))
        elif not attachment.is_text:
            lines.append(line(f"{what}, {len(attachment.data):,} bytes: not kept"))
    return lines


def call_notes(result: Result) -> list[Line]:
    """What is to be said of a result besides."""
    lines = [line(Span(Style.WARNING, "! "), remark) for remark in result.remarks]
    if result.violations:
        words = "the result is not what the approved output schema promises:"
        lines.append(line(Span(Style.WARNING, "! "), words))
        lines += [
            line(f"    {visible(pointer)}: {message}" if pointer else f"    {message}")
            for pointer, message in result.violations
        ]
    if result.is_error:
        name = visible(f"{result.server}/{result.tool}")
        lines.append(line(Span(Style.HIGH, "error: "), f"{name} ran and reported an error"))
    return lines
