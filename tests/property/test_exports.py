"""What the locked schema accepts, every exported one accepts: an export only widens."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcplock.exporters import Options
from mcplock.exporters.make import make
from mcplock.validation import Checker, Unjudged
from tests.exports.nasty import tool
from tests.exports.rules import problems
from tests.exports.test_exports import PROVIDERS, schema_in
from tests.exports.test_losses import unlisted

ABSENT = object()
GIVEN = [ABSENT, None, 1, 2.5, "a", "xa", ["a", 1], {"a": 1, "b": "xa"}]
ARGUMENTS = [
    {name: value for name, value in (("a", left), ("b", right)) if value is not ABSENT}
    for left in GIVEN
    for right in (ABSENT, None, 1, "xa", {"b": "a"})
] + [{"type": "a"}, {"$ref": 1, "type": 1}, {"a": "a", "b": 1, "type": "xa"}]

NEWEST = "https://json-schema.org/draft/2020-12/schema"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_4 = "http://json-schema.org/draft-04/schema#"
Schema = object

# Small schemas, most of which some provider refuses.
LEAVES: list[Schema] = [
    *({}, {"type": "string"}, {"type": "integer"}, {"type": "array"}, {"minLength": 2}),
    *({"pattern": "^(?!x)"}, {"pattern": "^a"}, {"pattern": "[a[]"}, {"maximum": 2**70}),
    *({"maximum": 2**40}, {"minimum": 2}, {"enum": ["a", None]}, {"format": "date"}),
    *({"type": ["string", "integer"]}, {"type": ["array", "null"]}, {"required": ["a"]}),
    *({"$ref": "#/$defs/d"}, {"$ref": "#/$defs/none"}, {"$ref": "#"}, {"required": ["b"]}),
    *({"$ref": "#/properties/a"}, {"$ref": "#/anyOf/0"}),
    {"properties": {"a": {"pattern": "^(?!x)"}}, "additionalProperties": False},
]
NEWER_LEAVES: list[Schema] = [
    *({"const": "a"}, {"const": True}, {"exclusiveMinimum": 1}, True, False),
    {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 2},
]
OLDEST_LEAVES: list[Schema] = [
    {"minimum": 1, "exclusiveMinimum": True},
    {"maximum": 1, "exclusiveMaximum": True},
]

Shape = Callable[[Schema, Schema], dict]
# Where a schema may stand in another one, in every dialect; the second is beside the first.
SHAPES: list[Shape] = [
    lambda s, _: {"properties": {"a": s}},
    lambda s, t: {"properties": {"a": s}, "required": ["a"], "additionalProperties": t},
    lambda s, _: {"properties": {"b": s}, "additionalProperties": False},
    lambda s, _: {"patternProperties": {"^(?!b)": s}},
    lambda s, _: {"patternProperties": {"^(?=a)": s}, "additionalProperties": False},
    lambda s, _: {"items": s},
    lambda s, _: {"not": s},
    lambda s, _: {"not": {"anyOf": [s, {"type": "null"}]}},
    lambda s, t: {"anyOf": [s, t]},
    lambda s, t: {"oneOf": [s, t]},
    lambda s, t: {"oneOf": [{"properties": {"a": s}, "required": ["a"]}, t]},
    lambda s, t: {"anyOf": [{"properties": {"b": s}}, {"properties": {"a": t}}]},
    lambda s, t: {"allOf": [s, t]},
    lambda s, t: {"allOf": [s, {"properties": {"a": t}}], "properties": {"a": {"type": "string"}}},
    lambda s, t: {"type": "object", "anyOf": [s], "oneOf": [t]},
]
NEWER_SHAPES: list[Shape] = [
    lambda s, t: {"if": s, "then": t},
    lambda s, t: {"if": t, "then": False, "else": s},
    lambda s, _: {"contains": s},
    lambda s, _: {"propertyNames": s},
    lambda s, t: {"allOf": [{"if": s, "then": t}, {"if": t, "else": s}]},
]
NEWEST_SHAPES: list[Shape] = [
    lambda s, _: {"contains": s, "maxContains": 1},
    lambda s, t: {"prefixItems": [s, t], "items": False},
    lambda s, _: {"dependentSchemas": {"a": s}},
    lambda s, _: {"properties": {"a": s}, "unevaluatedProperties": False},
    lambda s, _: {"allOf": [{"properties": {"a": s}}], "unevaluatedProperties": False},
    lambda s, t: {"anyOf": [s, t], "unevaluatedProperties": False},
    lambda s, _: {"not": {"properties": {"a": s}, "unevaluatedProperties": False}},
]
OLDER_SHAPES: list[Shape] = [
    lambda s, t: {"items": [s], "additionalItems": t},
    lambda s, _: {"items": [s], "additionalItems": False},
    lambda s, _: {"dependencies": {"a": s}},
    lambda s, _: {"not": {"dependencies": {"a": s}}},
    lambda s, _: {"$ref": "#/$defs/d", "not": s},
    lambda s, _: {"prefixItems": [s], "dependentRequired": {"a": ["b"]}},
]
DIALECTS = {
    NEWEST: (LEAVES + NEWER_LEAVES, SHAPES + NEWER_SHAPES + NEWEST_SHAPES),
    DRAFT_7: (LEAVES + NEWER_LEAVES, SHAPES + NEWER_SHAPES + OLDER_SHAPES),
    DRAFT_4: (LEAVES + OLDEST_LEAVES, SHAPES + OLDER_SHAPES),
}


def root(
    dialect: str, around: dict, inner: Schema, other: Schema, *, is_typed: bool = True
) -> dict:
    """A root that may say it is an object, and defines `d` and `e`."""
    named = {} if dialect == NEWEST else {"$schema": dialect}
    typed = {"type": "object"} if is_typed else {}
    return {**named, **around, **typed, "$defs": {"d": inner, "e": other}}


def accepts(checker: Checker, arguments: dict) -> bool:
    """Whether `arguments` fit; where that cannot be told they are not refused either."""
    try:
        return not checker.check(arguments).violations
    except Unjudged:
        return True


def fitting_ones(schema: dict) -> list:
    locked = Checker(schema)
    return [arguments for arguments in ARGUMENTS if accepts(locked, arguments)]


def refused(schema: dict, other: dict) -> list:
    """Arguments that `schema` accepts and `other` refuses."""
    checker = Checker(other)
    return [arguments for arguments in fitting_ones(schema) if not accepts(checker, arguments)]


def narrowed(schema: dict) -> list:
    """Arguments that the locked `schema` accepts and some exported one refuses."""
    fitting = fitting_ones(schema)
    found = []
    seen = [schema]
    for name in ("openai", "anthropic", "gemini", "bedrock"):
        made = make([tool("s", "t", schema)], name, Options())
        assert problems(name, made.document) == []
        exported = schema_in(name, made.tools[0].wire)
        if exported in seen:
            continue
        seen.append(exported)
        checker = Checker(exported)
        refused = [arguments for arguments in fitting if not accepts(checker, arguments)]
        found += [(name, refused[0], exported)] if refused else []
    return found


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("place", ["root", pytest.param("property", marks=pytest.mark.heavy)])
def test_every_schema_in_every_place_is_only_widened(dialect, place):
    leaves, shapes = DIALECTS[dialect]
    for shape in shapes:
        for inner in leaves:
            around = shape(inner, {"type": "integer"})
            whole = around if place == "root" else {"properties": {"a": around}}
            assert narrowed(root(dialect, whole, {"pattern": "^(?!x)"}, {})) == [], whole


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("ref", ["#", "#/properties/a", "#/anyOf/0", "#/allOf/0"])
def test_what_refers_to_a_changed_root_means_what_it_meant(dialect, ref):
    _, shapes = DIALECTS[dialect]
    for shape in shapes:
        around = {"properties": {"a": {"$ref": ref}}, **shape({"type": "string"}, {"not": {}})}
        made = root(dialect, around, {"properties": {"b": {"$ref": ref}}}, {}, is_typed=False)
        assert narrowed(made) == [], around


@st.composite
def schemas(draw: st.DrawFn) -> dict:
    """A schema of several such places, one in another."""
    dialect = draw(st.sampled_from(list(DIALECTS)))
    leaves, shapes = DIALECTS[dialect]
    shape = st.sampled_from(shapes)
    part = st.recursive(
        st.sampled_from(leaves),
        lambda inner: st.builds(lambda shape, s, t: shape(s, t), shape, inner, inner),
        max_leaves=4,
    )
    around = draw(shape)(draw(part), draw(part))
    if draw(st.booleans()):
        around = draw(shape)(draw(part), draw(part)) | around
    return root(dialect, around, draw(part), draw(part), is_typed=draw(st.booleans()))


@settings(max_examples=40, deadline=None)
@given(schemas())
def test_an_export_only_widens(schema):
    assert narrowed(schema) == []


@settings(max_examples=100, deadline=None)
@given(schemas())
def test_every_change_is_a_loss_that_points_into_the_definition(schema):
    for name in ("openai", "anthropic", "gemini", "bedrock"):
        assert unlisted(tool("s", "t", schema), name) == []


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", ["openai", "gemini"])
def test_every_schema_in_every_place_is_lost_where_it_stands(dialect, name):
    leaves, shapes = DIALECTS[dialect]
    for shape in shapes:
        for inner in leaves:
            around = shape(inner, {"$ref": "#/$defs/e"})
            for whole in (around, {"properties": {"a": around}}, {"allOf": [around]}):
                made = root(dialect, whole, around, around, is_typed=False)
                assert unlisted(tool("s", "t", made), name) == [], whole


SCALARS = st.sampled_from([None, True, -1, 0, 3, "", "string", "#", "#/$defs/d", "(?=x)", DRAFT_7])
KEYWORDS = st.sampled_from(
    [
        *("type", "enum", "required", "properties", "items", "$ref", "anyOf", "oneOf", "allOf"),
        *("not", "pattern", "minimum", "$defs", "additionalProperties", "prefixItems", "if"),
        *("exclusiveMinimum", "dependencies", "$schema", "const", "format", "title", "$id"),
        *("$anchor", "examples", "propertyNames"),
    ]
)
JUNK = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYWORDS, inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("name", PROVIDERS)
@settings(max_examples=50, deadline=None)
@given(schema=st.dictionaries(st.sampled_from(["properties", "$defs", "anyOf", "$ref"]), JUNK))
def test_no_schema_stops_an_export(name, schema):
    strange = tool("s", "t", {"type": "object", **schema})
    made = make([strange], name, Options())
    assert unlisted(strange, name) == []
    if name != "mcp":
        assert problems(name, made.document) == []
