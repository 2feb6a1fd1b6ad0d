"""An outcome as GitHub's workflow commands: annotations at the lines of the lock."""

from collections.abc import Iterator, Sequence

from mcplock.render.neutral import command_data, command_property, short
from mcplock.render.outcome import Annotation, Level, Outcome
from mcplock.text import visible

MOST = 10
"""Annotations of one level that GitHub shows of a step; what is beyond is dropped unseen."""
_MOST_LINES = 40
_WORDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def github_commands(outcome: Outcome) -> str:
    """The commands, one a line; where there are too many of a level, the last tells how many."""
    return "".join(f"{command}\n" for level in Level for command in _level(outcome, level))


def log_lines(outcome: Outcome) -> list[str]:
    """What people read in the log of the job: the detail, then a line for each server."""
    lines: list[str] = []
    for block in outcome.blocks:
        head = f"{block.label}: {block.said}" if block.label else block.said
        lines += [f"{head}:", *block.lines, ""]
    return lines + [f"{row.mark} {row.server}  {row.status}  {row.holds}" for row in outcome.rows]


def _level(outcome: Outcome, level: Level) -> Iterator[str]:
    found = [row for row in outcome.annotations if row.level is level]
    shown = found if len(found) <= MOST else found[: MOST - 1]
    yield from map(_command, shown)
    if len(found) > len(shown):
        more = len(found) - len(shown)
        title = command_property(f"mcplock {outcome.command}")
        yield f"::{_WORDS[level]} title={title}::{more:,} more: see the log and the summary"


def _command(annotation: Annotation) -> str:
    properties = {
        "file": visible(annotation.place.file),
        "line": str(annotation.place.line),
        "title": short(f"mcplock: {annotation.rule}: {annotation.label}"),
    }
    if not annotation.place.line:
        del properties["line"]
    written = ",".join(f"{key}={command_property(text)}" for key, text in properties.items())
    message = "\n".join([annotation.message, *_clipped(annotation.detail)])
    return f"::{_WORDS[annotation.level]} {written}::{command_data(message)}"


def _clipped(lines: Sequence[str]) -> list[str]:
    more = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], f"… {more:,} more lines"] if more > 0 else list(lines)
