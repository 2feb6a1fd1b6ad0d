"""One lock, one text."""

import pytest

from mcplock.lockfile import format_lock, read_lock
from mcplock.model import Entry, Invalid, Kind, Lock, LockedServer, ServerInfo
from tests.locks import OTHER_HASH, entry, lock, server, tool

EMPTY = """\
{
  "lockfileVersion": 1,
  "servers": {}
}
"""


def hashes(locked: LockedServer) -> dict[str, str]:
    return {name or kind.value: held.hash for kind, name, held in locked.entries()}


def test_an_empty_lock():
    assert format_lock(Lock()) == EMPTY


def test_every_key_in_its_order():
    everything = tool(
        "everything",
        "One line.\n\nAnother.",
        approved=OTHER_HASH,
        denied="no",
        confirm="never",
        note="why",
        absent=True,
        more={"title": "T", "annotations": {"readOnlyHint": True}, "zz": [1.0]},
    )
    source = entry(
        {
            "capabilities": ["roots"],
            "env": {"B": "1", "A": "2"},
            "cwd": "sub",
            "args": [],
            "command": "python",
            "type": "stdio",
        },
        note="seen",
    )
    package = entry(
        {"extra": 1, "version": "1", "name": "docs", "registry": "npm", "integrity": "sha512-x"}
    )
    prompt = entry({"arguments": [{"name": "a"}], "name": "ask", "description": None})
    docs = LockedServer(
        source=source,
        package=package,
        protocol="2025-11-25",
        info=ServerInfo("docs", "1"),
        instructions=entry("Two\nlines", approve=True),
        definitions={
            Kind.RESOURCE: {"file:///r": entry({"uri": "file:///r", "name": "r"})},
            Kind.TEMPLATE: {"file:///{p}": entry({"name": "t", "uriTemplate": "file:///{p}"})},
            Kind.PROMPT: {"ask": prompt},
            Kind.TOOL: {
                "everything": everything,
                "deep": Entry(hash=OTHER_HASH, invalid=Invalid.DEPTH),
            },
        },
        reserved={"profiles": {}, "varying": ["x"]},
    )
    of = hashes(docs)

    text = format_lock(lock(docs=docs))

    assert (
        text
        == f"""\
{{
  "lockfileVersion": 1,
  "servers": {{
    "docs": {{
      "source": {{
        "hash": "{of["source"]}",
        "note": "seen",
        "type": "stdio",
        "command": "python",
        "args": [],
        "cwd": "sub",
        "env": {{"B": "1", "A": "2"}},
        "capabilities": ["roots"]
      }},
      "package": {{
        "hash": "{of["package"]}",
        "registry": "npm",
        "name": "docs",
        "version": "1",
        "integrity": "sha512-x",
        "extra": 1
      }},
      "protocol": "2025-11-25",
      "server": {{"name": "docs", "version": "1"}},
      "instructions": {{
        "hash": "{of["instructions"]}",
        "approved": "{of["instructions"]}",
        "text": ["Two", "lines"]
      }},
      "tools": {{
        "deep": {{
          "hash": "{OTHER_HASH}",
          "invalid": "depth"
        }},
        "everything": {{
          "hash": "{of["everything"]}",
          "approved": "{OTHER_HASH}",
          "denied": "no",
          "confirm": "never",
          "note": "why",
          "absent": true,
          "description": ["One line.", "", "Another."],
          "definition": {{
            "inputSchema": {{
              "type": "object",
              "properties": {{
                "q": {{"type": "string"}}
              }}
            }},
            "title": "T",
            "annotations": {{"readOnlyHint": true}},
            "zz": [1]
          }}
        }}
      }},
      "prompts": {{
        "ask": {{
          "hash": "{of["ask"]}",
          "definition": {{
            "arguments": [
              {{"name": "a"}}
            ],
            "description": null
          }}
        }}
      }},
      "resourceTemplates": {{
        "file:///{{p}}": {{
          "hash": "{of["file:///{p}"]}",
          "definition": {{"name": "t"}}
        }}
      }},
      "resources": {{
        "file:///r": {{
          "hash": "{of["file:///r"]}",
          "definition": {{"name": "r"}}
        }}
      }},
      "varying": ["x"],
      "profiles": {{}}
    }}
  }}
}}
"""
    )


@pytest.mark.parametrize("kind", ["http", "sse"])
def test_a_source_with_a_url(kind):
    source = entry({"headers": {"X": "${T}"}, "url": "https://a.example/mcp", "type": kind})
    text = format_lock(lock(docs=server(source=source)))
    assert [line.strip().split(":")[0] for line in text.split("\n")[4:9]] == [
        '"source"',
        '"hash"',
        '"type"',
        '"url"',
        '"headers"',
    ]


def test_names_stand_in_code_point_order():
    names = ["b", "a", "B", "", "__proto__", "\u00e9", "\U0001f600", "\uffee", "a/b", "10", "9"]
    tools = [tool(name) for name in names]
    text = format_lock(Lock({name: server(*tools) for name in names}))
    locked, canonical = read_lock(text.encode(), "mcp.lock")
    assert canonical
    assert list(locked.servers) == sorted(names)
    assert list(locked.servers["a"].of(Kind.TOOL)) == sorted(names)


@pytest.mark.parametrize(
    ("description", "lines"),
    [
        ("", [""]),
        ("\n", ["", ""]),
        ("a\r\nb", ["a\r", "b"]),
        ("a\u2028b", ["a\u2028b"]),
        ("a\n", ["a", ""]),
    ],
)
def test_prose_is_a_line_an_element(description, lines):
    text = format_lock(lock(docs=server(tool("t", description))))
    locked, _ = read_lock(text.encode(), "mcp.lock")
    assert locked.servers["docs"].of(Kind.TOOL)["t"].content["description"] == description
    from json import loads

    assert loads(text)["servers"]["docs"]["tools"]["t"]["description"] == lines


@pytest.mark.parametrize("description", [None, 1, ["a"], {"a": 1}, [], False])
def test_a_description_that_is_no_string_stays_in_the_definition(description):
    before = lock(docs=server(tool("t", description)))
    text = format_lock(before)
    after, canonical = read_lock(text.encode(), "mcp.lock")
    assert (after, canonical) == (before, True)
    assert '"description": [' not in text.split('"definition"')[0]
