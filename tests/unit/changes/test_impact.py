import pytest

from mcplock.canonical import hash_value
from mcplock.changes import Impact, compare_entries
from mcplock.changes.schemas import Side, schema_verdicts
from mcplock.model import Entry, Kind

BREAKING, COMPATIBLE, UNKNOWN, NONE = (
    Impact.BREAKING, Impact.COMPATIBLE, Impact.UNKNOWN, Impact.NONE,
)  # fmt: skip


def change(old, new, kind=Kind.TOOL):
    before, after = (Entry(hash_value(content), content) for content in (old, new))
    return compare_entries("docs", kind, "get", before, after)


def impact(old, new, key="inputSchema"):
    return change({"name": "get", key: old}, {"name": "get", key: new}).impact


def prop(**schema):
    return {"type": "object", "properties": {"type": schema}}


# old, new, for who sends it, for who reads it
PAIRS = [
    (prop(type="string"), prop(type="integer"), BREAKING, BREAKING),
    (prop(type="integer"), prop(type="number"), COMPATIBLE, BREAKING),
    (prop(type="string"), prop(type=["string", "null"]), COMPATIBLE, BREAKING),
    (prop(), prop(type="string"), BREAKING, COMPATIBLE),
    (prop(type="string"), prop(type=7), UNKNOWN, UNKNOWN),
    (prop(enum=["a", "b"]), prop(enum=["a"]), BREAKING, COMPATIBLE),
    (prop(enum=["a"]), prop(enum=["a", "b"]), COMPATIBLE, BREAKING),
    (prop(enum=["a", "b"]), prop(enum=["b", "a"]), NONE, NONE),
    (prop(enum=[1]), prop(enum=[True]), BREAKING, BREAKING),
    (prop(), prop(enum=["a"]), BREAKING, COMPATIBLE),
    (prop(const=1), prop(), COMPATIBLE, BREAKING),
    (prop(minimum=1), prop(minimum=2), BREAKING, COMPATIBLE),
    (prop(minimum=2), prop(minimum=1), COMPATIBLE, BREAKING),
    (prop(maxLength=2), prop(maxLength=1), BREAKING, COMPATIBLE),
    (prop(maxLength=2), prop(), COMPATIBLE, BREAKING),
    (prop(), prop(maxItems=9), BREAKING, COMPATIBLE),
    (prop(exclusiveMinimum=True), prop(exclusiveMinimum=3), UNKNOWN, UNKNOWN),
    (prop(pattern="a"), prop(pattern="b"), UNKNOWN, UNKNOWN),
    (prop(), prop(pattern="b"), BREAKING, COMPATIBLE),
    (prop(uniqueItems=False), prop(uniqueItems=True), BREAKING, COMPATIBLE),
    (prop(default=1), prop(default=2), UNKNOWN, UNKNOWN),
    (prop(description="a", title="b"), prop(description="c"), NONE, NONE),
    (prop(items={"type": "string"}), prop(items={}), COMPATIBLE, BREAKING),
    (prop(items=[{}]), prop(items=[{"type": "string"}]), BREAKING, COMPATIBLE),
    (prop(items=True), prop(items=False), BREAKING, COMPATIBLE),
    (prop(items={}), prop(items=3), UNKNOWN, UNKNOWN),
    (prop(additionalProperties=False), prop(), COMPATIBLE, BREAKING),
    (prop(), prop(additionalProperties=False), BREAKING, COMPATIBLE),
    (prop(type="string"), prop(anyOf=[{"type": "string"}, {"type": "null"}]), COMPATIBLE, BREAKING),
    (prop(anyOf=[{"type": "string"}, {"type": "null"}]), prop(type="string"), BREAKING, COMPATIBLE),
    (prop(type=["string", "null"]), prop(anyOf=[{"type": "string"}]), BREAKING, COMPATIBLE),
    (prop(anyOf=[{"const": 1}]), prop(anyOf=[{"const": 1}, {"const": 2}]), COMPATIBLE, BREAKING),
    (prop(anyOf=[{"minimum": 1}]), prop(anyOf=[{"minimum": 2}]), BREAKING, COMPATIBLE),
    (prop(oneOf=[{"const": 1}, {"title": ""}]), prop(oneOf=[{"title": ""}, {"const": 1}]),
     NONE, NONE),
    (prop(allOf=[{"minimum": 1}, {"maximum": 2}]), prop(allOf=[{"maximum": 2}, {"minimum": 1}]),
     NONE, NONE),
    (prop(type=["string", "null"]), prop(type=["null", "string"]), NONE, NONE),
    (prop(prefixItems=[{"type": "string"}, {"type": "null"}]),
     prop(prefixItems=[{"type": "null"}, {"type": "string"}]), BREAKING, BREAKING),
    (prop(oneOf=[{}, {}]), prop(oneOf="x"), UNKNOWN, UNKNOWN),
    (prop(allOf=[]), prop(allOf=[{"minimum": 2}]), BREAKING, COMPATIBLE),
    (prop(**{"$ref": "#/a"}), prop(**{"$ref": "#/b"}), UNKNOWN, UNKNOWN),
    (prop(**{"if": {}}), prop(**{"if": {"const": 1}}), UNKNOWN, UNKNOWN),
    ({"required": ["a"]}, {"required": ["a", "b"]}, BREAKING, COMPATIBLE),
    ({"required": ["a", "b"]}, {"required": ["b"]}, COMPATIBLE, BREAKING),
    ({"required": ["a", "b"]}, {"required": ["b", "a"]}, NONE, NONE),
    ({"$defs": {"a": {"type": "string"}}}, {"$defs": {"a": {}}}, COMPATIBLE, BREAKING),
    ({"$schema": "a", "$id": "b"}, {"$schema": "c"}, NONE, NONE),
    ({}, {"unheard-of": 1}, UNKNOWN, UNKNOWN),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "sent", "read"), PAIRS)
