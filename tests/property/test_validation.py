"""Our checker against the library's own, and against schemas that are no schemas."""

import json

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st

from mcplock.validation import Checker, Unjudged

NAMES = st.sampled_from(["a", "b", "type", "items", "$ref"])
SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.5, "", "a", "ab"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])


def _leaf():
    return st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
            "enum": st.lists(VALUES, min_size=1, max_size=3),
            "const": VALUES,
            "minimum": st.integers(-2, 2),
            "exclusiveMaximum": st.integers(-2, 2),
            "multipleOf": st.sampled_from([1, 2, 0.5]),
            "minLength": st.integers(0, 2),
            "maxItems": st.integers(0, 2),
            "minProperties": st.integers(0, 2),
            "uniqueItems": st.booleans(),
            "pattern": st.sampled_from(["^a", "b$", "^(a|b)*$"]),
            "required": st.lists(NAMES, max_size=2, unique=True),
        },
    )


def _schemas(inner):
    named = st.dictionaries(NAMES, inner, max_size=2)
    some = st.lists(inner, min_size=1, max_size=3)
    parts = st.fixed_dictionaries(
        {},
        optional={
            "properties": named,
            "patternProperties": st.dictionaries(st.sampled_from(["^a", "^t|b$"]), inner),
            "additionalProperties": inner,
            "propertyNames": inner,
            "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=1), max_size=2),
            "dependentSchemas": named,
            "prefixItems": some,
            "items": inner,
            "contains": inner,
            "minContains": st.integers(0, 2),
            "maxContains": st.integers(0, 2),
            "allOf": some,
            "anyOf": some,
            "oneOf": some,
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
            "unevaluatedProperties": inner,
            "unevaluatedItems": inner,
        },
    )
    return st.builds(lambda leaf, part: {**leaf, **part}, _leaf(), parts)


PLAIN = st.recursive(st.booleans() | _leaf(), _schemas, max_leaves=4)
WHOLE = st.builds(
    lambda root, defs, ref: {**root, "$defs": defs, **ref},
    _schemas(PLAIN),
    st.fixed_dictionaries({"d": PLAIN}),
    st.sampled_from([{}, {"$ref": "#/$defs/d"}]),
)


@settings(max_examples=60, deadline=None)
@given(WHOLE, st.lists(VALUES, min_size=1, max_size=4))
def test_a_well_formed_schema_is_judged_as_the_library_judges_it(schema, values):
    checker = Checker(schema)
    stock = jsonschema.Draft202012Validator(schema)
    for value in values:
        judgement = checker.check(value)
        assert not judgement.caveats
        assert (not judgement.violations) == stock.is_valid(value)


KEYWORDS = st.sampled_from(
    [
        *("type", "enum", "const", "required", "properties", "items", "prefixItems", "$ref"),
        *("allOf", "anyOf", "oneOf", "not", "if", "then", "pattern", "patternProperties", "$id"),
        *("minimum", "minLength", "contains", "minContains", "additionalProperties", "$schema"),
        *("$defs", "dependencies", "$anchor", "$dynamicRef", "unevaluatedProperties", "id"),
    ]
)
TEXTS = st.sampled_from(
    [
        *("#", "#/$defs/a", "#a", "http://[x", "http://x/y", "%%", "string", "(?>", "^(a+)+$"),
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-07/schema#",
    ]
)
JUNK = st.recursive(
    SCALARS | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(KEYWORDS | NAMES, inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(KEYWORDS, JUNK, max_size=4), VALUES)
def test_no_schema_stops_the_checker(schema, value):
    before = json.dumps(schema)
    try:
        for violation in Checker(schema).check(value).violations:
            assert str(violation).isprintable()
    except Unjudged:
        pass
    assert json.dumps(schema) == before
