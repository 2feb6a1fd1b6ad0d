"""A whole definition, for whoever has to judge it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from mcplock.jsontext import Json
from mcplock.model import SECTIONS, Entry, Kind, Source
from mcplock.pointers import step
from mcplock.render.cells import cells
from mcplock.render.launch import launch_lines
from mcplock.render.prose import plain_prose
from mcplock.render.raw import raw_lines
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.values import is_prose, leaves, value_text
from mcplock.render.wrap import fold, marked, shown, wrap

_INDENT = 4
_DEEPER = 2
_WIDEST_NAME = 24
_MANY = 12  # values of an enum
_IDENTITY = {section.kind: section.identity for section in SECTIONS}


def definition_lines(kind: Kind, entry: Entry, width: int) -> list[Line]:
    """Everything that the content of `entry` says, but its name: nothing else is left out.

    Names and pointers stand in the fifth cell; a server's prose never begins there. How a server
    is reached is not cut into rows.
    """
    if kind is Kind.SOURCE and isinstance(entry.content, dict):
        return launch_lines(Source.of(entry.content))
    return [row for spans in _lines(kind, entry, width) for row in fold(spans, width)]


def _lines(kind: Kind, entry: Entry, width: int) -> list[Line]:
    match entry.content:
        case None if entry.raw:
            return list(raw_lines(entry, width))
        case None:
            said = f"it cannot be shown ({entry.invalid}): only its hash is known"
            return [line(" " * _INDENT, Span(Style.WARNING, said))]
        case dict():
            return list(_object(kind, entry.content, width))
        case str():
            return list(_prose(entry.content, width))
        case _:
            return list(_prose(value_text(entry.content), width))


def first_line(content: Json) -> str:
    """How a definition's description, or a text, begins; "" where there is none."""
    text = content.get("description") if isinstance(content, dict) else content
    return shown(text.strip().split("\n", 1)[0]) if isinstance(text, str) else ""


def _object(kind: Kind, content: Mapping[str, Json], width: int) -> Iterator[Line]:
    rest = {key: value for key, value in content.items() if key != _IDENTITY.get(kind)}
    if isinstance(rest.get("description"), str):
        yield from _prose(rest.pop("description"), width)
    schema = rest.get("inputSchema")
    if isinstance(schema, dict):
        rest["inputSchema"] = _beside_parameters(schema)
        yield from _parameters(schema, width)
        if not rest["inputSchema"]:
            del rest["inputSchema"]
    for key, value in rest.items():
        yield from _leaves(key, value, width)


def _leaves(key: str, value: Json, width: int) -> Iterator[Line]:
    """A value beside description and parameters: a line for each leaf, by its pointer."""
    for pointer, leaf in leaves(value, step(key)):
        text = leaf if is_prose(leaf) else value_text(leaf)
        first, *rest = plain_prose(f"{pointer}  {text}", width - _INDENT - _DEEPER)
        yield line(" " * _INDENT, *first)
        yield from _indented(rest, _INDENT + _DEEPER)


def _prose(text: str, width: int, indent: int = _INDENT + _DEEPER) -> Iterator[Line]:
    yield from _indented(plain_prose(text, width - indent), indent)


def _indented(lines: list[Line], indent: int) -> Iterator[Line]:
    for spans in lines:
        yield line(" " * indent, *spans)


# ---- parameters


@dataclass(frozen=True, slots=True)
class _Parameter:
    """One row: a dotted name, and all of its schema but the parameters inside it."""

    name: str
    schema: Json
    required: bool


