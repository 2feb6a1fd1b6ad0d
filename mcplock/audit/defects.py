"""Lints over what stands below the root of a schema.

A schema is walked as a schema: what stands under `properties` are names, and what stands
under `const`, `enum`, `default` and `examples` is data. Each place is looked at once.
"""

import json
from collections.abc import Iterator
from itertools import islice
from urllib.parse import unquote, urljoin

from mcplock.audit.findings import Finding, Severity
from mcplock.jsontext import Json
from mcplock.lazy import pattern
from mcplock.pointers import SCHEMA_LISTS, SCHEMA_MAPS, SCHEMAS, step, steps
from mcplock.records import NamedTuple
from mcplock.text import visible
from mcplock.validation.dialects import Dialect, dialect_of, named_dialect
from mcplock.validation.forms import are_strings, well_formed

_MOST = 20
_WIDEST = 60
_REFERENCES = ("$ref", "$dynamicRef")
_ANCHORS = ("$anchor", "$dynamicAnchor")


def audit_schema(schema: Json, at: str) -> Iterator[Finding]:
    """What is wrong inside the schema that stands at `at`: the first twenty places."""
    if not isinstance(schema, dict):
        return
    if not named_dialect(schema):
        message = f"{_told(schema['$schema'])} is no dialect of JSON Schema that is known here"
        yield _defect(f"{at}/$schema", message)
    walk = _Walk(schema, at)
    yield from islice(walk.findings(), _MOST)


class _Place(NamedTuple):
    """A schema, where it stands, and the URI that references in it are relative to."""

    pointer: str
    schema: Json
    base: str


class _Reference(NamedTuple):
    pointer: str
    base: str
    to: str


class _Walk:
    """One walk through a schema: what it refers to is known at its end."""

    def __init__(self, schema: Json, at: str) -> None:
        self._dialect = dialect_of(schema)
        self._waiting = [_Place(at, schema, "")]
        self._resources: dict[str, Json] = {"": schema}
        self._anchors: set[str] = set()
        self._references: list[_Reference] = []

    def findings(self) -> Iterator[Finding]:
        """What is not well formed, then what leads nowhere or away."""
        while self._waiting:
            place = self._waiting.pop()
            if isinstance(place.schema, dict):
                yield from self._schema(place)
            elif not isinstance(place.schema, bool):
                yield _defect(place.pointer, f"{_told(place.schema)} is no schema")
        for reference in self._references:
            yield from self._followed(reference)

    def _schema(self, place: _Place) -> Iterator[Finding]:
        schema: dict[str, Json] = place.schema
        base = self._named(place)
        inside: list[_Place] = []
        for key, value in schema.items():
            at = place.pointer + step(key)
            below = self._below(key, value)
            if below is not None:
                inside += [_Place(at + under, item, base) for under, item in below]
            elif key in _KNOWN or not self._fits(key, value):
                yield _defect(at, f"{_told(value)} is nothing that `{key}` can be")
            elif key in _REFERENCES:
                self._references.append(_Reference(at, base, value))
        self._waiting += reversed(inside)

    def _fits(self, key: str, value: Json) -> bool:
        is_word = key != "id" or self._dialect is Dialect.DRAFT_4
        return not is_word or well_formed(key, value, self._dialect)

    def _below(self, key: str, value: Json) -> list[tuple[str, Json]] | None:
        """(pointer from the keyword's value on, schema) of all schemas in it; None without any.

        Also None where there would have to be some.
        """
        if key in SCHEMA_MAPS and isinstance(value, dict):
            return [(step(name), item) for name, item in value.items()]
        if key == "dependencies" and isinstance(value, dict):
            return [(step(name), item) for name, item in value.items() if not are_strings(item)]
        if (key in SCHEMA_LISTS or key == "items") and isinstance(value, list):
            return [(step(at), item) for at, item in enumerate(value)]
        return [("", value)] if key in SCHEMAS and isinstance(value, dict | bool) else None

    def _named(self, place: _Place) -> str:
        """The URI of the schema at `place`, or around it; notes the names that it has."""
        schema, base = place.schema, place.base
        own = schema.get("id" if self._dialect is Dialect.DRAFT_4 else "$id")
        if isinstance(own, str) and own.startswith("#"):
            self._anchors.add(base + own)
        elif isinstance(own, str):
            base = _joined(base, own).partition("#")[0]
            self._resources.setdefault(base, schema)
        self._anchors |= {f"{base}#{schema[key]}" for key in _ANCHORS if key in schema}
        return base

    def _followed(self, reference: _Reference) -> Iterator[Finding]:
        """What is to be said of a reference that leads to no schema in here."""
        whole = _joined(reference.base, reference.to)
        uri, _, fragment = whole.partition("#")
        told = _told(reference.to)
        if uri in self._resources:
            found = whole in self._anchors or _leads(self._resources[uri], unquote(fragment))
            if not found:
                yield _defect(reference.pointer, f"the reference {told} leads to no schema")
        elif ":" not in uri:
            yield _defect(reference.pointer, f"the reference {told} leads out of the schema")
        elif not named_dialect({"$schema": uri}):
            message = f"the reference {told} leads to text that is not locked and may change"
            yield Finding("remote-reference", Severity.MEDIUM, reference.pointer, message)


_INDEX = pattern("0|[1-9][0-9]{0,8}")
_KNOWN = SCHEMA_MAPS | SCHEMA_LISTS | SCHEMAS | {"dependencies"}


def _joined(base: str, to: str) -> str:
    if not to or to.startswith("#"):
        return base + to
    try:
        return urljoin(base, to)
    except ValueError:  # no URI
        return to


def _leads(resource: Json, pointer: str) -> bool:
    """Whether a schema stands at `pointer`."""
    value = resource
    if pointer and not pointer.startswith("/"):
        return False
    for key in steps(pointer):
        match value:
            case dict():
                value = value.get(key)
            case list() if _INDEX.fullmatch(key) and int(key) < len(value):
                value = value[int(key)]
            case _:
                return False
    return isinstance(value, dict | bool)


def _told(value: Json) -> str:
    """A value in short, safe to print."""
    text = json.dumps(value, ensure_ascii=False)
    return f"`{visible(text if len(text) <= _WIDEST else text[:_WIDEST] + '…')}`"


def _defect(pointer: str, message: str) -> Finding:
    return Finding("schema-defect", Severity.LOW, pointer, message)
