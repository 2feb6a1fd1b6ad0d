"""A whole definition, for whoever has to judge it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import zip_longest

from mcplock.jsontext import Json
from mcplock.model import SECTIONS, Entry, Kind, Source
from mcplock.pointers import step
from mcplock.render.cells import cells
from mcplock.render.launch import launch_lines
from mcplock.render.noise import in_short, is_wordless
from mcplock.render.parameters import (
    DEFINITIONS,
    Reference,
    Row,
    parameters,
    rows_tell,
    unreferenced,
)
from mcplock.render.prose import plain_prose
from mcplock.render.raw import raw_lines
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.values import leaves, value_text
from mcplock.render.wrap import fold, marked, shown, wrap

_INDENT = 4
_DEEPER = 2
_WIDEST_NAME = 24
_IDENTITY = {section.kind: section.identity for section in SECTIONS}


def definition_lines(kind: Kind, entry: Entry, width: int, *, brief: bool = False) -> list[Line]:
    """Everything that the content of `entry` says, but its name: nothing else is left out.

    Names and pointers stand in the fifth cell; a server's prose never begins there. How a server
    is reached is not cut into rows.
    brief: what most tools say alike is one row, and of definitions that nothing refers to and
    that hold no text there are only the names.
    """
    if kind is Kind.SOURCE and isinstance(entry.content, dict):
        return launch_lines(Source.of(entry.content))
    lines = _lines(kind, entry, width, brief=brief)
    return [row for spans in lines for row in fold(spans, width)]


def _lines(kind: Kind, entry: Entry, width: int, *, brief: bool) -> list[Line]:
    match entry.content:
        case None if entry.raw:
            return list(raw_lines(entry, width))
        case None:
            said = f"it cannot be shown ({entry.invalid}): only its hash is known"
            return [line(" " * _INDENT, Span(Style.WARNING, said))]
        case dict():
            content, also = in_short(entry.content) if brief else (entry.content, [])
            return [*_object(kind, content, width, brief=brief), *also]
        case str():
            return list(_prose(entry.content, width))
        case _:
            return list(_prose(value_text(entry.content), width))


def first_line(content: Json) -> str:
    """How a definition's description, or a text, begins; "" where there is none."""
    text = content.get("description") if isinstance(content, dict) else content
    return shown(text.strip().split("\n", 1)[0]) if isinstance(text, str) else ""


def _object(kind: Kind, content: Mapping[str, Json], width: int, *, brief: bool) -> Iterator[Line]:
    rest = {key: value for key, value in content.items() if key != _IDENTITY.get(kind)}
    if isinstance(rest.get("description"), str):
        yield from _prose(rest.pop("description"), width)
    schema = rest.pop("inputSchema", None)
    if isinstance(schema, dict):
        yield from _schema(schema, width, brief=brief)
    elif "inputSchema" in content:
        rest["inputSchema"] = schema
    for key, value in rest.items():
        yield from _leaves(step(key), value, width)


def _schema(schema: Mapping[str, Json], width: int, *, brief: bool) -> Iterator[Line]:
    """An input schema: its parameters, then all else of it."""
    told = parameters(schema)
    yield from _table(told.rows, width)
    rest, definitions = _beside_parameters(schema, told.expanded)
    pointer = step("inputSchema")
    for key, value in rest.items():
        yield from _leaves(pointer + step(key), value, width)
    apart = unreferenced(schema) if brief else set()
    wordless = [at for at, value in definitions.items() if at in apart and is_wordless(value)]
    for (key, name), value in definitions.items():
        if (key, name) not in wordless:
            yield from _pair(pointer + step(key) + step(name), value, width)
    if wordless:
        names = ", ".join(shown(name) for _, name in wordless)
        said = f"definitions that nothing refers to, without any text: {names}; `v` shows them"
        yield line(" " * _INDENT, *marked(said, Style.DIM))


def _leaves(at: str, value: Json, width: int) -> Iterator[Line]:
    """A value beside description and parameters: a line for each leaf, by its pointer."""
    for pointer, leaf in leaves(value, at):
        yield from _pair(pointer, leaf, width)


