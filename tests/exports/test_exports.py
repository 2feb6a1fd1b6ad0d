"""Every export of nasty and of real tools holds the rules of its provider."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from jsonschema.validators import validator_for

from mcplock.approved import Tool
from mcplock.exporters import FORMATS, Options
from mcplock.exporters.make import make
from mcplock.jsontext import parse
from tests.exports.nasty import DRAFT_7, SCHEMAS, TREE, nasty_tools, tool
from tests.exports.rules import RULES, problems

LISTINGS = Path(__file__).parents[3] / "shared" / "data" / "livemcptool_tools.json"
PROVIDERS = list(RULES)
SILENT = frozenset({"mcp__mute__silent"})
WAYS = [
    *((name, Options()) for name in PROVIDERS),
    ("openai-responses", Options(defer=True)),
    ("openai-responses", Options(namespaces=True)),
    ("openai-responses", Options(namespaces=True, defer=True, keep=SILENT)),
    ("anthropic", Options(defer=True)),
    ("anthropic", Options(defer=True, tool_search="regex")),
    ("anthropic", Options(tool_search="bm25")),
    ("anthropic", Options(defer=True, keep=SILENT, tool_search="none")),
]
IDS = [f"{name}-{at}" for at, (name, _) in enumerate(WAYS)]


def real_tools() -> list[Tool]:
    if not LISTINGS.is_file():
        pytest.skip(f"EXPORTS OF REAL TOOLS WERE NOT CHECKED: there are no listings at {LISTINGS}")
    rows = parse(LISTINGS.read_text(encoding="utf-8"))["tools"]
    return [
        tool(row["server"], row["tool"], row.get("inputSchema"), description=row["description"])
        for row in rows
    ] + [tool("mute", "silent")]


@pytest.mark.parametrize(("name", "options"), WAYS, ids=IDS)
def test_nasty_tools_hold_the_rules(name, options):
    assert problems(name, make(nasty_tools(), name, options).document) == []


@pytest.mark.parametrize(("name", "options"), WAYS, ids=IDS)
def test_real_tools_hold_the_rules(name, options):
    made = make(real_tools(), name, options)
    assert len(made.tools) == 528
    assert problems(name, made.document) == []


@pytest.mark.parametrize("name", list(FORMATS))
def test_the_same_tools_give_the_same_bytes(name):
    first, second = (json.dumps(make(nasty_tools(), name, Options()).document) for _ in range(2))
    assert first == second


UNORDERED = {
    "$schema": DRAFT_7,
    "type": "object",
    "properties": {
        "a": {"$ref": "#/definitions/a", "minLength": 1, "pattern": "^(?=x)\\bx", "maxLength": 2},
        "b": {"minContains": 1, "maxContains": 2, "prefixItems": [], "unevaluatedItems": False},
    },
    "dependentRequired": {"a": ["b"]},
    "dependentSchemas": {"a": {}},
    "unevaluatedProperties": False,
    "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
    "definitions": {"a": {"type": "string"}, "unused": {}, "too": {}},
}
EVERY_MAP = """
import sys
from dataclasses import replace
from tests.exports.nasty import nasty_tools, tool
from tests.exports.test_exports import FORMATS, Options, UNORDERED, json, make
from mcplock.render.export import export_document, map_document
from mcplock.workflow.export import Export
for name in FORMATS:
    made = make([*nasty_tools(), tool("un", "ordered", UNORDERED)], name, Options())
    export = Export(made.document, made.lines, made.tools, made.nameless)
    sys.stdout.buffer.write((export_document(export) + map_document(export)).encode())
