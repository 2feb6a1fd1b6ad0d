"""A schema as a server sent it -> one that a validator cannot stumble over.

What is not well formed is left out, so that it refuses nothing, and noted where it was, so
that nothing is concluded from its absence. A schema is walked as a schema: what stands
under `properties` are names.
"""

from dataclasses import dataclass

from mcplock.jsontext import Json
from mcplock.patterns import Pattern, Unsupported
from mcplock.pointers import SCHEMA_LISTS, SCHEMA_MAPS, SCHEMAS, step
from mcplock.text import visible
from mcplock.validation.dialects import Dialect, dialect_of, named_dialect
from mcplock.validation.forms import are_strings, is_reference, well_formed

LEFT_OUT = "$mcplock-left-out"
"""The keyword under which a prepared schema lists, as caveats, what it lacks."""


@dataclass(frozen=True, slots=True)
class Caveat:
    """Something in a schema that was not, or not wholly, checked.

    pointer: the keyword's place, from the schema's root; message: safe to print.
    """

    pointer: str
    message: str

    def __str__(self) -> str:
        return f"{visible(self.pointer) or 'the schema'}: {self.message}"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A schema that is safe to evaluate, with what it lacks under `LEFT_OUT`."""

    schema: Json
    dialect: Dialect
    caveats: tuple[Caveat, ...] = ()


def prepare(schema: Json) -> Prepared:
    """Read `schema` in the dialect that it names, an unknown one as the newest."""
    dialect = dialect_of(schema)
    clean = _Walk(dialect).schema(schema, "")
    if named_dialect(schema):
        return Prepared(clean, dialect)
    caveat = Caveat("/$schema", f"names a dialect that is not known here; read as {dialect}")
    return Prepared(clean, dialect, (caveat,))


@dataclass(frozen=True, slots=True)
class _Unchecked:
    """Why a keyword is left out."""

    reason: str = "is not well formed and was not checked"


# What the second refuses is all that the first does not name: so the first must be known.
_RELY_ON = {
    "properties": "additionalProperties",
    "patternProperties": "additionalProperties",
    "prefixItems": "items",
    "items": "additionalItems",
}


@dataclass(frozen=True, slots=True)
class _Walk:
    """One walk through a schema of one dialect."""

    dialect: Dialect

    def schema(self, value: Json, pointer: str) -> Json:
        """`value` with all in it that is well formed; no schema at all counts as `true`."""
        if isinstance(value, bool):
            return value
        if not isinstance(value, dict):
            return {LEFT_OUT: [Caveat(pointer, _Unchecked().reason)]}
        if self.dialect.ref_stands_alone and is_reference(value.get("$ref")):
            value = {key: value[key] for key in ("$ref", "definitions", "$defs") if key in value}
        clean: dict[str, Json] = {}
        caveats: list[Caveat] = []
        lost = []
        for key, item in value.items():
            kept = self.keyword(key, item, pointer + step(key))
            if isinstance(kept, _Unchecked):
                lost.append(key)
                caveats.append(Caveat(pointer + step(key), kept.reason))
            elif key != "$schema":
                clean[key] = kept
        for key in lost:
            self.drop_what_relies(clean, key, pointer, caveats)
        if self.dialect is Dialect.DRAFT_4:
            _number_bounds(clean)
        return {LEFT_OUT: caveats, **clean} if caveats else clean

    def drop_what_relies(
        self, clean: dict[str, Json], key: str, pointer: str, caveats: list[Caveat]
    ) -> None:
        relying = _RELY_ON.get(key, "")
        if clean.pop(relying, None) is not None:
            reason = f"was not checked: it relies on `{key}`"
            caveats.append(Caveat(pointer + step(relying), reason))

    def keyword(self, key: str, value: Json, pointer: str) -> Json | _Unchecked:
        """The value to evaluate under `key`."""
        if key == "$schema":
            return self.nested_dialect(value, pointer)
        if key == "pattern":
            return _pattern(value)
        if key == "patternProperties" and isinstance(value, dict):
            return self.named_by_pattern(value, pointer)
        if key == "dependencies" and isinstance(value, dict):
            return {
                name: item if are_strings(item) else self.schema(item, pointer + step(name))
                for name, item in value.items()
            }
        if key in SCHEMA_MAPS or key == "dependencies":
            return self.schema_map(value, pointer)
        if key in SCHEMA_LISTS or (
            key == "items" and isinstance(value, list) and self.dialect.items_may_be_list
        ):
            return self.schema_list(value, pointer)
        if key in SCHEMAS:
            # A list here is a tuple in the words of another dialect: its rest is not known.
            is_schema = isinstance(value, dict | bool)
            return self.schema(value, pointer) if is_schema else _Unchecked()
        if key == LEFT_OUT or not well_formed(key, value, self.dialect):
            return _Unchecked()
        return value

    def nested_dialect(self, value: Json, pointer: str) -> Json | _Unchecked:
        if pointer == "/$schema" or named_dialect({"$schema": value}) is self.dialect:
            return value
        return _Unchecked(f"is another dialect than the schema around it, read as {self.dialect}")

    def schema_map(self, value: Json, pointer: str) -> Json | _Unchecked:
        if not isinstance(value, dict):
            return _Unchecked()
        return {name: self.member(item, pointer + step(name)) for name, item in value.items()}

    def schema_list(self, value: Json, pointer: str) -> Json | _Unchecked:
        if not isinstance(value, list) or not value:
            return _Unchecked()
        return [self.member(item, pointer + step(at)) for at, item in enumerate(value)]

    def member(self, value: Json, pointer: str) -> Json:
        """A schema that stands in a list or under a name.

        `false` in other words: the library forgets the place of what a bare one refuses.
        """
        return {"not": {}} if value is False else self.schema(value, pointer)

    def named_by_pattern(self, value: dict[str, Json], pointer: str) -> Json | _Unchecked:
        """The patterns in the words of `re`, which is what the validator asks."""
        clean: dict[str, Json] = {}
        for source, item in value.items():
            try:
                name = Pattern(source).as_re()
            except Unsupported as reason:
                return _Unchecked(f"was not checked: {visible(source)}: {reason}")
            kept = self.member(item, pointer + step(source))
            clean[name] = {"allOf": [clean[name], kept]} if name in clean else kept
        return clean


def _number_bounds(clean: dict[str, Json]) -> None:
    """Write draft-04's `exclusiveMinimum: true` beside a `minimum` as all others write it."""
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if clean.pop(exclusive, False) and bound in clean:
            clean[exclusive] = clean.pop(bound)


def _pattern(value: Json) -> Json | _Unchecked:
    if not isinstance(value, str):
        return _Unchecked()
    try:
        Pattern(value)
    except Unsupported as reason:
        return _Unchecked(f"was not checked: {reason}")
    return value