def test_a_schema_for_who_sends_and_for_who_reads(old, new, sent, read):
    assert impact(old, new) is sent
    assert impact(old, new, "outputSchema") is read


def test_properties_that_come_and_go():
    plain, wide = {"properties": {}}, {"properties": {"a": {}}}
    required = wide | {"required": ["a"]}
    assert impact(plain, wide) is COMPATIBLE
    assert impact(plain, required) is BREAKING
    assert impact(wide, plain) is BREAKING
    assert impact(plain, wide, "outputSchema") is COMPATIBLE
    assert impact(wide, plain, "outputSchema") is COMPATIBLE
    assert impact(required, plain, "outputSchema") is BREAKING


def test_each_field_says_why():
    old = {"properties": {"a": {"enum": [1, 2]}, "b": {}}, "required": []}
    new = {"properties": {"a": {"enum": [1]}, "c": {"type": "string"}}, "required": ["c"]}
    found = change({"inputSchema": old}, {"inputSchema": new})
    assert [(field.pointer, field.impact, field.reason) for field in found.fields] == [
        ("/inputSchema/properties/a/enum/1", BREAKING, "fewer values"),
        ("/inputSchema/properties/b", BREAKING, "property removed"),
        ("/inputSchema/properties/c", BREAKING, "new required property"),
        ("/inputSchema/required/0", BREAKING, "newly required"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"description": "a"}, {"description": "b"}, NONE),
        ({"annotations": {}}, {"annotations": {"readOnlyHint": True}}, NONE),
        ({"_meta": 1}, {"_meta": 2}, NONE),
        ({"execution": 1}, {"execution": 2}, UNKNOWN),
        ({"outputSchema": {}}, {}, BREAKING),
        ({}, {"outputSchema": {}}, COMPATIBLE),
        ({}, {"inputSchema": {}}, UNKNOWN),
        ({"inputSchema": []}, {"inputSchema": {}}, UNKNOWN),
    ],
)
def test_a_tool_beside_its_schemas(old, new, expected):
    assert change(old, new).impact is expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([], [{"name": "a", "required": True}], BREAKING),
        ([], [{"name": "a"}], COMPATIBLE),
        ([{"name": "a"}], [], BREAKING),
        ([{"name": "a"}], [{"name": "a", "required": True}], BREAKING),
        ([{"name": "a", "required": True}], [{"name": "a", "required": False}], COMPATIBLE),
        ([{"name": "a"}], [{"name": "a", "description": "b"}], NONE),
        ([{"name": "a"}, {"name": "b"}], [{"name": "b"}, {"name": "a"}], NONE),
        ([{"name": "a"}, {"name": "b"}], [{"name": "b", "description": "b"}], BREAKING),
    ],
)
def test_the_arguments_of_a_prompt(old, new, expected):
    assert change({"arguments": old}, {"arguments": new}, Kind.PROMPT).impact is expected


