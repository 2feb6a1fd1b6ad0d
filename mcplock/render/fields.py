"""One changed entry: what differs in it, place by place."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from mcplock.changes import FieldChange, Impact, Missing
from mcplock.render.cells import cells
from mcplock.render.prose import prose_diff, whole_prose
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.values import is_prose, leaves, value_text
from mcplock.render.wrap import marked, shown

INDENT = "    "


def field_lines(fields: Sequence[FieldChange], width: int) -> Iterator[Line]:
    """Each place with its old and its new value; items of one list stand together."""
    for _, group in groupby(fields, key=_place):
        same_list = list(group)
        if len(same_list) > 1 or _is_item(same_list[0]):
            yield from _items(same_list, width)
        else:
            yield from _field(same_list[0], width)


def _is_item(field: FieldChange) -> bool:
    """Whether it is a plain item of a list, as far as a pointer can tell."""
    parent, _, last = field.pointer.rpartition("/")
    values = (field.old, field.new)
    plain = all(not isinstance(value, dict | list) and not is_prose(value) for value in values)
    return bool(parent) and last.isdigit() and plain and Missing.UNKNOWN not in values


def _place(field: FieldChange) -> str:
    return field.pointer.rpartition("/")[0] + "/" if _is_item(field) else field.pointer


def _items(fields: Sequence[FieldChange], width: int) -> Iterator[Line]:
    yield _head(fields[0].pointer.rpartition("/")[0], _gravest(fields))
    for side, texts in (("-", [f.old for f in fields]), ("+", [f.new for f in fields])):
        known = [value_text(value) for value in texts if not isinstance(value, Missing)]
        if known:
            yield from _indented(whole_prose("\n".join(known), side, width - len(INDENT)))


def _gravest(fields: Sequence[FieldChange]) -> FieldChange:
    order = list(Impact)
    return min(fields, key=lambda field: order.index(field.impact))


def _field(field: FieldChange, width: int) -> Iterator[Line]:
    match field.old, field.new:
        case str(), str() if is_prose(field.old) or is_prose(field.new):
            yield _head(field.pointer, field)
            yield from _indented(prose_diff(field.old, field.new, width - len(INDENT)))
        case Missing(), Missing():
            yield line("  ", *_pointer(field.pointer), ": neither side is known but by its hash")
        case Missing.UNKNOWN, _:
            yield _head(field.pointer, field, "the old content is not known, only its hash")
            yield from _block(field.new, "+", width)
        case _, Missing.UNKNOWN:
            yield _head(field.pointer, field, "the new content cannot be shown, only its hash")
            yield from _block(field.old, "-", width)
        case Missing.ABSENT, value:
            yield _head(field.pointer, field, "added")
            yield from _block(value, "+", width)
        case value, Missing.ABSENT:
            yield _head(field.pointer, field, "removed")
            yield from _block(value, "-", width)
        case _:
            yield from _replaced(field, width)


def _replaced(field: FieldChange, width: int) -> Iterator[Line]:
    old, new = value_text(field.old), value_text(field.new)
    short = line(
        "  ",
        *_pointer(field.pointer),
        "  ",
        *marked(shown(old), Style.REMOVED),
        " → ",
        *marked(shown(new), Style.ADDED),
        *_judgement(field),
    )
    if sum(cells(span.text) for span in short) <= width:
        yield short
        return
    yield _head(field.pointer, field)
    yield from _indented(prose_diff(old, new, width - len(INDENT)))


def _block(value: object, side: str, width: int) -> Iterator[Line]:
    """A value that only one side has, a line for each leaf of it."""
    texts = []
    for pointer, leaf in leaves(value):
        text = leaf if is_prose(leaf) else value_text(leaf)
        texts.append(f"{pointer[1:]}: {text}" if pointer else str(text))
    yield from _indented(whole_prose("\n".join(texts), side, width - len(INDENT)))


def _head(pointer: str, field: FieldChange, said: str = "") -> Line:
    words = [f"  {said}"] if said else []
    return line("  ", *_pointer(pointer), *words, *_judgement(field))


def _pointer(pointer: str) -> list[Span]:
    return marked(shown(pointer) or "(the whole)", Style.STRONG)


def _judgement(field: FieldChange) -> list[Span]:
    """The impact on callers, where there is something to say."""
    if not field.reason:
        return []
    breaking = field.impact is Impact.BREAKING
    style = Style.WARNING if breaking else Style.DIM
    word = "breaking: " if breaking else ""
    return [Span(style, f"  ({word}{field.reason})")]


def _indented(lines: Sequence[Line]) -> Iterator[Line]:
    for spans in lines:
        yield line(INDENT, *spans)
