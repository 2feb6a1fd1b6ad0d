"""How much of one entry is printed: as much as somebody may read, and where the rest is."""

from collections.abc import Sequence

from mcplock.render.spans import Line, Span, Style, line

MOST_LINES = 1_000
MOST_CHARACTERS = 200_000
_BEFORE = 200  # characters shown of what both texts begin with


def cut(lines: Sequence[Line], name: str) -> list[Line]:
    """The first lines of an entry; name: as `mcplock show` takes it."""
    more = len(lines) - MOST_LINES
    if more <= 0:
        return list(lines)
    said = f"    … {more:,} more lines; `mcplock show {name} --json` has all of it"
    return [*lines[:MOST_LINES], line(Span(Style.WARNING, said))]


def beginning(text: str) -> tuple[str, list[Line]]:
    """The part of a long text that is shown, and a line that says how much there is besides.

    The text has no such brackets: they are marks of ours.
    """
    more = len(text) - MOST_CHARACTERS
    if more <= 0:
        return text, []
    return text[:MOST_CHARACTERS], [line(Span(Style.HIDDEN, f"⟨{more:,} more characters⟩"))]


def differing(old: str, new: str) -> tuple[str, str, list[Line]]:
    """Of two long texts the part from their first difference on, and a line that says so."""
    if len(old) + len(new) <= MOST_CHARACTERS:
        return old, new, []
    shorter = min(len(old), len(new))
    same = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    start = max(0, same - _BEFORE)
    left, right = (text[start : start + MOST_CHARACTERS // 2] for text in (old, new))
    said = f"⟨{len(old):,} and {len(new):,} characters: what follows character {start:,}⟩"
    return left, right, [line(Span(Style.HIDDEN, said))]
