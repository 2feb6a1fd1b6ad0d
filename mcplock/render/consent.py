"""The one list of what a yes would start: exact, unexpanded, untruncated."""

import json
from collections.abc import Sequence

from mcplock.manifest import variables
from mcplock.model import Source, Transport
from mcplock.render.spans import Line, Span, Style, line
from mcplock.text import visible
from mcplock.workflow.project import Start


def consent_lines(starts: Sequence[Start]) -> list[Line]:
    """What would be started or connected to, and which variables each server would read."""
    lines = [line("These servers would be started or contacted by this machine:"), line("")]
    for start in starts:
        server = start.server
        lines.append(line("  ", Span(Style.NAME, visible(server.name)), f"  ({server.place})"))
        lines += [line(f"    {text}") for text in launch_lines(server.source)]
    return [*lines, line("")]


def launch_lines(source: Source) -> list[str]:
    """How `source` is reached: every word quoted, so that no space hides another word."""
    if source.type is Transport.STDIO:
        words = [source.command, *source.args]
        lines = [
            "runs   " + " ".join(visible(json.dumps(word, ensure_ascii=False)) for word in words)
        ]
        if source.cwd:
            lines.append(f"in     {visible(source.cwd)}")
        pairs = source.env
    else:
        lines = [f"{source.type.value:6} {visible(source.url)}"]
        pairs = source.headers
    lines += [f"with   {visible(name)}={visible(value)}" for name, value in pairs.items()]
    if source.capabilities:
        lines.append(f"offers {', '.join(source.capabilities)}")
    names = variables(source)
    if names:
        lines.append(f"reads  {', '.join(map(visible, names))}")
    return lines
