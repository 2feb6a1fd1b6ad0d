"""What is wrong inside a schema, told as a finding; what merely looks so is none."""

import json

import pytest

from mcplock.audit import audit_entry
from mcplock.model import Kind

TREE = {"type": "object", "properties": {"child": {"$ref": "#/$defs/Node"}}}
DEFECTS = {
    "a type that is none": ({"properties": {"p": {"type": "int"}}}, "/properties/p/type"),
    "a type among others": ({"properties": {"p": {"type": ["string", "any"]}}},
                            "/properties/p/type"),
    "required as draft 3 had it": ({"properties": {"p": {"required": True}}},
                                   "/properties/p/required"),
    "a bound of draft 4": ({"items": {"exclusiveMinimum": True}}, "/items/exclusiveMinimum"),
    "a property that is no schema": ({"properties": {"p": "string"}}, "/properties/p"),
    "properties in a list": ({"properties": [{"type": "string"}]}, "/properties"),
    "no schema for the rest": ({"additionalProperties": "no"}, "/additionalProperties"),
    "a reference to nothing": ({"properties": {"p": {"$ref": "#/$defs/Missing"}}},
                               "/properties/p/$ref"),
    "a reference to data": ({"anyOf": [{"$ref": "#/title"}], "title": "x"}, "/anyOf/0/$ref"),
    "a reference past a list": ({"allOf": [{"$ref": "#/allOf/1"}]}, "/allOf/0/$ref"),
    "a reference by no index": ({"allOf": [{"$ref": "#/allOf/01"}, {}]}, "/allOf/0/$ref"),
    "an anchor that is not there": ({"not": {"$ref": "#a"}}, "/not/$ref"),
    "a file": ({"not": {"$ref": "other.json#/a"}}, "/not/$ref"),
    "no URI": ({"not": {"$ref": "https://[/"}}, "/not/$ref"),
    "beside what is no URI": ({"$id": "https://[/", "not": {"$ref": "#"}}, "/$id"),
    "no text": ({"not": {"$ref": 5}}, "/not/$ref"),
    "no dialect": ({"$schema": "https://example.com/mine"}, "/$schema"),
    "in a definition": ({"$defs": {"a/b": {"minLength": -1}}}, "/$defs/a~1b/minLength"),
}  # fmt: skip
SOUND = {
    "legal recursion": TREE | {"$defs": {"Node": TREE}},
    "recursion by the root": {"properties": {"p": {"$ref": "#"}}},
    "names like keywords": {"properties": {"$ref": {"type": "string"}, "type": {}, "id": {}}},
    "data like a schema": {"default": {"$ref": "#/x", "type": "int"}, "enum": [{"type": "int"}]},
    "an escaped name": {"$defs": {"a/b %": {}}, "not": {"$ref": "#/$defs/a~1b%20%25"}},
    "an anchor": {"$defs": {"x": {"$anchor": "a"}}, "not": {"$ref": "#a"}},
    "an anchor of draft 7": {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {"x": {"$id": "#a"}},
        "not": {"$ref": "#a"},
    },
    "its own address": {
        "$id": "https://example.com/tool",
        "$defs": {"a": {"type": "null"}},
        "anyOf": [{"$ref": "https://example.com/tool#/$defs/a"}, {"$ref": "tool#/$defs/a"}],
    },
    "a part with an address": {
        "$defs": {"x": {"$id": "urn:x", "$defs": {"a": {}}, "not": {"$ref": "#/$defs/a"}}},
        "not": {"$ref": "urn:x"},
    },
    "the schema of schemas": {"not": {"$ref": "https://json-schema.org/draft/2020-12/schema"}},
    "a list of draft 7": {"items": [{"type": "string"}]},
    "dependencies": {"dependencies": {"a": ["b"], "c": {"type": "object"}}},
}


def found(schema, key="inputSchema"):
    content = {"name": "get", "description": "Gets.", "inputSchema": {"type": "object"}}
    content[key] = {"type": "object", **schema}
    return [
        (found.rule, found.severity.value, found.pointer)
        for found in audit_entry(Kind.TOOL, "get", content, {})
    ]


@pytest.mark.parametrize("key", ["inputSchema", "outputSchema"])
@pytest.mark.parametrize(("schema", "pointer"), DEFECTS.values(), ids=DEFECTS)
def test_a_defect_is_told_where_it_stands(schema, pointer, key):
    assert found(schema, key) == [("schema-defect", "low", f"/{key}{pointer}")]


@pytest.mark.parametrize("schema", SOUND.values(), ids=SOUND)
def test_what_is_sound_is_no_finding(schema):
    assert found(schema) == []


@pytest.mark.parametrize("uri", ["http://a.example/x.json", "urn:x", "file:///etc/x#/a"])
def test_a_reference_to_elsewhere_is_text_that_nobody_locked(uri):
    (finding,) = found({"properties": {"p": {"$ref": uri}}})
    assert finding == ("remote-reference", "medium", "/inputSchema/properties/p/$ref")


def test_a_schema_of_defects_has_no_more_findings_than_anybody_reads():
    schema = {"properties": {str(at): {"type": "int"} for at in range(5_000)}}
    assert len(found(schema)) == 20


def test_what_a_schema_says_is_safe_to_print():
    content = {"name": "get", "description": "Gets."}
    content["inputSchema"] = {"type": "object", "not": {"type": "\x1b[2J\u202e" + "x" * 999}}
    messages = [found.message for found in audit_entry(Kind.TOOL, "get", content, {})]
    told = next(message for message in messages if "`type`" in message)
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert len(told) < 200


def test_many_references_into_one_large_schema_are_each_followed_by_their_own_length():
    deep: dict = {"type": "string"}
    for _ in range(90):
        deep = {"not": deep}
    references = {str(at): {"$ref": "#/$defs/deep" + "/not" * 90} for at in range(2_000)}
    schema = {"$defs": {"deep": deep}, "properties": references}
    assert found(json.loads(json.dumps(schema))) == []
