"""Two JSON Schemas -> what the difference means for a caller.

A keyword either narrows what the schema accepts or widens it. Arguments that are accepted
no longer break a caller; results that were not expected break a reader.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from mcplock.changes.identity import exact, same
from mcplock.changes.model import Impact
from mcplock.jsontext import Json
from mcplock.pointers import step


class Side(Enum):
    """Whether a schema is of what a caller sends or of what it gets."""

    INPUT = "input"
    OUTPUT = "output"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the difference at one place means; `reason` in a few words, or ""."""

    pointer: str
    impact: Impact
    reason: str = ""


Schema = Mapping[str, Json]
_Rule = Callable[["_Place", Json, Json], Iterator[Verdict]]
_ABSENT = object()


@dataclass(frozen=True, slots=True)
class _Place:
    """A keyword that differs: where it stands, and the two schemas it stands in."""

    pointer: str
    side: Side
    old: Schema
    new: Schema

    def narrower(self, reason: str) -> Verdict:
        return self.says(_NARROWER[self.side], reason)

    def wider(self, reason: str) -> Verdict:
        return self.says(_WIDER[self.side], reason)

    def says(self, impact: Impact, reason: str = "") -> Verdict:
        return Verdict(self.pointer, impact, reason)


_NARROWER = {Side.INPUT: Impact.BREAKING, Side.OUTPUT: Impact.COMPATIBLE}
_WIDER = {Side.INPUT: Impact.COMPATIBLE, Side.OUTPUT: Impact.BREAKING}


def schema_verdicts(pointer: str, old: Json, new: Json, side: Side) -> Iterator[Verdict]:
    """A verdict for each keyword, or whole schema, that differs between `old` and `new`."""
    if same(old, new):
        return
    place = _Place(pointer, side, _as_object(old), _as_object(new))
    if not (_is_schema(old) and _is_schema(new)):
        yield place.says(Impact.UNKNOWN)
    elif new is False:
        yield place.narrower("nothing is accepted any more")
    elif old is False:
        yield place.wider("no longer forbidden")
    elif any((key in place.old) != (key in place.new) for key in _UNIONS):
        yield from _union_or_not(place)
    else:
        yield from _keywords(place)


def _is_schema(value: Json) -> bool:
    return isinstance(value, dict | bool)


def _as_object(schema: Json) -> Schema:
    return schema if isinstance(schema, dict) else {}


def _keywords(within: _Place) -> Iterator[Verdict]:
    for key in within.old | within.new:  # type: ignore[operator]
        old, new = within.old.get(key, _ABSENT), within.new.get(key, _ABSENT)
        if old is _ABSENT or new is _ABSENT or not same(old, new):
            place = _Place(within.pointer + step(key), within.side, within.old, within.new)
            yield from _RULES.get(key, _unknown)(place, old, new)


# ---- rules, one for each family of keywords


def _unknown(place: _Place, old: Json, new: Json) -> Iterator[Verdict]:
    yield place.says(Impact.UNKNOWN)


def _reworded(place: _Place, old: Json, new: Json) -> Iterator[Verdict]:
    yield place.says(Impact.NONE)


def _default(place: _Place, old: Json, new: Json) -> Iterator[Verdict]:
    yield place.says(Impact.UNKNOWN, "another default")


def _type(place: _Place, old: Json, new: Json) -> Iterator[Verdict]:
    before, after = _types(old), _types(new)
    if before is None or after is None:
        yield place.says(Impact.UNKNOWN)
        return
    if before - after:
        yield place.narrower("no longer takes " + _words(before - after))
    if after - before:
        yield place.wider("also takes " + _words(after - before))
    if before == after:
        yield place.says(Impact.NONE)


_ALL_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def _types(value: Json) -> frozenset[str] | None:
    """The types that a `type` keyword allows; None where it is none."""
    match value:
        case str():
            names = {value}
        case list() if all(isinstance(name, str) for name in value):
            names = set(value)
        case _:
            return _ALL_TYPES if value is _ABSENT else None
    return frozenset(names | {"integer"} if "number" in names else names)


