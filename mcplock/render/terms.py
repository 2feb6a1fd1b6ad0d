"""Small pieces that several renderers say alike."""

from collections.abc import Iterable

from mcplock.model import State, Status
from mcplock.render.cells import cells, clusters
from mcplock.render.spans import Line, Span, Style, line

WIDEST_NAME = 44
"""Cells that a column of names takes at most; a longer name pushes its own row only."""

_MARKS = {
    Status.OK: Span(Style.ADDED, "✓"),
    Status.DISABLED: Span(Style.DIM, "-"),
    Status.DRIFT: Span(Style.CHANGED, "~"),
    Status.UNREVIEWED: Span(Style.WARNING, "!"),
    Status.UNLOCKED: Span(Style.ADDED, "+"),
}
_TROUBLE = Span(Style.HIGH, "✗")

STATE_STYLES = {
    State.APPROVED: Style.ADDED,
    State.CHANGED: Style.CHANGED,
    State.NEW: Style.ADDED,
    State.DENIED: Style.HIGH,
    State.INVALID: Style.WARNING,
}


def mark(status: Status) -> Span:
    """The sign of a status; its colour repeats what it says."""
    return _MARKS.get(status, _TROUBLE)


def pad(text: str, width: int) -> str:
    """`text` and blanks, up to `width` cells; what is wider stays as it is."""
    return text + " " * (width - cells(text))


def clip(text: str, width: int) -> str:
    """`text`, or its beginning and `…`, in at most `width` cells."""
    if cells(text) <= width:
        return text
    kept, room = "", width - 1
    for cluster in clusters(text):
        room -= cells(cluster)
        if room < 0:
            break
        kept += cluster
    return kept.rstrip() + "…"


SUSPECTED = "found changed by a call"
"""What is said of a tool that a call found to be something else than what was approved."""

BEGINNING = 100
"""Cells of a text of which only the beginning is told, where no terminal says how many fit."""


def begin(text: str, room: int | None) -> str:
    """How `text` begins, in `room` cells; None: where no terminal bounds them."""
    return clip(text, BEGINNING if room is None else max(room, 8))


def count(number: int, noun: str) -> str:
    """`1 tool`, `2 tools`."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def column(names: Iterable[str], least: int = 0) -> int:
    """How wide a column of `names` is to be; the few that are longer do not count."""
    widths = [cells(name) for name in names]
    return max([least, *(width for width in widths if width <= WIDEST_NAME)])


def name_cell(name: str, width: int) -> Span:
    """A name in its column."""
    return Span(Style.NAME, pad(name, width))


def hint_line(indent: str, hint: str) -> Line:
    """A hint under what it belongs to."""
    return line(Span(Style.DIM, f"{indent}hint: {hint}"))