def _pair(name: str, value: Json, width: int) -> Iterator[Line]:
    """A name and its value: text of several lines as it is read, all else as JSON."""
    text = value if isinstance(value, str) and "\n" in value else value_text(value)
    first, *rest = plain_prose(f"{name}  {text}", width - _INDENT - _DEEPER)
    yield line(" " * _INDENT, *first)
    yield from _indented(rest, _INDENT + _DEEPER)


def _prose(text: str, width: int, indent: int = _INDENT + _DEEPER) -> Iterator[Line]:
    yield from _indented(plain_prose(text, width - indent), indent)


def _indented(lines: list[Line], indent: int) -> Iterator[Line]:
    for spans in lines:
        yield line(" " * indent, *spans)


# ---- parameters


_HEAD = ("name", "type", "required", "description")
_GAP = 2
_WIDE_TYPE, _LEAST_TYPE = 24, 20
_GOOD_PROSE, _LEAST_PROSE = 26, 16


def _table(rows: Sequence[Row], width: int) -> Iterator[Line]:
    """The rows in columns, and below them what has no room there."""
    if not rows:
        return
    room = width - _INDENT - len(_HEAD[2]) - 3 * _GAP
    name = min(_WIDEST_NAME, max(cells(text) for text in (_HEAD[0], *(r.name for r in rows))))
    widest = max(_LEAST_TYPE, min(max(_WIDE_TYPE, width // 4), room - name - _GOOD_PROSE))
    kind = min(widest, max(cells(text) for text in (_HEAD[1], *(row.type for row in rows))))
    widths = (name, kind, len(_HEAD[2]), max(_LEAST_PROSE, room - name - kind))
    yield from _beside([[line(Span(Style.DIM, title))] for title in _HEAD], widths)
    for row in rows:
        yield from _beside(_cells_of(row, widths), widths)
    for row in rows:
        for key, value in row.below:
            yield from _pair(f"{row.name}  {key}", value, width)


def _cells_of(row: Row, widths: Sequence[int]) -> list[list[Line]]:
    """Each cell in rows of its width; no text leaves its column."""
    name, kind, _, prose = widths
    first, *more = wrap(marked(row.name, Style.NAME), name)
    rest = [span for spans in more for span in spans]  # further in: it is no other name
    hung = [line(" ", *spans) for spans in wrap(rest, name - 1)] if rest else []
    told = [
        line(*(Span(_dimmed(span.style), span.text) for span in spans))
        for spans in (plain_prose(row.prose, prose) if row.prose else ())
    ]
    required = [line(Span(Style.PLAIN if row.required == "yes" else Style.DIM, row.required))]
    return [[first, *hung], plain_prose(row.type, kind), required, told]


def _dimmed(style: Style) -> Style:
    return Style.DIM if style is Style.PLAIN else style


def _beside(columns: Sequence[Sequence[Line]], widths: Sequence[int]) -> Iterator[Line]:
    """Cells of several rows side by side."""
    for row in zip_longest(*columns, fillvalue=()):
        spans: list[Span] = [Span(Style.PLAIN, " " * _INDENT)]
        for cell, wide in zip(row, widths[:-1], strict=False):
            taken = sum(cells(span.text) for span in cell)
            spans += [*cell, Span(Style.PLAIN, " " * max(1, wide + _GAP - taken))]
        yield (*spans, *row[-1])


def _beside_parameters(
    schema: Mapping[str, Json], expanded: Collection[Reference]
) -> tuple[dict[str, Json], dict[Reference, Json]]:
    """(what of an input schema the rows do not tell, the definitions that they do not)."""
    told = {"properties", "required"} if rows_tell(schema) else set()
    rest: dict[str, Json] = {}
    definitions: dict[Reference, Json] = {}
    for key, value in schema.items():
        if key in told or (key, value) == ("type", "object"):
            continue
        if key in DEFINITIONS and isinstance(value, dict) and value:
            found = {(key, name): inner for name, inner in value.items()}
            definitions |= {at: inner for at, inner in found.items() if at not in expanded}
        else:
            rest[key] = value
    return rest, definitions
