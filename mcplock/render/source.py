"""How a server is reached: every word on a line of its own, none shortened."""

from collections.abc import Iterator, Sequence

from mcplock.changes.sequence import same_runs
from mcplock.jsontext import Json
from mcplock.render.prose import plain_prose, prose_diff, whole_prose
from mcplock.render.spans import Line, line
from mcplock.render.values import value_text

_INDENT = "    "
_LABEL = 9


def source_lines(content: Json, width: int) -> list[Line]:
    """One source."""
    text = "\n".join(text for _, rows in _sections(content) for text in rows)
    return [line(_INDENT, *row) for row in plain_prose(text, width - len(_INDENT))]


def source_diff(old: Json, new: Json, width: int) -> list[Line]:
    """Two sources, what is the same in them too."""
    before, after = dict(_sections(old)), dict(_sections(new))
    return [
        line(_INDENT, *row)
        for key in before | after
        for row in _section(before.get(key, []), after.get(key, []), width - len(_INDENT))
    ]


def _sections(content: Json) -> Iterator[tuple[str, list[str]]]:
    """By key: its lines, each word of the command line and each variable on its own."""
    if not isinstance(content, dict):
        yield "", [value_text(content)]
        return
    for key, value in content.items():
        match value:
            case dict():
                words = [f"{value_text(name)}: {value_text(item)}" for name, item in value.items()]
            case list():
                words = list(map(value_text, value))
            case _:
                words = [value_text(value)]
        yield key, [f"{key:{_LABEL - 1}} {word}" for word in words]


def _section(old: Sequence[str], new: Sequence[str], width: int) -> Iterator[Line]:
    old_at = new_at = 0
    for run in same_runs(old, new) or []:
        yield from _replaced(old[old_at : run.old], new[new_at : run.new], width)
        old_at, new_at = run.old + run.length, run.new + run.length
        for text in old[run.old : old_at]:
            yield from (line("  ", *row) for row in plain_prose(text, width - 2))
    yield from _replaced(old[old_at:], new[new_at:], width)


def _replaced(old: Sequence[str], new: Sequence[str], width: int) -> Iterator[Line]:
    """One word against one; where their number differs, all of them."""
    if len(old) == len(new):
        for before, after in zip(old, new, strict=True):
            yield from prose_diff(before, after, width)
        return
    for text in old:
        yield from whole_prose(text, "-", width)
    for text in new:
        yield from whole_prose(text, "+", width)
