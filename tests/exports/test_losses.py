"""Every change that an export makes is listed, with a pointer that leads somewhere."""

import json

import pytest

from mcplock.approved import Tool
from mcplock.exporters import Loss, Options
from mcplock.exporters.make import make
from mcplock.pointers import steps, value_at
from tests.exports.nasty import SCHEMAS, tool
from tests.exports.test_exports import PROVIDERS, exported, real_tools, schema_in


def unlisted(tool: Tool, name: str) -> list:
    """Changes that an export of `tool` does not list, or lists where nothing stood."""
    (made,) = make([tool], name, Options()).tools
    schema = tool.wire.get("inputSchema")
    found = [loss for loss in made.losses if not leads_somewhere(tool, loss)]
    if not made.losses and json.dumps(schema_in(name, made.wire)) != json.dumps(schema):
        found.append((name, "changed without a loss"))
    return found


def leads_somewhere(tool: Tool, loss: Loss) -> bool:
    """Whether a loss points to what stood there, or to where something was added."""
    path = steps(loss.pointer)
    if " added" in loss.message or "was absent" in loss.message:
        path.pop()
    try:
        value_at(tool.wire, path)
    except (LookupError, ValueError, TypeError):
        return False
    return True


@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_loss_points_into_the_definition(name, kind):
    assert unlisted(tool("s", "t", SCHEMAS[kind]), name) == []


@pytest.mark.parametrize("name", PROVIDERS)
def test_every_loss_of_a_real_tool_points_into_its_definition(name):
    assert [found for tool in real_tools() for found in unlisted(tool, name)] == []


@pytest.mark.parametrize("name", ["openai", "anthropic", "bedrock", "gemini"])
def test_a_loss_in_what_was_merged_points_to_where_it_stood(name):
    schema = {
        "type": "object",
        "properties": {"parent": {"anyOf": [{"$ref": "#/$defs/parent"}]}},
        "allOf": [{"$ref": "#/$defs/base"}],
        "$defs": {
            "parent": {"oneOf": [{"pattern": "^(?=x)"}, {"type": "integer"}]},
            "base": {"oneOf": [{"required": ["a"]}], "maxProperties": 2**70},
        },
    }
    losses = exported(name, schema)[1]
    assert "/inputSchema/$defs/parent/oneOf" in losses
    assert "/inputSchema/$defs/base/maxProperties" in losses
    assert "/inputSchema/properties/parent/anyOf/0/oneOf" not in losses


def test_definitions_that_nothing_refers_to_are_lost_for_gemini():
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/used~1too"}},
        "$defs": {"used/too": {"type": "string"}, "not/used": {"type": "string"}},
        "definitions": {},
    }
    made, losses = exported("gemini", schema)
    assert made == {"type": "object", "properties": {"a": {"type": "string"}}}
    assert losses == [
        "/inputSchema/properties/a/$ref",
        "/inputSchema/$defs/not~1used",
        "/inputSchema/definitions",
    ]


def test_a_single_type_in_a_list_is_lost_for_gemini():
    schema = {"type": "object", "properties": {"a": {"type": ["string"]}}}
    assert exported("gemini", schema)[1] == ["/inputSchema/properties/a/type"]