def _parameters(schema: Mapping[str, Json], width: int) -> Iterator[Line]:
    """A table with a row for each parameter, and rows for those inside it."""
    parameters = list(_inside(schema, "")) if isinstance(schema.get("properties"), dict) else []
    if not parameters:
        return
    rows = [_row(parameter) for parameter in parameters]
    name, kind = (
        min(widest, max(cells(text) for text in column))
        for widest, column in (
            (_WIDEST_NAME, [_HEAD[0], *(row.name for row in rows)]),
            (max(_WIDEST_TYPE, width // 4), [_HEAD[1], *(row.type for row in rows)]),
        )
    )
    room = width - _INDENT - name - kind - len(_HEAD[2]) - 3 * _GAP
    widths = (name, kind, len(_HEAD[2]), max(_LEAST_PROSE, room))
    head = [[line(Span(Style.DIM, title))] for title in _HEAD]
    yield from _beside(head, widths)
    for row in rows:
        yield from _beside(row.cells(widths), widths)


_HEAD = ("name", "type", "required", "description")
_GAP = 2
_WIDEST_TYPE = 24
_LEAST_PROSE = 16


@dataclass(frozen=True, slots=True)
class _Row:
    """The cells of a parameter: a name that was `shown`, its type and its other rules, prose."""

    name: str
    type: str
    required: bool
    prose: str

    def cells(self, widths: Sequence[int]) -> list[list[Line]]:
        """Each cell in rows of its width; no text leaves its column."""
        name, kind, _, prose = widths
        first, *more = wrap(marked(self.name, Style.NAME), name)
        rest = [span for spans in more for span in spans]  # further in: it is no other name
        hung = [line(" ", *spans) for spans in wrap(rest, name - 1)] if rest else []
        told = [
            line(*(Span(_dimmed(span.style), span.text) for span in spans))
            for spans in (plain_prose(self.prose, prose) if self.prose else ())
        ]
        required = [line("yes" if self.required else Span(Style.DIM, "no"))]
        return [[first, *hung], plain_prose(self.type, kind), required, told]


def _beside(columns: Sequence[Sequence[Line]], widths: Sequence[int]) -> Iterator[Line]:
    """Cells of several rows side by side."""
    for row in zip_longest(*columns, fillvalue=()):
        spans: list[Span] = [Span(Style.PLAIN, " " * _INDENT)]
        for cell, wide in zip(row, widths[:-1], strict=False):
            taken = sum(cells(span.text) for span in cell)
            spans += [*cell, Span(Style.PLAIN, " " * (max(0, wide - taken) + _GAP))]
        yield (*spans, *row[-1])


def _beside_parameters(schema: Mapping[str, Json]) -> Mapping[str, Json]:
    """What of an input schema the rows of its parameters do not tell."""
    told = {"properties", "required"} if _is_told(schema) else set()
    return {
        key: value
        for key, value in schema.items()
        if key not in told and (key, value) != ("type", "object")
    }


def _is_told(schema: Mapping[str, Json]) -> bool:
    """Whether rows tell all of its properties, and all that it requires."""
    properties, required = schema.get("properties"), schema.get("required", [])
    if not isinstance(properties, dict) or not properties or not isinstance(required, list):
        return False
    return all(isinstance(name, str) and name in properties for name in required)


def _inside(schema: Mapping[str, Json], prefix: str) -> Iterator[_Parameter]:
    required = schema.get("required")
    names = required if isinstance(required, list) else []
    for name, parameter in schema["properties"].items():
        below, mark = _nested(parameter)
        yield _Parameter(prefix + name, _without(parameter, below), name in names)
        if below is not None:
            yield from _inside(below, f"{prefix}{name}{mark}")


def _nested(schema: Json) -> tuple[Mapping[str, Json] | None, str]:
    """The object schema inside a parameter, if it is one whose rows tell all of it."""
    inner = schema if isinstance(schema, dict) else {}
    for candidate, mark in ((inner, "."), (inner.get("items"), "[].")):
        if isinstance(candidate, dict) and _is_told(candidate):
            return candidate, mark
    return None, ""


def _without(schema: Json, below: Mapping[str, Json] | None) -> Json:
    """A parameter's schema without what the rows of the parameters inside it tell."""
    if below is None:
        return schema
    told = {key: value for key, value in below.items() if key not in ("properties", "required")}
    return told if below is schema else {**schema, "items": told}


def _row(parameter: _Parameter) -> _Row:
    rest = dict(parameter.schema) if isinstance(parameter.schema, dict) else {}
    description = rest.pop("description", "")
    facts = [_type(rest) if isinstance(parameter.schema, dict) else value_text(parameter.schema)]
    facts += [f"{key} {value_text(value)}" for key, value in rest.items()]
    prose = description if isinstance(description, str) else value_text(description)
    told = " · ".join(fact for fact in facts if fact)
    return _Row(shown(parameter.name), told, parameter.required, prose)


def _dimmed(style: Style) -> Style:
    return Style.DIM if style is Style.PLAIN else style


def _type(rest: dict[str, Json]) -> str:
    """What values are allowed, in a word or two; takes out of `rest` what it tells."""
    match rest:
        case {"enum": [*values]} if 0 < len(values) < _MANY:
            del rest["enum"]
            if rest.get("type") == "string" and all(isinstance(value, str) for value in values):
                del rest["type"]
            return " | ".join(map(value_text, values))
        case {"type": "array", "items": {"type": str() as item, **more}} if not more:
            del rest["type"], rest["items"]
            return f"array of {item}"
        case {"type": str() as name}:
            del rest["type"]
            return name
        case {"type": [*names]} if names and all(isinstance(name, str) for name in names):
            del rest["type"]
            return " | ".join(names)
        case _:
            return "" if "type" in rest or "enum" in rest else "anything"