def _words(names: frozenset[str]) -> str:
    shown = names - {"integer"} if "number" in names else names
    return ", ".join(sorted(shown))


def _required(place: _Place, old: Json, new: Json) -> Iterator[Verdict]:
    before, after = _strings(old), _strings(new)
    if after - before:
        yield place.narrower("newly required")
    if before - after:
        yield place.wider("no longer required")
    if before == after:
        yield place.says(Impact.NONE)


def _strings(value: Json) -> set[str]:
    return {item for item in value if isinstance(item, str)} if isinstance(value, list) else set()


def _properties(place: _Place, old: Json, new: Json) -> Iterator[Verdict]:
    before, after = _as_object(old), _as_object(new)
    for name in before.keys() | after.keys():
        at = _Place(place.pointer + step(name), place.side, place.old, place.new)
        if name not in after:
            yield _property_gone(at, name)
        elif name not in before:
            yield _property_new(at, name)
        else:
            yield from schema_verdicts(at.pointer, before[name], after[name], place.side)


def _property_gone(place: _Place, name: str) -> Verdict:
    if place.side is Side.INPUT:
        return place.says(Impact.BREAKING, "property removed")
    if name in _strings(place.old.get("required")):
        return place.says(Impact.BREAKING, "required property removed")
    return place.says(Impact.COMPATIBLE, "optional property removed")


def _property_new(place: _Place, name: str) -> Verdict:
    if place.side is Side.INPUT and name in _strings(place.new.get("required")):
        return place.says(Impact.BREAKING, "new required property")
    return place.says(Impact.COMPATIBLE, "new property")


def _enum(place: _Place, old: Json, new: Json) -> Iterator[Verdict]:
    before, after = (
        {exact(item) for item in value} if isinstance(value, list) else None for value in (old, new)
    )
    if before is None or (after is not None and before - after):
        yield place.narrower("fewer values")
    if after is None or (before is not None and after - before):
        yield place.wider("more values")
    if before == after:
        yield place.says(Impact.NONE)


def _lower(place: _Place, old: Json, new: Json) -> Iterator[Verdict]:
    yield _bound(place, old, new, raised_narrows=True)


def _upper(place: _Place, old: Json, new: Json) -> Iterator[Verdict]:
    yield _bound(place, old, new, raised_narrows=False)


def _bound(place: _Place, old: Json, new: Json, *, raised_narrows: bool) -> Verdict:
    if old is _ABSENT and _is_number(new):
        return place.narrower("new bound")
    if new is _ABSENT and _is_number(old):
        return place.wider("bound removed")
    if not (_is_number(old) and _is_number(new)):
        return place.says(Impact.UNKNOWN)
    if (new > old) == raised_narrows:
        return place.narrower("tighter bound")
    return place.wider("looser bound")


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _restriction(place: _Place, old: Json, new: Json) -> Iterator[Verdict]:
    """A keyword that forbids something by being there."""
    if old is _ABSENT or old is False:
        yield place.narrower("new restriction")
    elif new is _ABSENT or new is False:
        yield place.wider("restriction removed")
    else:
        yield place.says(Impact.UNKNOWN)


def _subschema(place: _Place, old: Json, new: Json) -> Iterator[Verdict]:
    """A schema that allows everything where it is absent."""
    before, after = ({} if value is _ABSENT else value for value in (old, new))
    if after is False and place.pointer.endswith("/additionalProperties"):
        yield place.narrower("other properties are refused now")
    elif isinstance(before, list) and isinstance(after, list):
        yield from _all_of(place, before, after)
    else:
        yield from schema_verdicts(place.pointer, before, after, place.side)


