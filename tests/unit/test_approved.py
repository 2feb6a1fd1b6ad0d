"""The quick way through a lock accepts nothing that the strict reader refuses."""

import json
from pathlib import Path

import pytest

from mcplock.approved import Omitted, of_lock, of_text
from mcplock.errors import FaultyFile
from mcplock.lockfile import format_lock, read_lock
from mcplock.model import Invalid, Kind
from tests.locks import OTHER_HASH, SOURCE, entry, lock, server, tool

EXAMPLE = (Path(__file__).parents[2] / "mcp.lock.example").read_bytes()


def strictly(data: bytes):
    """What the strict reader makes of it; None where it refuses."""
    try:
        return of_lock(read_lock(data, "mcp.lock")[0])
    except FaultyFile:
        return None


def test_both_ways_find_the_same():
    found = of_text(EXAMPLE)
    assert found is not None
    assert found == strictly(EXAMPLE)
    assert [tool.id for tool in found.tools[:2]] == [
        "calendar/create_event",
        "calendar/list_events",
    ]
    assert found.omitted[:2] == [
        Omitted("calendar", "delete_event", "changed"),
        Omitted("calendar", "export_events", "new"),
    ]


def places(value, path=()):
    """The path of every value inside `value`."""
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*path, key)
            yield from places(item, (*path, key))


def holder(value, path):
    for key in path[:-1]:
        value = value[key]
    return value


VALUES = [None, True, 1, 1.5, "x", [], {}, ["a\nb"], {"a": 1}, OTHER_HASH, "never", "stdio"]


def edits():
    """The example with each value in turn deleted or replaced, and a key added beside it."""
    whole = json.loads(EXAMPLE)
    for path in places(whole):
        for value in [*VALUES, "delete", "add"]:
            edited = json.loads(EXAMPLE)
            at = holder(edited, path)
            if value == "delete":
                del at[path[-1]]
            elif value == "add" and isinstance(at, dict):
                at["note"] = "why"
                at["extra"] = 1
            else:
                at[path[-1]] = value
            yield edited


def test_no_edit_is_accepted_that_the_strict_reader_refuses():
    accepted = refused = 0
    for edited in edits():
        data = json.dumps(edited, indent=2).encode()
        quick = of_text(data)
        if quick is None:
            refused += 1
        else:
            accepted += 1
            assert quick == strictly(data), edited
    assert accepted > 50
    assert refused > 2_000


def test_a_key_that_stands_twice_is_seen_wherever_it_stands():
    lines = EXAMPLE.decode().split("\n")
    seen = 0
    for at, line in enumerate(lines):
        if '": ' in line and line.rstrip(",").endswith(("]", "}", '"', "true", "false", "1")):
            twice = "\n".join([*lines[: at + 1], line, *lines[at + 1 :]]).encode()
            if line.rstrip().endswith(","):
                seen += 1
                assert of_text(twice) is None, line
    assert seen > 50


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b"\xff", b"\xef\xbb\xbf" + EXAMPLE, EXAMPLE[: len(EXAMPLE) // 2]],
)
def test_what_is_no_plain_lock_is_left_to_the_strict_reader(data):
    assert of_text(data) is None


def test_another_layout_is_the_same_lock():
    minified = json.dumps(json.loads(EXAMPLE), separators=(",", ":")).encode()
    assert of_text(minified) == strictly(minified) == of_text(EXAMPLE)


ODD = {
    "quotes": 'a": "b": \\": \\\\": ',
    "backslash\\": "x\\",
    'quo"te': ['": '],
    "astral": "\U0001f600\ue000",
    "\U0001f600": 1,
    "\ufb01": 2,
    "doubles": [1e-7, 1.5, 123456789012345678901234567890, 1e-5, 0.1],
}


def test_odd_contents_are_read_alike():
    definition = tool("odd", "a\nb\n", approve=True, more={"x": ODD, "title": None})
    bare = tool("bare", None, approve=True)
    data = format_lock(lock(**{'s": "': server(definition, bare)})).encode()
    found = of_text(data)
    assert found is not None
    assert found == strictly(data)
    assert found.tools[1].wire["x"] == ODD


def head(**more):
    return tool("t", approve=True, **more)


SOURCES = {
    "approved": entry(SOURCE, approve=True),
    "new": entry(SOURCE),
    "changed": entry(SOURCE, approved=OTHER_HASH),
    "denied": entry(SOURCE, approve=True, denied="no"),
}
PACKAGE = {"registry": "npm", "name": "x", "version": "1"}


@pytest.mark.parametrize(
    ("definition", "more", "reason"),
    [
        (head(), {}, ""),
        (head(confirm="never"), {}, ""),
        (head(note="why"), {}, ""),
        (tool("t"), {}, "new"),
        (tool("t", approved=OTHER_HASH), {}, "changed"),
        (head(denied="no"), {}, "denied: no"),
        (head(denied="", absent=True), {}, "denied"),
        (tool("t", more={"inputSchema": []}), {}, "invalid: schema"),
        (head()._replace(content=None, invalid=Invalid.DEPTH), {}, "invalid: depth"),
        (head(), {"source": SOURCES["new"]}, "its server's source is new"),
        (head(), {"source": SOURCES["changed"]}, "its server's source is changed"),
        (head(), {"source": SOURCES["denied"]}, "its server's source is denied: no"),
        (head(), {"package": entry(PACKAGE)}, ""),
        (head(), {"package": entry(PACKAGE, approve=True)}, ""),
        (
            head(),
            {"package": entry(PACKAGE, approved=OTHER_HASH)},
            "its server's package is changed",
        ),
    ],
)
def test_a_tool_is_usable_or_its_reason_is_told(definition, more, reason):
    base = server(tool("t", approve=True), **more)
    whole = lock(s=base._replace(definitions={Kind.TOOL: {"t": definition}}))
    for found in (of_text(format_lock(whole).encode()), of_lock(whole)):
        assert found is not None
        assert [left.reason for left in found.omitted] == [reason] * bool(reason)
        assert len(found.tools) == (not reason)
        assert all(tool.confirm is (definition.confirm is None) for tool in found.tools)


def test_closed_servers_have_no_tools_and_say_nothing():
    said = entry("Use it.", approve=True)
    whole = lock(a=server(head(), instructions=said), b=server(head(), instructions=said))
    found = of_lock(whole, {"a": "disabled"})
    assert [tool.server for tool in found.tools] == ["b"]
    assert found.omitted == [Omitted("a", "t", "disabled")]
    assert found.instructions == {"b": "Use it."}


def test_a_tool_hands_out_copies():
    (found,) = of_lock(lock(s=server(head()))).tools
    found.definition["inputSchema"]["properties"].clear()
    found.input_schema["properties"].clear()
    assert found.input_schema["properties"] == {"q": {"type": "string"}}
    assert (found.output_schema, found.title, found.id) == (None, None, "s/t")
    assert len({found, found}) == 1
