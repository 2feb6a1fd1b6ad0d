"""`export`: what agents get, and what they do not."""

import json
from pathlib import Path

import pytest

from mcplock.model import Kind

from .conftest import Project, definition, server

EXPORT = ("export", "--format", "mcp")


def approved(project: Project, *tools: dict) -> None:
    project.write({"docs": server(*tools)})
    project.ok("approve", "docs", "--yes", "--with-findings", "--note", "n")


def names(project: Project, *arguments: str) -> list[str]:
    return [tool["name"] for tool in project.ok(*EXPORT, *arguments).document()["tools"]]


def test_a_definition_is_exported_as_it_was_sent_but_for_its_name(project: Project) -> None:
    wire = definition("search", title="Search", annotations={"readOnlyHint": True}) | {
        "_meta": {"x": [1, 2.5, None]},
        "inputSchema": {"type": "object", "properties": {"b": {}, "a": {}}},
    }
    approved(project, wire)

    (tool,) = project.ok(*EXPORT).document()["tools"]

    assert tool == wire | {"name": "mcp__docs__search"}
    assert list(tool["inputSchema"]["properties"]) == ["b", "a"], "the server's order"
    assert names(project, "--raw-names") == ["search"]


def test_only_what_is_usable_is_exported_and_the_rest_is_told(
    project: Project, tmp_path: Path
) -> None:
    locked = server(*(definition(name) for name in ("yes", "new", "changed", "denied")))
    bad = definition("invalid") | {"inputSchema": []}
    project.write({"a": server(*(definition(n) for n in ("yes", "new", "denied")), bad)})
    project.ok("approve", "@a", "a/yes", "--yes")
    project.ok("deny", "a/denied", "--reason", "no")
    tools = dict(project.lock.servers["a"].of(Kind.TOOL))
    tools["changed"] = locked.of(Kind.TOOL)["changed"]._replace(approved=tools["yes"].hash)
    project.write({"a": project.lock.servers["a"]._replace(definitions={Kind.TOOL: tools})})

    assert names(project, "--map", str(tmp_path / "map.json")) == ["mcp__a__yes"]

    document = json.loads((tmp_path / "map.json").read_text())
    assert document["version"] == 1
    assert document["tools"] == {
        "mcp__a__yes": {
            "server": "a",
            "tool": "yes",
            "hash": tools["yes"].hash,
            "losses": [],
        }
    }
    assert {row["tool"]: row["reason"] for row in document["left_out"]} == {
        "changed": "changed",
        "denied": "denied: no",
        "invalid": "invalid: schema",
        "new": "new",
    }


def test_nothing_of_a_server_whose_source_is_not_approved(project: Project) -> None:
    project.write({"a": server(definition("x"))})
    project.ok("approve", "a/x")

    result = project.ok(*EXPORT, "-v")

    assert result.document() == {"tools": []}
    assert "its server's source is new" in result.err
    project.ok("approve", "@a", "--yes")
    assert names(project) == ["mcp__a__x"]


@pytest.mark.parametrize(
    ("manifest", "reason"),
    [
        ("[servers]\n", "the manifest has no such server"),
        ('[servers.docs]\ncommand = "serve"\ndisabled = true\n', "its server is disabled"),
        ('[servers.docs]\ncommand = "other"\n', "the manifest has another source"),
    ],
)
def test_the_manifest_can_take_a_server_out(project: Project, manifest: str, reason: str) -> None:
    approved(project, definition("x"))
    (project.root / "mcp.toml").write_text(manifest)

    result = project.ok(*EXPORT, "-v")

    assert result.document() == {"tools": []}
    assert reason in result.err


def test_without_a_manifest_the_lock_is_enough(project: Project) -> None:
    approved(project, definition("x"))
    (project.root / "mcp.toml").unlink()

    assert names(project) == ["mcp__docs__x"]
    assert project.run(*EXPORT, "--manifest", "mcp.toml").code == 2, "asked for, and not there"


@pytest.mark.parametrize("schema", [None, {}], ids=["absent", "empty"])
def test_a_missing_schema_is_written_open_and_told_as_a_loss(
    project: Project, tmp_path: Path, schema: dict | None
) -> None:
    wire = {"name": "x", "description": "d"} | ({} if schema is None else {"inputSchema": schema})
    approved(project, wire)

    (tool,) = project.ok(*EXPORT, "--map", str(tmp_path / "map.json")).document()["tools"]

    assert tool["inputSchema"] == {"type": "object"}
    (row,) = json.loads((tmp_path / "map.json").read_text())["tools"].values()
    assert row["losses"][0]["pointer"] == "/inputSchema"