def _named_schemas(place: _Place, old: Json, new: Json) -> Iterator[Verdict]:
    """Schemas by name that count only where something refers to them."""
    before, after = _as_object(old), _as_object(new)
    for name in before.keys() | after.keys():
        pointer = place.pointer + step(name)
        if name in before and name in after:
            yield from schema_verdicts(pointer, before[name], after[name], place.side)
        else:
            yield Verdict(pointer, Impact.NONE)


def _all_of(place: _Place, old: Json, new: Json) -> Iterator[Verdict]:
    if place.pointer.endswith("/allOf") and _reordered(old, new):
        yield place.says(Impact.NONE)
        return
    before, after = (value if isinstance(value, list) else [] for value in (old, new))
    for at, (left, right) in enumerate(zip(before, after, strict=False)):
        yield from schema_verdicts(place.pointer + step(at), left, right, place.side)
    if len(after) > len(before):
        yield place.narrower("new restriction")
    elif len(after) < len(before):
        yield place.wider("restriction removed")


def _reordered(old: Json, new: Json) -> bool:
    both = isinstance(old, list) and isinstance(new, list)
    return both and sorted(map(exact, old)) == sorted(map(exact, new))


_UNIONS = ("anyOf", "oneOf")


def _any_of(place: _Place, old: Json, new: Json) -> Iterator[Verdict]:
    if not (isinstance(old, list) and isinstance(new, list)):
        yield place.says(Impact.UNKNOWN)
        return
    before, after = ({exact(branch) for branch in value} for value in (old, new))
    if before <= after or after <= before:
        yield from _branches(place, before, after)
    elif len(old) == len(new):
        for at, (left, right) in enumerate(zip(old, new, strict=True)):
            yield from schema_verdicts(place.pointer + step(at), left, right, place.side)
    else:
        yield place.says(Impact.UNKNOWN)


def _branches(place: _Place, before: set[str], after: set[str]) -> Iterator[Verdict]:
    if after - before:
        yield place.wider("one more alternative")
    elif before - after:
        yield place.narrower("one alternative less")
    else:
        yield place.says(Impact.NONE)


def _union_or_not(place: _Place) -> Iterator[Verdict]:
    """A schema became one of several alternatives, or the reverse."""
    before, after = (
        {exact(branch) for branch in _branches_of(side)} for side in (place.old, place.new)
    )
    if before < after:
        yield place.wider("one of several alternatives now")
    elif after < before:
        yield place.narrower("fewer alternatives")
    else:
        yield place.says(Impact.UNKNOWN)


def _branches_of(schema: Schema) -> Sequence[Json]:
    """The alternatives of a schema that says nothing else; else the schema as the only one."""
    bare = {key: value for key, value in schema.items() if _RULES.get(key) is not _reworded}
    bare.pop("default", None)
    for union in _UNIONS:
        if bare.keys() == {union} and isinstance(bare[union], list):
            branches: list[Json] = bare[union]
            return branches
    if bare.keys() == {"type"} and isinstance(bare["type"], list):
        return [{"type": name} for name in bare["type"]]
    return [bare]


_RULES: Mapping[str, _Rule] = {
    "type": _type,
    "required": _required,
    "properties": _properties,
    "enum": _enum,
    "default": _default,
    "allOf": _all_of,
    "prefixItems": _all_of,
    **dict.fromkeys(_UNIONS, _any_of),
    **dict.fromkeys(
        ("title", "description", "examples", "$comment", "deprecated", "$schema", "$id"),
        _reworded,
    ),
    **dict.fromkeys(
        ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"),
        _lower,
    ),
    **dict.fromkeys(
        ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"),
        _upper,
    ),
    **dict.fromkeys(
        ("const", "pattern", "format", "multipleOf", "uniqueItems", "contentEncoding"),
        _restriction,
    ),
    **dict.fromkeys(
        (
            "items",
            "additionalProperties",
            "additionalItems",
            "propertyNames",
            "unevaluatedItems",
            "unevaluatedProperties",
        ),
        _subschema,
    ),
    **dict.fromkeys(("$defs", "definitions"), _named_schemas),
}