"""


def test_every_process_writes_the_same_bytes_and_the_same_map():
    root = Path(__file__).parents[2]
    made = {
        subprocess.run(
            [sys.executable, "-c", EVERY_MAP],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in range(4)
    }
    (document,) = made
    assert document.count(b"minContains") > 1


@pytest.mark.parametrize("name", list(FORMATS))
def test_an_export_changes_no_tool(name):
    tools = nasty_tools()
    before = json.dumps([tool.wire for tool in tools])
    make(tools, name, Options())
    assert json.dumps([tool.wire for tool in tools]) == before


def schema_in(name: str, wire: dict) -> dict:
    match name:
        case "openai":
            return wire["function"]["parameters"]
        case "openai-responses":
            return wire["parameters"]
        case "anthropic":
            return wire["input_schema"]
        case "gemini":
            return wire["parametersJsonSchema"]
        case "bedrock":
            return wire["toolSpec"]["inputSchema"]["json"]
        case _:
            return wire["inputSchema"]


def exported(name: str, schema: object):
    """(schema, pointers of the losses) of one tool in one format."""
    (made,) = make([tool("s", "t", schema)], name, Options()).tools
    return schema_in(name, made.wire), [loss.pointer for loss in made.losses]


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_schema_that_is_taken_is_carried_verbatim(name):
    schema = {
        "type": "object",
        "properties": {
            "b": {"type": "string", "description": "Bee."},
            "a": {"type": "array", "items": {"type": "integer", "minimum": 1}},
            "type": {"type": "string", "enum": ["x", "y"]},
        },
        "required": ["b"],
        "additionalProperties": False,
    }
    made, losses = exported(name, schema)
    assert (json.dumps(made), losses) == (json.dumps(schema), [])


@pytest.mark.parametrize("name", ["openai", "openai-responses", "anthropic", "bedrock", "mcp"])
def test_references_stay_where_they_are_taken(name):
    assert exported(name, TREE) == (TREE, [])


def test_a_recursive_reference_is_written_out_once_for_gemini():
    made, losses = exported("gemini", TREE)
    node = made["properties"]["root"]
    inner = node["properties"]["children"]["items"]
    assert (node["type"], node["required"], inner) == ("object", ["value"], {"type": "object"})
    assert losses == [
        "/inputSchema/properties/root/$ref",
        "/inputSchema/$defs/Node/properties/children/items/$ref",
    ]


@pytest.mark.parametrize("name", ["openai", "anthropic", "bedrock", "gemini"])
def test_alternatives_at_the_root_are_folded_and_told(name):
    made, losses = exported(name, SCHEMAS["one of three at the root"])
    assert made["required"] == ["name"]
    assert list(made["properties"]) == ["content", "url", "file_id", "name"]
    assert made["description"] == "Give exactly one of these: `content`; `url`; `file_id`."
    assert "/inputSchema/oneOf" in losses


def test_properties_of_alternatives_are_united():
    made, losses = exported("anthropic", SCHEMAS["nothing but alternatives"])
    assert made == {
        "properties": {
            "kind": {"anyOf": [{"const": "file"}, {"const": "url"}]},
            "path": {"type": "string"},
            "url": {"type": "string"},
        },
        "required": ["kind"],
        "additionalProperties": False,
        "description": 'Give at least one of these: `path` and `kind` = "file";'
        ' `url` and `kind` = "url".',
        "type": "object",
    }
    assert losses == ["/inputSchema/anyOf", "/inputSchema/type"]


@pytest.mark.parametrize("name", ["openai", "anthropic", "bedrock"])
def test_a_reference_to_a_root_without_a_type_leads_to_a_copy(name):
    made, losses = exported(name, {"properties": {"next": {"$ref": "#"}}})
    copied = {"properties": {"next": {"$ref": "#/$defs/root"}}}
    assert made == {**copied, "type": "object", "$defs": {"root": copied}}
    assert losses == ["/inputSchema/type", "/inputSchema/properties/next/$ref"]


@pytest.mark.parametrize("name", ["openai", "anthropic", "bedrock"])
def test_a_reference_to_what_was_folded_leads_to_a_copy(name):
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"$ref": "#/properties/a"}},
        "allOf": [{"properties": {"a": {"minLength": 3}}}],
        "$defs": {"properties-a": {"$ref": "#/allOf/0/properties/a"}},
    }
    made, _ = exported(name, schema)
    assert made["properties"]["b"] == {"$ref": "#/$defs/properties-a-2"}
    assert made["$defs"] == {
        "properties-a": {"$ref": "#/$defs/allOf-0-properties-a"},
        "properties-a-2": {"type": "string"},
        "allOf-0-properties-a": {"minLength": 3},
    }


def test_only_the_offending_pattern_is_dropped():
    made, losses = exported("openai", SCHEMAS["patterns"])
    kept = [name for name, item in made["properties"].items() if "pattern" in item]
    assert kept == ["plain"]
    assert "/inputSchema/properties/ahead/pattern" in losses
    assert made["properties"]["unless"] == {}
    assert "oneOf" not in made["properties"]["one"]
    assert "additionalProperties" not in made


def test_bounds_are_dropped_for_the_target_that_refuses_them():
    bedrock, losses = exported("bedrock", SCHEMAS["large bounds"])
    anthropic, _ = exported("anthropic", SCHEMAS["large bounds"])
    assert bedrock["properties"]["b"] == {"type": "string"}
    assert anthropic["properties"]["b"] == {"type": "string", "maxLength": 4294967295}
    assert "/inputSchema/properties/b/maxLength" in losses


def test_a_tuple_is_written_in_the_newest_dialect():
    made, losses = exported("anthropic", SCHEMAS["tuple"])
    assert made["properties"]["point"]["prefixItems"] == [{"type": "number"}, {"type": "number"}]
    assert made["properties"]["point"]["items"] is False
    assert "$schema" not in made
    assert "/inputSchema/properties/point/additionalItems" in losses


def test_a_dialect_that_needs_no_translation_stays_named():
    schema = {"$schema": DRAFT_7, "type": "object", "properties": {"a": {"type": "string"}}}
    assert exported("anthropic", schema) == (schema, [])
    assert exported("gemini", schema)[1] == ["/inputSchema/$schema"]


@pytest.mark.parametrize("schema", [None, {}])
@pytest.mark.parametrize("name", PROVIDERS)
def test_no_schema_is_an_open_object(name, schema):
    made, losses = exported(name, schema)
    assert made == (
        {"type": "object", "properties": {}} if "openai" in name else {"type": "object"}
    )
    assert losses[0] == "/inputSchema"


def test_an_empty_description_is_none_for_bedrock():
    (made,) = make([tool("s", "t", {"type": "object"}, description="")], "bedrock", Options()).tools
    assert "description" not in made.wire["toolSpec"]
    assert [loss.pointer for loss in made.losses] == ["/description"]


def test_an_output_schema_whose_reference_leads_nowhere_is_left_out():
    broken = {"type": "object", "properties": {"a": {"$ref": "#/$defs/Missing"}}}
    for answers, kept in ((broken, False), (TREE, True)):
        (made,) = make(
            [tool("s", "t", {"type": "object"}, outputSchema=answers)], "mcp", Options()
        ).tools
        assert ("outputSchema" in made.wire, made.losses == []) == (kept, kept)


def test_names_stay_when_other_tools_go():
    tools = nasty_tools()
    names = {made.tool: made.name for made in make(tools, "openai", Options()).tools}
    assert len(set(names.values())) == len(tools) == len(names)
    for some in (tools[::2], tools[::7], tools[-3:]):
        for made in make(some, "openai", Options()).tools:
            assert made.name == names[made.tool]
            assert re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}", made.name)


ARGUMENTS = [
    {},
    {"root": {"value": "a", "children": [{"value": "b", "children": []}]}},
    {"and": [{"and": [], "field": "x"}]},
    {"b": None},
    {"b": {"b": {"b": None}}},
    {"a": {"l": {"m": {}}}},
    {"point": [1, 2]},
    {"open": ["a", 1]},
    {"none": ["a"]},
    {"a": [1], "b": None},
    {"a": 5, "b": 9},
    {"name": "n", "url": "u"},
    {"kind": "file", "path": "p"},
    {"kind": "url", "url": "u"},
    {"a": 7, "b": "no integer"},
    {"x": 2, "y": 1},
    {"a": "x", "c": 1},
    {"type": "a", "$ref": "b", "items": ["c"], "properties": {"required": True}},
    {"ahead": "x", "unless": "x", "one": "x", "plain": "a@b.co"},
    {"x_1": 1},
    {"a": 10**15, "c": 10**29, "d": 5},
    {"count": 1, "elsewhere": "x", "maybe": None, "several": 1, "mixed": None, "kind": "a"},
    {"count": 10, "elsewhere": "x", "many": [1, "b"], "map": {"x1": "a", "x2": "b"}, "both": "abc"},
    {"b": {}, "d": {"z": 1}, "e": 1, "f": 1, "g": "x", "h": 1},
]


@pytest.mark.parametrize("kind", SCHEMAS)
def test_nasty_schemas_are_only_widened(kind):
    from mcplock.arguments import check_arguments, input_schema

    locked = input_schema(tool("s", "t", SCHEMAS[kind]).wire)
    fitting = [given for given in ARGUMENTS if not check_arguments(locked, given).violations]
    assert fitting
    for name in PROVIDERS:
        made, _ = exported(name, SCHEMAS[kind])
        if name == "mcp" and kind in (
            "malformed",
            "a loop of references",
            "a reference to nothing",
        ):
            continue  # verbatim, whatever it is
        validator = validator_for(made, default=jsonschema.Draft202012Validator)
        if kind == "a loop of references" and name != "gemini":
            continue  # the library would follow it without end
        for given in fitting:
            assert validator(made).is_valid(given), (name, given)
