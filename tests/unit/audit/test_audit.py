import pytest

from mcplock.audit import Severity, audit_entry, audit_lock
from mcplock.canonical import hash_value
from mcplock.model import Entry, Kind, Lock, LockedServer

GOOD = {"name": "get", "description": "Gets.", "inputSchema": {"type": "object"}}


def rules(kind, content, name="get"):
    return [(found.rule, found.pointer) for found in audit_entry(kind, name, content, {})]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"description": ""}, [("empty-description", "/description")]),
        ({"description": " \n"}, [("empty-description", "/description")]),
        ({"description": None}, [("empty-description", "/description")]),
        ({"inputSchema": None}, [("schema-type", "/inputSchema")]),
        ({"inputSchema": {}}, [("schema-type", "/inputSchema")]),
        (
            {"inputSchema": {"$schema": "x"}},
            [("schema-type", "/inputSchema"), ("schema-defect", "/inputSchema/$schema")],
        ),
        ({"inputSchema": True}, [("schema-type", "/inputSchema")]),
        ({"inputSchema": []}, [("schema-type", "/inputSchema")]),
        ({"outputSchema": {}}, [("schema-type", "/outputSchema")]),
        ({"outputSchema": {"anyOf": []}}, []),
        ({"outputSchema": {"type": "object"}}, []),
    ],
)
def test_the_form_of_a_tool(change, expected):
    assert rules(Kind.TOOL, GOOD | change) == expected


def test_what_is_not_there_is_told_of_the_whole():
    assert rules(Kind.TOOL, {"name": "get"}) == [("empty-description", ""), ("schema-type", "")]
    assert rules(Kind.PROMPT, {"name": "get"}) == [("empty-description", "")]


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("content", [None, {}])
def test_an_entry_without_content_is_no_trouble(kind, content):
    assert all(found.severity is Severity.LOW for found in audit_entry(kind, "x", content, {}))


def test_the_worst_comes_first():
    content = {"name": "get", "description": "", "title": "\u200b"}
    severities = [found.severity for found in audit_entry(Kind.TOOL, "get", content, {})]
    assert severities == ["high", "low", "low"]


def test_a_lock_is_read_as_one():
    def server(*tools):
        source = {"type": "stdio", "command": "run"}
        entries = {tool: Entry(hash_value(tool), GOOD | {"name": tool}) for tool in tools}
        return LockedServer(Entry(hash_value(source), source), definitions={Kind.TOOL: entries})

    lock = Lock({"git": server("read"), "g\u0456t": server("re\u0430d", "read")})
    found = {
        place: [finding.rule for finding in findings]
        for place, findings in audit_lock(lock).items()
    }
    assert found == {
        ("g\u0456t", Kind.SOURCE, ""): ["mixed-script", "look-alike"],
        ("g\u0456t", Kind.TOOL, "re\u0430d"): ["mixed-script", "look-alike"],
    }


def test_a_character_in_a_name_is_told_once():
    content = GOOD | {"name": "a\u200bb", "title": "\u200b"}
    assert rules(Kind.TOOL, content, "a\u200bb") == [
        ("hidden-character", "/name"),
        ("hidden-character", "/title"),
    ]
    assert rules(Kind.SOURCE, {"type": "stdio"}, "a\u200bb") == [("hidden-character", "")]


def test_a_tool_without_a_letter_in_its_name_is_not_taken_for_its_server():
    source = {"type": "stdio", "command": "run"}
    tool = Entry(hash_value(""), GOOD | {"name": ""})
    server = LockedServer(Entry(hash_value(source), source), definitions={Kind.TOOL: {"": tool}})
    found = audit_lock(Lock({"g\u0456t": server, "git": server}))
    assert [x.rule for x in found.pop(("g\u0456t", Kind.SOURCE, ""))] == [
        "mixed-script",
        "look-alike",
    ]
    assert {x.rule for findings in found.values() for x in findings} == {"tool-name"}


@pytest.mark.parametrize(
    ("name", "odd"),
    [
        ("a", False),
        ("Read_file-2.x", False),
        ("n" * 128, False),
        ("n" * 129, True),
        ("", True),
        ("read ", True),
        ("a/b", True),
        ("caf\u00e9", True),
    ],
)
def test_names_of_tools_are_held_to_the_specification(name: str, odd: bool):
    found = rules(Kind.TOOL, GOOD | {"name": name}, name)
    assert found == [("tool-name", "/name")] * odd
    assert rules(Kind.PROMPT, {"name": name, "description": "Ask."}, name) == []