def test_the_same_lock_gives_the_same_bytes(project: Project, tmp_path: Path) -> None:
    approved(project, definition("é✓👍"), definition("b", "zero\u200bwidth"))

    out = project.ok(*EXPORT).out

    assert "\\u200b" in out, "hidden characters are escaped"
    project.ok(*EXPORT, "-o", str(tmp_path / "tools.json"))
    assert (tmp_path / "tools.json").read_text(encoding="utf-8") == out


@pytest.mark.parametrize("target", ["mcp.lock", "mcp.toml", ".mcp.json", "./x/../mcp.lock"])
@pytest.mark.parametrize("option", ["-o", "--map"])
def test_the_project_itself_is_never_overwritten(
    project: Project, option: str, target: str
) -> None:
    approved(project, definition("x"))
    (project.root / "x").mkdir()
    before = {path: path.read_bytes() for path in project.root.iterdir() if path.is_file()}

    assert project.run(*EXPORT, option, target).code == 2

    assert before == {path: path.read_bytes() for path in before}


def test_two_servers_with_one_raw_name_are_an_error_with_the_way_out(two_servers: Project) -> None:
    two_servers.write({"a": server(definition("x")), "b": server(definition("x"))})
    two_servers.ok("approve", "*", "--yes")

    result = two_servers.run(*EXPORT, "--raw-names")

    assert result.code == 2
    assert "a/x, b/x" in result.err
    assert names(two_servers, "--raw-names", "--only", "a") == ["x"]
    assert names(two_servers, "--except", "b/*") == ["mcp__a__x"]
    assert two_servers.run(*EXPORT, "--only", "c").code == 2


def test_without_a_lock_nothing_is_exported(project: Project) -> None:
    project.write_manifest({"a": "serve"})

    result = project.run(*EXPORT)

    assert (result.code, result.out) == (2, "")


ODD = {"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}


def test_strict_fails_with_every_loss_and_writes_nothing(project: Project, tmp_path: Path) -> None:
    approved(project, definition("plain"), definition("odd") | {"inputSchema": ODD})
    target = tmp_path / "tools.json"
    anthropic = ("export", "--format", "anthropic", "-o", str(target))

    result = project.run(*anthropic, "--strict")

    assert (result.code, result.out, target.exists()) == (1, "", False)
    assert "docs/odd: /inputSchema/anyOf: folded" in result.err
    assert "plain" not in result.err
    assert "1 with a loss" in project.ok(*anthropic).err
    project.ok(*EXPORT, "--strict")


def test_too_many_tokens_are_refused_with_what_each_costs(project: Project) -> None:
    approved(project, definition("short"), definition("long", "Tells. " * 400))

    result = project.run("export", "--format", "openai", "--max-tokens", "500")

    assert (result.code, result.out) == (1, "")
    rows = [line.split() for line in result.err.splitlines()[1:]]
    assert [row[1] for row in rows[:2]] == ["docs/long", "docs/short"]
    assert 650 < int(rows[0][0]) < 850
    assert "more than 500" in result.err
    project.ok("export", "--format", "openai", "--max-tokens", "2000")


def test_tools_can_be_deferred_but_for_some(project: Project) -> None:
    approved(project, definition("a"), definition("b"))

    document = project.ok(
        "export", "--format", "anthropic", "--defer", "--keep", "docs/b", "--tool-search", "regex"
    ).document()

    assert [row.get("defer_loading", False) for row in document] == [False, True, False]
    assert document[0]["type"] == "tool_search_tool_regex_20251119"
    assert document[2]["cache_control"] == {"type": "ephemeral"}
    alone = project.run("export", "--format", "anthropic", "--defer", "--tool-search", "none")
    assert (alone.code, "must not be deferred" in alone.err) == (2, True)
    assert project.run("export", "--format", "gemini", "--defer").code == 2
    responses = ("export", "--format", "openai-responses", "--defer", "--tool-search")
    assert project.run(*responses, "bm25").code == 2
    assert len(project.ok(*responses, "none").document()) == 2


def test_namespaces_hold_the_tools_of_a_server(two_servers: Project) -> None:
    two_servers.write({"a": server(definition("x")), "b": server(definition("x"))})
    two_servers.ok("approve", "*", "--yes")

    document = two_servers.ok("export", "--format", "openai-responses", "--namespaces").document()

    assert [(row["name"], row["tools"][0]["name"]) for row in document] == [
        ("a", "mcp__a__x"),
        ("b", "mcp__b__x"),
    ]


def test_lines_hold_a_tool_each(project: Project) -> None:
    approved(project, definition("a", "zero\u200bwidth"), definition("b"))

    out = project.ok("export", "--format", "jsonl").out

    assert [json.loads(row)["name"] for row in out.splitlines()] == ["mcp__docs__a", "mcp__docs__b"]
    assert "\\u200b" in out
