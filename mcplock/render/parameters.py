"""The parameters of a tool as rows: one for each, and one for whatever is inside of it.

A name says where a row belongs: `a.b` is the property `b` of `a`, `a[]` an item of it, `a.*` any
other property, `a|1` the first of the schemas that it may, or has to, fit. A property that is
itself called like that is quoted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mcplock.jsontext import Json
from mcplock.render.values import is_prose, value_text
from mcplock.render.wrap import shown

DEFINITIONS = ("$defs", "definitions")
_MANY = 12  # values of an enum
_LONG = 32  # characters of a value that a cell still has room for
_DEEPEST = 12  # levels; what is further in is told as JSON
_CHOICES = {"anyOf": "any of", "oneOf": "one of", "allOf": "all of"}
_SIGNS = frozenset('.[]*|"')
_OTHERS = {True: "other keys too", False: "no other keys"}

Reference = tuple[str, str]
"""Where a definition stands in its schema: (keyword, name)."""


@dataclass(frozen=True, slots=True)
class Row:
    """A parameter in cells: its name is `shown`; `below`: (key, value) that no cell has room for.

    required: `yes`, `no`, or "" of what is no property.
    """

    name: str
    type: str
    required: str
    prose: str
    below: Sequence[tuple[str, Json]] = ()


@dataclass(frozen=True, slots=True)
class Parameters:
    """rows: all that the properties of a schema say; expanded: the definitions told with them."""

    rows: Sequence[Row]
    expanded: frozenset[Reference]


def parameters(schema: Mapping[str, Json]) -> Parameters:
    """The rows of an input schema; none where it has no properties."""
    told = _Told(schema)
    if isinstance(schema.get("properties"), dict):
        for part in _properties(schema, ""):
            told.add(part)
    return Parameters(told.rows, frozenset(told.expanded))


def rows_tell(schema: Mapping[str, Json]) -> bool:
    """Whether rows tell all of its properties, and all that it requires."""
    properties, required = schema.get("properties"), schema.get("required", [])
    if not isinstance(properties, dict) or not properties or not isinstance(required, list):
        return False
    return all(isinstance(name, str) and name in properties for name in required)


def reference(value: Json) -> Reference | None:
    """What a `$ref` leads to, if that is a definition of the same schema."""
    if not isinstance(value, str):
        return None
    start, keyword, name = [*value.split("/", 2), "", ""][:3]
    if start != "#" or keyword not in DEFINITIONS or "/" in name or "%" in name:
        return None
    return keyword, name.replace("~1", "/").replace("~0", "~")


def unreferenced(schema: Mapping[str, Json]) -> set[Reference]:
    """The definitions of a schema that nothing leads to from its other keywords."""
    found = {
        (keyword, name)
        for keyword in DEFINITIONS
        if isinstance(named := schema.get(keyword), dict)
        for name in named
    }
    waiting: list[Json] = [
        value for key, value in schema.items() if not (key in DEFINITIONS and found)
    ]
    while waiting:
        for at in _references(waiting.pop()):
            if at in found:
                found.remove(at)
                definitions = schema[at[0]]
                waiting.append(definitions[at[1]] if isinstance(definitions, dict) else None)
    return found


def _references(value: Json) -> Iterator[Reference]:
    match value:
        case dict() | list():
            for inner in value.values() if isinstance(value, dict) else value:
                yield from _references(inner)
        case str() if value.startswith("#/"):
            keyword, name, *_ = [*value[2:].split("/"), ""]
            yield keyword, name.replace("~1", "/").replace("~0", "~")


@dataclass(frozen=True, slots=True)
class _Part:
    """A schema that gets a row; inside: the definitions that it is part of."""

    name: str
    schema: Json
    required: str = ""
    inside: tuple[Reference, ...] = ()


@dataclass(slots=True)
class _Cells:
    """What a row is to say, as it is gathered."""

    facts: list[str] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    below: list[tuple[str, Json]] = field(default_factory=list)
    inner: list[_Part] = field(default_factory=list)


class _Told:
    """Rows as they come, and the definitions that they told; each is told once."""

    def __init__(self, schema: Mapping[str, Json]) -> None:
        self._schema = schema
        self.rows: list[Row] = []
        self.expanded: set[Reference] = set()

    def add(self, part: _Part, depth: int = 0) -> None:
        """The row of `part`, then those of what is inside of it."""
        cells = _Cells()
        inside = part.inside
        layer: Json = part.schema
        while isinstance(layer, dict):
            rest = dict(layer)
            found = self._follow(rest, inside, cells)
            _tell(rest, cells, part.name, deeper=depth < _DEEPEST)
            if found is None:
                break
            inside = (*inside, found)
            layer = self._definition(found)
        if not isinstance(layer, dict):
            cells.facts.append(value_text(layer))
        told = " · ".join(filter(None, cells.facts)) or "anything"
        prose = "\n".join(filter(None, cells.prose))
        self.rows.append(Row(shown(part.name), told, part.required, prose, cells.below))
        for inner in cells.inner:
            self.add(_Part(inner.name, inner.schema, inner.required, inside), depth + 1)

    def _follow(
        self, rest: dict[str, Json], inside: Sequence[Reference], cells: _Cells
    ) -> Reference | None:
        """Name the definition that `rest` refers to; the one to tell now, if it was not told."""
        found = reference(rest.get("$ref"))
        if found is None or self._definition(found) is None:
            return None
        del rest["$ref"]
        again = ", which this is part of" if found in inside else ", as above"
        cells.facts.append(found[1] + (again if found in self.expanded else ""))
        if found in self.expanded:
            return None
        self.expanded.add(found)
        return found

    def _definition(self, found: Reference) -> Json:
        definitions = self._schema.get(found[0])
        return definitions.get(found[1]) if isinstance(definitions, dict) else None


def _tell(rest: dict[str, Json], cells: _Cells, name: str, *, deeper: bool) -> None:
    """Spread what a schema says over the cells of its row and the rows inside of it."""
    if isinstance(rest.get("description"), str):
        cells.prose.append(str(rest.pop("description")))
    choice = ""
    if deeper:
        cells.inner += _inner(rest, name)
        choice, choices = _choices(rest, name)
        cells.inner += choices
    cells.facts += [_type(rest), choice]
    if isinstance(rest.get("additionalProperties"), bool):
        cells.facts.append(_OTHERS[bool(rest.pop("additionalProperties"))])
    for key, value in rest.items():
        text = value_text(value)
        if len(text) > _LONG:
            cells.facts.append(f"{key} below")
            cells.below.append((key, value))
        else:
            cells.facts.append(f"{key} {text}")


def _properties(schema: Mapping[str, Json], prefix: str) -> Iterator[_Part]:
    properties, required = schema["properties"], schema.get("required")
    names = required if isinstance(required, list) else []
    if isinstance(properties, dict):
        for name, inner in properties.items():
            quoted = name if name and _SIGNS.isdisjoint(name) else value_text(name)
            yield _Part(prefix + quoted, inner, "yes" if name in names else "no")


def _inner(rest: dict[str, Json], name: str) -> Iterator[_Part]:
    """The properties and items of a schema; takes out of `rest` what their rows tell."""
    if rows_tell(rest):
        yield from _properties(rest, f"{name}.")
        del rest["properties"]
        rest.pop("required", None)
    others = rest.get("additionalProperties")
    if isinstance(others, dict) and others:
        yield _Part(f"{name}.*", rest.pop("additionalProperties"))
    items = rest.get("items")
    if not isinstance(items, dict) or not items or _plain_type(items):
        return
    if rows_tell(items):
        more = {key: value for key, value in items.items() if key not in ("properties", "required")}
        if more == {"type": "object"}:
            yield from _properties(items, f"{name}[].")
            rest["items"] = more
            return
    yield _Part(f"{name}[]", rest.pop("items"))


def _choices(rest: dict[str, Json], name: str) -> tuple[str, list[_Part]]:
    """What a schema has to fit besides, in words; a row for each where it is more than a type."""
    for keyword, words in _CHOICES.items():
        schemas = rest.get(keyword)
        if not isinstance(schemas, list) or not schemas:
            continue
        types = [_plain_type(schema) for schema in schemas]
        if keyword == "anyOf" and all(types):
            del rest[keyword]
            return " | ".join(types), []
        del rest[keyword]
        parts = [_Part(f"{name}|{at}", schema) for at, schema in enumerate(schemas, 1)]
        return f"{words} {len(parts)}", parts
    return "", []


def _plain_type(schema: Json) -> str:
    """A schema that only says a type, in a word or two; "" of any other."""
    rest = dict(schema) if isinstance(schema, dict) else {}
    told = _type(rest)
    return "" if rest else told


def _type(rest: dict[str, Json]) -> str:
    """What values are allowed, in a word or two; takes out of `rest` what it tells."""
    match rest:
        case {"enum": [*values]} if 0 < len(values) < _MANY and not any(map(is_prose, values)):
            del rest["enum"]
            if rest.get("type") == "string" and all(isinstance(value, str) for value in values):
                del rest["type"]
            return " | ".join(map(value_text, values))
        case {"type": "array", "items": dict(items)} if item := _plain_type(items):
            del rest["type"], rest["items"]
            return f"array of {f'({item})' if ' | ' in item else item}"
        case {"type": str() as name}:
            del rest["type"]
            return name
        case {"type": [*names]} if names and all(isinstance(name, str) for name in names):
            del rest["type"]
            return " | ".join(map(str, names))
        case _:
            return ""