@pytest.mark.parametrize(
    ("kind", "old", "new", "expected"),
    [
        (Kind.INSTRUCTIONS, "a", "b", NONE),
        (Kind.SOURCE, {"command": "a"}, {"command": "b"}, UNKNOWN),
        (Kind.RESOURCE, {"mimeType": "a"}, {"mimeType": "b"}, UNKNOWN),
        (Kind.TEMPLATE, {"description": "a"}, {"description": "b"}, NONE),
    ],
)
def test_what_is_no_tool(kind, old, new, expected):
    assert change(old, new, kind).impact is expected


def test_a_schema_that_nests_to_the_limit_is_walked():
    def nested(leaf):
        for _ in range(190):
            leaf = {"items": leaf}
        return leaf

    (verdict,) = schema_verdicts("", nested({"minimum": 1}), nested({"minimum": 2}), Side.INPUT)
    assert verdict.impact is BREAKING


# ---- what a model reads


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"description": "a"}, {"description": "b"}, True),
        ({"x": 1}, {"x": 2}, False),
        ({"x": False}, {"x": True}, False),
        ({"x": 1}, {"x": "1"}, True),
        ({}, {"x": 1}, True),
        ({"x": [1]}, {"x": [1, 2]}, False),
        ({"x": [1]}, {"x": [1, "a"]}, True),
        ({"x": [1]}, {"x": [1, {}]}, False),
        ({"x": [1]}, {"x": [1, {"a": 1}]}, True),
        ({"x": {"0": 1}}, {"x": {"0": 1, "1": 1}}, True),
        ({"_meta": {"a": "b"}}, {"_meta": {"a": "c"}}, False),
        ({}, {"_meta": {"a": "c"}}, False),
        ({"icons": ["a"]}, {"icons": ["b"]}, False),
        ({"inputSchema": {"$schema": "a"}}, {"inputSchema": {"$schema": "b", "$id": "c"}}, False),
        ({"inputSchema": {"properties": {"$id": {}}}}, {"inputSchema": {"properties": {}}}, True),
        (
            {"inputSchema": {"properties": {"$id": {"$id": "a"}}}},
            {"inputSchema": {"properties": {"$id": {"$id": "b"}}}},
            False,
        ),
        ({"inputSchema": {"default": {"$id": "a"}}}, {"inputSchema": {"default": {}}}, True),
        ({"inputSchema": {"items": [{"$id": "a"}]}}, {"inputSchema": {"items": [{}]}}, False),
        ({"$schema": "a"}, {"$schema": "b"}, True),
        ({"inputSchema": {"_meta": "a"}}, {"inputSchema": {"_meta": "b"}}, True),
    ],
)
def test_text_is_what_a_model_may_read(old, new, expected):
    assert change(old, new).text is expected


def test_a_source_is_text_throughout():
    assert change({"_meta": "a"}, {"_meta": "b"}, Kind.SOURCE).text
