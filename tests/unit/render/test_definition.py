"""A whole definition: nothing that a server says of a tool is left out of what a person reads."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcplock.model import Entry, Kind
from mcplock.render.definition import definition_lines
from mcplock.render.spans import to_plain

RICH = json.loads(
    (Path(__file__).parents[3] / "fixtures" / "tools" / "rich.json").read_text(encoding="utf-8")
)


def words(value: object) -> Iterator[str]:
    """The words of every string and key in `value`; names of keywords that are drawn are not."""
    match value:
        case dict():
            for key, inner in value.items():
                yield from words(inner) if key == "description" else words([key, inner])
        case list():
            for inner in value:
                yield from words(inner)
        case str():
            yield from value.split()
        case _:
            yield json.dumps(value)


def text(schema: object) -> str:
    content = {"name": "t", "inputSchema": schema}
    return to_plain(definition_lines(Kind.TOOL, Entry(hash="", content=content), 300))


def test_everything_in_a_rich_tool_is_shown() -> None:
    rest = {key: value for key, value in RICH.items() if key not in ("name", "inputSchema")}
    shown = to_plain(definition_lines(Kind.TOOL, Entry(hash="", content=RICH), 300))
    flat = shown.replace("~1", "/").replace("~0", "~")
    drawn = {"properties", "type", "enum", "items"}
    missing = [
        word
        for word in (*words(rest), *words(RICH["inputSchema"]))
        if word not in drawn and word not in flat and json.dumps(word)[1:-1] not in flat
    ]
    assert not missing


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({"type": "string", "properties": {"a": {}}}, '/inputSchema/type  "string"'),
        ({"type": "object", "required": ["ghost"]}, '/inputSchema/required  ["ghost"]'),
        ({"properties": {"a": {}}, "required": ["a", "ghost"]}, '["a", "ghost"]'),
        ({"properties": {"a": {}}, "required": ["a", ["b"]]}, '/required/1  ["b"]'),
        ({"properties": {"a": {"enum": "not a list"}}}, 'enum "not a list"'),
        ({"properties": {"a": {"enum": [1, 2], "type": "integer"}}}, "1 | 2 · type"),
        ({"properties": {"a": {"type": ["string", 7]}}}, 'type ["string", 7]'),
        ({"properties": {"a": True}}, "a     true  no"),
        ({"properties": {}}, "/inputSchema/properties  {}"),
    ],
)
def test_odd_schemas_are_shown_as_they_are(schema: object, told: str) -> None:
    assert told in text(schema)


def test_nothing_is_said_of_a_schema_that_its_rows_tell() -> None:
    schema = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    assert text(schema).splitlines() == [
        "    name  type    required  description",
        "    q     string  yes",
    ]


def test_an_empty_object_is_shown() -> None:
    content = {"name": "t", "_meta": {}}
    shown = to_plain(definition_lines(Kind.TOOL, Entry(hash="", content=content), 80))
    assert shown == "    /_meta  {}\n"


def test_no_text_leaves_its_column_or_begins_a_row() -> None:
    long = "query" + "_" * 30 + "token"
    schema = {"properties": {long: {"type": "string " * 8, "description": "Word " * 40}}}
    content = {"name": "t", "inputSchema": schema}

    head, first, *more = to_plain(
        definition_lines(Kind.TOOL, Entry(hash="", content=content), 80)
    ).splitlines()

    required, prose = head.index("required"), head.index("description")
    assert first[required:prose].strip() == "no"
    assert all(not row[required:prose].strip() for row in more)
    assert all(row.startswith(" " * 5) for row in more), "it would read as another name"
    assert all(len(row) <= 80 for row in [head, first, *more])
