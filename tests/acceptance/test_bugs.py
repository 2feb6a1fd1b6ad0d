"""An error inside mcplock while it talks to one server: told as such, with a report, no outage."""

from pathlib import Path

import pytest

from .conftest import Workspace, tool

TOKEN = "tok-8f14e45fceea167a"
SABOTEUR = """
import os, mcplock.session.handshake as handshake
before = handshake._introduction
def fail(revision, result, info, warnings):
    if info["name"] == "bad":
        raise KeyError(os.environ["API_TOKEN"])
    return before(revision, result, info, warnings)
handshake._introduction = fail
"""


@pytest.fixture
def workspace(workspace: Workspace, tmp_path: Path) -> Workspace:
    """Two servers, locked and approved; `broken` makes mcplock fail at one of them."""
    for name in ("bad", "good"):
        workspace.serve(name, tools=[tool("say")], serverInfo={"name": name, "version": "1"})
    workspace.ok("install", "--yes")
    workspace.ok("approve", "*", "--yes")
    saboteur = tmp_path / "saboteur"
    saboteur.mkdir()
    (saboteur / "sitecustomize.py").write_text(SABOTEUR, encoding="utf-8")
    path = workspace.environ().get("PYTHONPATH", "")
    workspace.env |= {
        "API_TOKEN": TOKEN,
        "PYTHONPATH": f"{saboteur}:{path}",
        "TMPDIR": str(workspace.home),
    }
    return workspace


@pytest.mark.parametrize(
    "command",
    [
        ["check"],
        ["check", "--allow-unreachable", "*"],
        ["check", "--format", "json", "--allow-unreachable", "bad"],
        ["check", "--format", "junit"],
        ["update"],
        ["diff"],
        ["call", "bad/say"],
    ],
)
def test_a_bug_is_told_with_its_report_and_is_no_outage(
    workspace: Workspace, command: list[str]
) -> None:
    locked = workspace.lock_path.read_bytes()

    result = workspace.run(*command)

    said = result.out + result.err
    assert result.code == 2, result
    assert "KeyError; this is a bug in mcplock" in said
    (report,) = workspace.home.glob("mcplock-crash-*.txt")
    assert str(report) in said
    text = report.read_text(encoding="utf-8")
    assert "KeyError: '${API_TOKEN}'" in text and "in fail" in text
    assert f"command: mcplock {' '.join(command)}" in text
    assert TOKEN not in said + text
    assert report.stat().st_mode & 0o077 == 0
    assert workspace.lock_path.read_bytes() == locked


def test_the_other_servers_go_on(workspace: Workspace) -> None:
    workspace.serve("good", tools=[tool("say", "Changed.")])

    checked = workspace.run("check", "--allow-unreachable", "*")
    updated = workspace.run("update")

    assert checked.code == 1 and "Changed." in checked.out
    assert updated.code == 2
    assert workspace.lock["servers"]["good"]["tools"]["say"]["description"] == ["Changed."]
    assert workspace.lock["servers"]["bad"]["tools"]["say"]["description"] == ["Does it."]
