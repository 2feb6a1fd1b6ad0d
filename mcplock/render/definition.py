"""A whole definition, for whoever has to judge it."""

from collections.abc import Iterator, Mapping

from mcplock.jsontext import Json
from mcplock.model import Entry, Kind, Source
from mcplock.render.launch import launch_lines
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.values import leaves, value_text
from mcplock.render.wrap import marked, shown, wrap

_INDENT = "    "


def definition_lines(kind: Kind, entry: Entry, width: int) -> list[Line]:
    """Everything that the content of `entry` says: nothing in it is left out."""
    match entry.content:
        case dict() if kind is Kind.SOURCE:
            return launch_lines(Source.of(entry.content), width)
        case str():
            return list(_prose(entry.content, width))
        case dict():
            return list(_object(entry.content, width))
        case None:
            said = f"it has no canonical form ({entry.invalid}): only its hash is known"
            return [line(_INDENT, Span(Style.WARNING, said))]
        case _:
            return list(_text(value_text(entry.content), width))


def _object(content: Mapping[str, Json], width: int) -> Iterator[Line]:
    rest = {key: value for key, value in content.items() if key != "name"}
    description = rest.get("description")
    if isinstance(description, str):
        yield from _prose(rest.pop("description"), width)
    schema = rest.get("inputSchema")
    if isinstance(schema, dict):
        yield from _parameters(schema, width)
        rest["inputSchema"] = _beside_parameters(schema)
        if not rest["inputSchema"]:
            del rest["inputSchema"]
    for pointer, value in leaves(rest) if rest else ():
        yield from _leaf(pointer, value, width)


def _prose(text: str, width: int) -> Iterator[Line]:
    for part in text.split("\n"):
        yield from _text(part, width)


def _text(text: str, width: int, indent: str = _INDENT) -> Iterator[Line]:
    for row in wrap(marked(shown(text)), width - len(indent)):
        yield line(indent, *row)


def _leaf(pointer: str, value: Json, width: int) -> Iterator[Line]:
    yield from _text(f"{pointer}  {value_text(value)}", width)


def _parameters(schema: Mapping[str, Json], width: int) -> Iterator[Line]:
    """A row for each parameter."""
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict) or not properties:
        return
    names = required if isinstance(required, list) else []
    wide = min(24, max(len(shown(name)) for name in properties))
    for name, parameter in properties.items():
        yield from _parameter(name, parameter, name in names, wide, width)


def _beside_parameters(schema: Mapping[str, Json]) -> Mapping[str, Json]:
    """What of an input schema the rows of its parameters do not tell."""
    rest = dict(schema)
    properties, required = rest.get("properties"), rest.get("required")
    if rest.get("type") == "object":
        del rest["type"]
    if isinstance(properties, dict) and properties:
        del rest["properties"]
        if isinstance(required, list) and all(name in list(properties) for name in required):
            del rest["required"]
    return rest


def _parameter(name: str, schema: Json, required: bool, wide: int, width: int) -> Iterator[Line]:
    label = shown(name)
    head = [*marked(label, Style.NAME), Span(Style.PLAIN, " " * max(1, wide - len(label) + 2))]
    rest = dict(schema) if isinstance(schema, dict) else {"": schema}
    description = rest.pop("description", None)
    said = [_pop_type(rest)] if isinstance(schema, dict) else []
    said += ["required"] if required else []
    said += [f"{key} {value_text(value)}" for key, value in rest.items()]
    head.append(Span(Style.PLAIN, shown(" · ".join(said))))
    yield line(_INDENT, *head)
    if description is not None:
        text = description if isinstance(description, str) else value_text(description)
        for part in text.split("\n"):
            yield from _text(part, width, _INDENT + " " * (wide + 2))


def _pop_type(schema: dict[str, Json]) -> str:
    """Take out of `schema` what says which values it allows, and say it shorter."""
    enum, type_ = schema.get("enum"), schema.get("type")
    if isinstance(enum, list) and enum:
        del schema["enum"]
        if type_ == "string" and all(isinstance(value, str) for value in enum):
            del schema["type"]
        return " | ".join(map(value_text, enum))
    if isinstance(type_, str):
        return str(schema.pop("type"))
    if isinstance(type_, list) and type_ and all(isinstance(name, str) for name in type_):
        return " | ".join(schema.pop("type"))
    return "anything"
