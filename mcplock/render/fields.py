"""What differs in one entry, place by place."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from mcplock.audit import skeleton
from mcplock.changes import FieldChange, Impact, Missing
from mcplock.jsontext import Json
from mcplock.render.cells import cells
from mcplock.render.order import order_lines
from mcplock.render.prose import dedented, plain_prose, prose_diff, whole_prose
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.values import is_prose, leaves, value_text
from mcplock.render.wrap import fold, marked, shown

INDENT = "    "


def field_lines(fields: Sequence[FieldChange], width: int) -> Iterator[Line]:
    """Each place with its old and its new value; items of one list stand together.

    Rows of at most `width` cells, the first two of them blank.
    """
    for spans in _field_lines(fields, width):
        yield from fold(spans, width)


def _field_lines(fields: Sequence[FieldChange], width: int) -> Iterator[Line]:
    before = _renamed_keys(fields)
    renamed = {id(gone) for gone in before.values()}
    rest = [field for field in fields if id(field) not in renamed]
    for _, group in groupby(rest, key=_place):
        together = list(group)
        if len(together) > 1 or _is_item(together[0]):
            yield from _items(together, width)
        elif id(together[0]) in before:
            yield _renamed(before[id(together[0])], together[0])
        else:
            yield from _field(together[0], width)


# ---- keys that got another name, and items another place


def _renamed_keys(fields: Iterable[FieldChange]) -> Mapping[int, FieldChange]:
    """By the id of what came: what went from beside it, with the same value."""
    gone: dict[tuple[str, str], list[FieldChange]] = {}
    for field in fields:
        if field.new is Missing.ABSENT and _is_telling(field, field.old):
            gone.setdefault((_parent(field), value_text(field.old)), []).append(field)
    pairs: dict[int, FieldChange] = {}
    for field in fields:
        if field.old is Missing.ABSENT and gone and _is_telling(field, field.new):
            same = gone.get((_parent(field), value_text(field.new)))
            if same:
                pairs[id(field)] = same.pop(0)
    return pairs


def _is_telling(field: FieldChange, value: Json | Missing) -> bool:
    """Whether a value is enough to know by it what came back elsewhere."""
    if field.item:
        return isinstance(value, dict | list) or is_prose(value)
    return isinstance(value, dict) and bool(value)


def _parent(field: FieldChange) -> str:
    return field.pointer.rpartition("/")[0]


def _renamed(gone: FieldChange, came: FieldChange) -> Line:
    old = shown(gone.pointer.rpartition("/")[2])
    how = "moved" if came.item else "renamed"
    return line(
        "  ",
        *_pointer(came.pointer),
        f"  {how} from {old}, otherwise identical",
        *_judgement(min(gone, came, key=_gravity)),
    )


# ---- items of a list


def _is_item(field: FieldChange) -> bool:
    """Whether it is a plain item of a list."""
    values = (field.old, field.new)
    return field.item and all(
        not isinstance(value, dict | list) and not is_prose(value) for value in values
    )


def _place(field: FieldChange) -> str:
    return _parent(field) + "/" if _is_item(field) else field.pointer


def _items(fields: Sequence[FieldChange], width: int) -> Iterator[Line]:
    yield _head(_parent(fields[0]), min(fields, key=_gravity))
    olds, news = (_texts([getattr(f, side) for f in fields]) for side in ("old", "new"))
    moved = olds & news
    for sign, texts in (("-", olds - moved), ("+", news - moved)):
        if texts:
            together = "\n".join(texts.elements())
            yield from _indented(whole_prose(together, sign, width - len(INDENT)))
    if moved:
        told = ", ".join(moved.elements())
        yield from _indented(plain_prose(f"moved: {told}", width - len(INDENT)))


def _texts(values: Iterable[Json | Missing]) -> Counter[str]:
    return Counter(value_text(value) for value in values if not isinstance(value, Missing))


_GRAVITY = tuple(Impact)


def _gravity(field: FieldChange) -> int:
    return _GRAVITY.index(field.impact)


# ---- any other place


def _field(field: FieldChange, width: int) -> Iterator[Line]:
    match field.old, field.new:
        case str(), str() if _reads_as_prose(field):
            if field.pointer:
                yield _head(field.pointer, field)
            yield from _indented(prose_diff(field.old, field.new, width - len(INDENT)))
        case Missing.UNKNOWN, _:
            yield line(INDENT, "only the hash of the old content is known")
        case list(), list():
            yield _head(field.pointer, field, "reordered")
            yield from _indented(list(order_lines(field.old, field.new, width - len(INDENT))))
        case _, Missing.UNKNOWN:
            yield line(INDENT, "the new content cannot be shown: only its hash is known")
        case Missing.ABSENT, value:
            yield from _one_sided(field, value, "+", width)
        case value, Missing.ABSENT:
            yield from _one_sided(field, value, "-", width)
        case _:
            yield from _replaced(field, width)


def _reads_as_prose(field: FieldChange) -> bool:
    described = field.pointer == "" or field.pointer.endswith("/description")
    return described or is_prose(field.old) or is_prose(field.new)


def _one_sided(field: FieldChange, value: Json, sign: str, width: int) -> Iterator[Line]:
    said, style = ("added", Style.ADDED) if sign == "+" else ("removed", Style.REMOVED)
    text = marked(shown(value_text(value)), style)
    short = line("  ", *_pointer(field.pointer), f"  {said}: ", *text, *_judgement(field))
    if _fits(short, width) and not is_prose(value):
        yield short
        return
    yield _head(field.pointer, field, said)
    yield from _block(value, sign, width)


def _fits(spans: Iterable[Span], width: int) -> bool:
    return sum(cells(span.text) for span in spans) <= width


_SHORT = 40


def _replaced(field: FieldChange, width: int) -> Iterator[Line]:
    old, new = value_text(field.old), value_text(field.new)
    before, after = marked(shown(old), Style.REMOVED), marked(shown(new), Style.ADDED)
    both = [*before, Span(Style.PLAIN, " → "), *after]
    head = [*_pointer(field.pointer), *_judgement(field)]
    if cells(shown(old)) + cells(shown(new)) > 2 * _SHORT or skeleton(old) == skeleton(new):
        if field.pointer:
            yield line("  ", *head)
        yield from _indented(prose_diff(old, new, width - len(INDENT)))
    elif _fits((*head, *both), width - 4):
        yield line("  ", *_pointer(field.pointer), "  ", *both, *_judgement(field))
    else:
        yield line("  ", *head)
        yield line(INDENT, *both)


def _block(value: Json, sign: str, width: int) -> Iterator[Line]:
    """A value that only one side has: each leaf of it by its name, further lines indented."""
    width -= len(INDENT)
    for pointer, leaf in leaves(value):
        text = dedented(leaf) if is_prose(leaf) else value_text(leaf)
        first, *rest = text.split("\n")
        yield from _indented(
            whole_prose(f"{pointer[1:]}: {first}" if pointer else first, sign, width)
        )
        if rest:
            margin = INDENT if pointer else ""
            rows = whole_prose("\n".join(rest), sign, width - len(margin))
            yield from _indented([line(row[0], margin, *row[1:]) for row in rows])


def _head(pointer: str, field: FieldChange, said: str = "") -> Line:
    return line("  ", *_pointer(pointer), f"  {said}" if said else "", *_judgement(field))


def _pointer(pointer: str) -> list[Span]:
    return marked(shown(pointer), Style.STRONG)


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
