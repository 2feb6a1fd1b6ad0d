"""What `export` made, as text and as JSON."""

import json
from collections import Counter

from mcplock.jsontext import Json
from mcplock.render.document import VERSION, dump
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import count
from mcplock.text import printable, visible
from mcplock.workflow.export import Export


def export_document(export: Export) -> str:
    """What the file holds: the same lock, the same bytes."""
    if export.lines:
        rows = (json.dumps(row, ensure_ascii=False) for row in export.document)
        return "".join(f"{printable(row)}\n" for row in rows)
    return dump(export.document)


def map_document(export: Export) -> str:
    """Which tool each exported name is, what was lost, and what is not there."""
    tools: dict[str, Json] = {
        exported.name: {
            "server": exported.tool.server,
            "tool": exported.tool.name,
            "hash": exported.tool.hash,
            "losses": [
                {"pointer": loss.pointer, "message": loss.message} for loss in exported.losses
            ],
        }
        for exported in export.tools
    }
    left_out = [
        {"server": left.server, "tool": left.tool, "reason": left.reason}
        for left in export.left_out
    ]
    return dump({"version": VERSION, "tools": tools, "left_out": left_out})


def export_lines(export: Export) -> list[Line]:
    """What is not in the export, one by one, and what was lost."""
    lines = [
        line(Span(Style.WARNING, "! "), f"{visible(f'{left.server}/{left.tool}')}: ")
        + line(visible(left.reason))
        for left in export.left_out
    ]
    for exported in export.tools:
        name = visible(f"{exported.tool.server}/{exported.tool.name}")
        for loss in exported.losses:
            said = f"{name}: {visible(loss.pointer)} {loss.message}"
            lines.append(line(Span(Style.CHANGED, "~ "), said))
    return lines


def export_verdict(export: Export, where: str) -> Line:
    """How many tools were exported, and how many were not, by reason."""
    said = f"{count(len(export.tools), 'tool')} exported" + (f" to {where}" if where else "")
    reasons = Counter(left.reason.partition(":")[0] for left in export.left_out)
    if reasons:
        told = ", ".join(f"{number} {visible(reason)}" for reason, number in reasons.items())
        said += f"; {len(export.left_out)} left out: {told}"
    losses = sum(bool(exported.losses) for exported in export.tools)
    if losses:
        said += f"; {losses} with a loss"
    return line(said)
