"""An outcome as Markdown: a comment on a pull request, or the summary of a job."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from mcplock.lazy import pattern
from mcplock.render.neutral import cell, code, fenced, longest_run, short, tag, uri
from mcplock.render.outcome import Block, Outcome, Row
from mcplock.render.terms import count
from mcplock.text import inert
from mcplock.workflow.report import Conclusion

COMMENT = 65_536
"""Characters that GitHub takes in a comment."""
SUMMARY = 1_048_576
"""Bytes that GitHub takes in the summary of a step."""

_SIGNS = {Conclusion.OK: "✅", Conclusion.FAIL: "❌", Conclusion.ERROR: "⚠️"}
_SIGNED = pattern(r"^( {2}| {4})([-+~!]) ")
"""A sign of ours; what a stranger wrote is indented further where its line goes on."""
_MOST_ROWS = 100


def markdown(outcome: Outcome, limit: int = COMMENT) -> str:
    """The document, with at most `limit` bytes of UTF-8; what is left out is counted.

    Its first line is a comment by which a program finds it again, to replace it. "" where
    not even the verdict has room.
    """
    head = "\n".join(_head(outcome))
    foot = "\n".join(_foot(outcome.hints))
    room = limit - _size(head) - _size(foot) - _RESERVE
    if room < 0:
        return ""
    parts: list[str] = []
    for block in map(_prepared, outcome.blocks):
        part = "\n".join(_block(_fitting(block, room - _RESERVE), is_open=not parts))
        if _size(part) > room:
            break
        room -= _size(part)
        parts.append(part)
    left_out = len(outcome.blocks) - len(parts)
    said = f"\nLeft out for want of room: {count(left_out, 'section')}.\n" if left_out else ""
    return f"{head}{''.join(parts)}{said}{foot}"


_RESERVE = 200
"""Bytes for the marks around a section, or for the line that counts what is left out."""


def _size(text: str) -> int:
    return len(text.encode()) + 1


_MOST_OF_A_LABEL = 1_200
"""Bytes of a name that is cut to 200 characters and escaped for HTML."""
_LONGEST_LINE = 1_000


def _prepared(block: Block) -> Block:
    """The block with its lines as they are to stand there."""
    lines = [short(line, _LONGEST_LINE) for line in block.lines]
    if block.is_diff:
        lines = [_SIGNED.sub(_sign_first, line) for line in lines]
    return block._replace(lines=[*map(inert, lines)])


def _fitting(block: Block, room: int) -> Block:
    """The block with as many of its lines as have room, the others counted."""
    ends = list(accumulate(map(_size, block.lines)))
    around = 2 * longest_run(block.lines) + _MOST_OF_A_LABEL
    kept = bisect_right(ends, room - around)
    if kept == len(block.lines):
        return block
    more = f"… {len(block.lines) - kept:,} more lines: see the log"
    return block._replace(lines=[*block.lines[:kept], more])


def _head(outcome: Outcome) -> Iterator[str]:
    yield f"<!-- mcplock {outcome.command} {uri(outcome.file)} -->"
    yield f"### {_SIGNS[outcome.conclusion]} mcplock {outcome.command}"
    yield ""
    yield code(outcome.verdict)
    yield ""
    if outcome.rows:
        yield "| | server | status | |"
        yield "|---|---|---|---|"
        yield from map(_row, outcome.rows[:_MOST_ROWS])
        yield ""
    if len(outcome.rows) > _MOST_ROWS:
        yield f"and {len(outcome.rows) - _MOST_ROWS:,} more servers"
        yield ""


def _row(row: Row) -> str:
    return f"| {cell(row.mark)} | {cell(row.server)} | {row.status} | {row.holds} |"


def _block(block: Block, *, is_open: bool) -> Iterator[str]:
    """A section that a reader unfolds; its first line break keeps it apart from what is above."""
    said = f"{tag(block.label)}: {block.said}" if block.label else block.said
    yield ""
    yield "<details open>" if is_open else "<details>"
    yield f"<summary>{said}</summary>"
    yield ""
    yield from fenced(block.lines, "diff" if block.is_diff else "text")
    yield ""
    yield "</details>"
    yield ""


def _sign_first(hit: re.Match[str]) -> str:
    """A sign in the first column, where it colours the line."""
    return f"{hit[2]}{hit[1]} "


def _foot(hints: Sequence[str]) -> Iterator[str]:
    if hints:
        yield ""
        yield from fenced([f"hint: {line}" for hint in hints for line in hint.split("\n")])
    yield ""
