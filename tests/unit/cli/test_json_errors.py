"""What a program reads where nothing could be judged: a document that says why."""

import json

import pytest

from .conftest import Project

GATE = {"servers": [], "changes": []}
COMMANDS = {
    "check --format json": GATE,
    "check --offline --format json": GATE,
    "update --format json": GATE,
    "install --format json --locked": GATE,
    "install --format json": GATE,
    "diff --format json": GATE,
    "diff --unreviewed --format json": GATE,
    "audit --format json": {"findings": []},
    "status --json": {"servers": {}},
    "list --json": {"servers": {}},
    "show docs --json": {"entries": []},
    "search docs --json": {"results": []},
}
READS_NO_MANIFEST = ("diff --unreviewed", "audit", "list", "show")


@pytest.mark.parametrize("line", COMMANDS)
def test_a_conflicted_lock_is_told_in_the_document(two_servers: Project, line: str) -> None:
    text = two_servers.lock_path.read_text(encoding="utf-8")
    conflicted = f"<<<<<<< HEAD\n{text}=======\n{text}>>>>>>> other\n"
    two_servers.lock_path.write_text(conflicted, encoding="utf-8")

    result = two_servers.run(*line.split())

    document = result.document()
    messages = [issue.pop("message") for issue in document["issues"]]
    assert "mcp.lock:1: conflict marker <<<<<<<" in messages
    assert document.pop("issues") == [
        {
            "server": "",
            "name": "",
            "stage": "resolve",
            "hint": "`mcplock resolve` merges both sides",
        }
    ] * len(messages)
    assert document == {"version": 1, "conclusion": "error", **COMMANDS[line]}
    assert result.code == 2
    assert "error: mcp.lock:1: conflict marker <<<<<<<" in result.err


@pytest.mark.parametrize("line", ["check --format json", "diff --format json", "list --json"])
def test_a_missing_lock_is_told_in_the_document(two_servers: Project, line: str) -> None:
    two_servers.lock_path.unlink()

    result = two_servers.run(*line.split())

    (issue,) = result.document()["issues"]
    assert "mcp.lock" in issue["message"]
    assert "`mcplock install`" in issue["hint"]
    assert result.code == 2
    assert issue["message"] in result.err


@pytest.mark.parametrize(
    "line", [line for line in COMMANDS if not line.startswith(READS_NO_MANIFEST)]
)
def test_each_fault_of_the_manifest_is_an_issue(two_servers: Project, line: str) -> None:
    two_servers.write_manifest({}, "[servers.a]\nbad = 1\n[servers.b]\ncommand = 2\n")

    result = two_servers.run(*line.split())

    assert result.code == 2
    assert len(result.document()["issues"]) > 1
    assert all("mcp.toml:" in issue["message"] for issue in result.document()["issues"])


def test_markdown_says_why_too(two_servers: Project) -> None:
    two_servers.lock_path.write_text("{", encoding="utf-8")
    for line in ("update --format markdown", "diff --unreviewed --format markdown"):
        result = two_servers.run(*line.split())
        assert result.code == 2
        assert "could not judge: mcp.lock:1:" in result.out


def test_a_name_that_there_is_not_is_told_once(two_servers: Project) -> None:
    result = two_servers.run("list", "docs/nothing", "--json")
    assert json.loads(result.out)["conclusion"] == "error"
    assert result.code == 2
