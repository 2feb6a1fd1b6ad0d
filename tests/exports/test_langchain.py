"""Schemas that LangChain would harm on their way to a model are written so that it cannot."""

import pytest

from mcplock.exporters.langchain import langchain_schema
from tests.exports.nasty import DRAFT_7, SCHEMAS, TREE

TEXT = {"type": "string"}
LISTED = {"enum": ["a"]}


def of(properties: dict, **more: object) -> dict:
    return {"type": "object", "properties": properties, **more}


CIRCLE = {"properties": {"again": {"$ref": "#/$defs/circle"}}}
MANY = SCHEMAS["many references"]

UNHARMED = {
    "a tree": TREE,
    "a property called title": of({"title": TEXT, "$defs": TEXT}),
    "a described reference": of({"a": {"$ref": "#/$defs/a", "description": "A."}})
    | {"$defs": {"a": TEXT}},
    "a reference to a place": of({"a": {"anyOf": [TEXT]}, "b": {"$ref": "#/properties/a/anyOf/0"}}),
    "no reference at all": SCHEMAS["every keyword"],
    "a circle": of({"a": {"$ref": "#/$defs/circle"}}, **{"$defs": {"circle": CIRCLE}}),
}


@pytest.mark.parametrize("kind", UNHARMED)
def test_a_schema_that_survives_is_left_alone(kind: str) -> None:
    assert langchain_schema(UNHARMED[kind]) is UNHARMED[kind]


HARMED = {
    "a property called $ref": (
        of({"$ref": TEXT, "b": TEXT}, required=["$ref"], additionalProperties=False),
        of({"b": TEXT}, required=["$ref"], additionalProperties=False)
        | {"patternProperties": {r"^\$ref$": TEXT}},
    ),
    "a reference to elsewhere": (of({"a": {"$ref": "https://example.com/x"}}), of({"a": {}})),
    "a reference to nothing": (of({"a": {"$ref": "#/$defs/none"}}), of({"a": {}})),
    "a reference that is none": (of({"a": {"$ref": 7}}), of({"a": {}})),
    "an escaped reference": (
        of({"a": {"$ref": "#/$defs/a~1b"}, "b": {"$ref": "#/$defs/a%20b"}})
        | {"$defs": {"a/b": TEXT, "a b": {"type": "integer"}}},
        of({"a": TEXT, "b": {"type": "integer"}}),
    ),
    "data with such a key": (
        of({"a": {"default": {"$ref": "x"}, "x-y": [{"$ref": "x"}]}, "b": {"const": {"$ref": 1}}}),
        of({"a": {}, "b": {}}),
    ),
    "a constant with a title": (
        of({"a": {"const": {"title": "x"}}}),
        of({"a": {"allOf": [{"enum": [{"title": "x"}]}]}}),
    ),
    "keywords beside a reference": (
        of({"a": {"$ref": "#/$defs/a", "minLength": 1}}, **{"$defs": {"a": {"minLength": 5}}}),
        of({"a": {"minLength": 5}}),
    ),
    "keywords beside a reference of an older dialect": (
        of({"a": {"$ref": "#/definitions/a", "minLength": 9}})
        | {"$schema": DRAFT_7, "definitions": {"a": {"minLength": 5}}},
        {"$schema": DRAFT_7, **of({"a": {"minLength": 5}})},
    ),
    "a property called $defs": (
        of({"$defs": {"$ref": "#/$defs/a"}}, **{"$defs": {"a": TEXT}}),
        of({"$defs": TEXT}),
    ),
    "a property title that is forbidden": (
        of({"title": False}, additionalProperties=False),
        of({"title": {"not": {}}}, additionalProperties=False),
    ),
    "patterns with such names": (
        of({}, patternProperties={"title": TEXT, "$ref": LISTED}, additionalProperties=False),
        of({}, patternProperties={"(?:title)": TEXT, "(?:$ref)": LISTED})
        | {"additionalProperties": False},
    ),
    "what depends on such names": (
        of({}, dependentRequired={"title": ["a"], "b": ["c"]}, dependentSchemas={"$ref": LISTED}),
        of({}, dependentRequired={"b": ["c"]}, dependentSchemas={}),
    ),
    "a circle in what is denied": (
        of({"a": {"not": {"$ref": "#/$defs/circle"}}}, **{"$defs": {"circle": CIRCLE}}),
        of({"a": {}}),
    ),
}


@pytest.mark.parametrize("kind", HARMED)
def test_a_schema_that_would_be_harmed_is_written_otherwise(kind: str) -> None:
    given, wanted = HARMED[kind]
    made = langchain_schema(given)
    assert made == wanted
    assert langchain_schema(made) is made, "and survives now"


def test_references_that_would_fill_the_memory_are_written_out_as_far_as_it_goes() -> None:
    made = langchain_schema(MANY)
    assert made["properties"]["a"]["properties"]["l"]["properties"]["m"]["type"] == "object"
    assert langchain_schema(made) is made


@pytest.mark.parametrize("kind", [kind for kind, schema in SCHEMAS.items() if schema])
def test_no_schema_is_harmed(kind: str) -> None:
    made = langchain_schema(SCHEMAS[kind])
    assert langchain_schema(made) is made
