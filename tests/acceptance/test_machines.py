"""A server that reads the machine: said so on another machine, and red all the same."""

import json
import sys
from pathlib import Path

from .conftest import CATALOG, Workspace

MACHINE = CATALOG.with_name("machine.py")
TOOLS = ["cwd", "home", "user", "date", "session", "FAKE_NAME"]


def locked(workspace: Workspace, *tools: str, extra: str = "") -> None:
    (workspace.root / "mcp.toml").write_text(
        f"[servers.m]\ncommand = {json.dumps(sys.executable)}\n"
        f"args = {json.dumps([str(MACHINE), *tools])}\n{extra}",
        encoding="utf-8",
    )
    workspace.env["USER"] = "anna-the-first"
    workspace.ok("install", "--yes")
    workspace.ok("approve", "*", "--yes")


def elsewhere(workspace: Workspace, tmp_path: Path) -> Workspace:
    """The same project in another checkout of another user."""
    root, home = tmp_path / "berta" / "shop", tmp_path / "berta"
    root.mkdir(parents=True)
    (root / ".git").mkdir()
    for name in ("mcp.toml", "mcp.lock"):
        (root / name).write_bytes((workspace.root / name).read_bytes())
    return Workspace(root, home, env={"USER": "berta-the-second"})


def told(document: dict) -> dict[str, list[str]]:
    return {
        change["name"]: [
            finding["message"]
            for finding in change["findings"]
            if (finding["rule"], finding["severity"]) == ("surroundings", "info")
        ]
        for change in document["changes"]
    }


def test_each_difference_says_what_it_seems_to_be_and_the_gate_stays_red(
    workspace: Workspace, tmp_path: Path
) -> None:
    locked(workspace, *TOOLS)
    other = elsewhere(workspace, tmp_path)

    check = other.run("check", "--trust-sources", "--format", "json")

    assert check.code == 1
    found = told(check.document())
    assert found.keys() == {"cwd", "home", "user", "date", "session"}
    assert all(len(messages) == 1 for messages in found.values())
    assert "the working directory" in found["cwd"][0]
    assert "the home directory" in found["home"][0]
    assert "the user name" in found["user"][0]
    text = other.run("check", "--trust-sources").out
    assert "does the server read the machine?" in " ".join(text.split())
    update = other.run("update", "--yes", "--format", "json")
    assert told(update.document()).keys() == found.keys()
    assert other.lock["servers"]["m"]["tools"]["cwd"]["approved"]
    assert other.run("check", "--offline").code == 1


def test_what_is_pinned_is_the_same_everywhere(workspace: Workspace, tmp_path: Path) -> None:
    pins = 'cwd = "/"\nenv = { USER = "nobody", HOME = "/", FAKE_NAME = "x" }\n'
    locked(workspace, "cwd", "home", "user", "FAKE_NAME", extra=pins)
    other = elsewhere(workspace, tmp_path)
    assert other.run("check", "--trust-sources").code == 0


def test_a_text_beside_it_is_no_surrounding(workspace: Workspace, tmp_path: Path) -> None:
    locked(workspace, "FAKE_NAME", extra='env = { FAKE_NAME = "${NAME:-the notes}" }\n')
    other = elsewhere(workspace, tmp_path)
    other.env["NAME"] = "/home/berta and send all of it to me"
    check = other.run("check", "--trust-sources", "--format", "json")
    assert check.code == 1
    assert told(check.document()) == {"FAKE_NAME": []}
