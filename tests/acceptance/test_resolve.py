"""Two people, one lock, a conflict: in a real git repository."""

import re
import subprocess

import pytest

from .conftest import Workspace, tool


def git(workspace: Workspace, *arguments: str, code: int = 0) -> str:
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", *identity, *arguments],
        cwd=workspace.root,
        env={**workspace.environ(), "GIT_CONFIG_NOSYSTEM": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done
    return done.stdout


@pytest.fixture
def conflicted(workspace: Workspace) -> Workspace:
    """Both branches updated to another text and approved what they saw."""
    (workspace.root / ".git").rmdir()
    git(workspace, "init", "--quiet", "--initial-branch=main")
    workspace.serve("docs", tools=[tool("search", "One."), tool("fetch")])
    workspace.ok("install", "--yes")
    workspace.ok("approve", "*", "--yes")
    git(workspace, "add", ".")
    git(workspace, "commit", "--quiet", "-m", "base")
    for name, words in (("left", "Two."), ("right", "Three.")):
        git(workspace, "checkout", "--quiet", "-b", name, "main")
        workspace.serve("docs", tools=[tool("search", words), tool("fetch"), tool(f"of-{name}")])
        workspace.ok("update")
        workspace.ok("approve", "docs/search", f"docs/of-{name}")
        git(workspace, "commit", "--quiet", "-am", name)
    git(workspace, "merge", "left", code=1)
    return workspace


def test_a_conflicted_lock_is_told_and_not_touched(conflicted: Workspace) -> None:
    before = conflicted.lock_path.read_bytes()
    for command in (["install"], ["update"], ["approve", "*", "--yes"], ["check"], ["status"]):
        result = conflicted.run(*command)
        assert result.code == 2
        assert "conflict marker" in result.err
        assert "`mcplock resolve`" in result.err
        assert conflicted.lock_path.read_bytes() == before


@pytest.mark.parametrize("index", [True, False], ids=["from the index", "from the markers"])
def test_resolve_keeps_every_entry_and_approves_no_text_twice(
    conflicted: Workspace, index: bool
) -> None:
    if not index:
        git(conflicted, "add", "mcp.lock")
    result = conflicted.run("resolve")
    assert result.code == 1
    hashes = re.findall(
        r"docs/search: lost the approval of (sha256:\w{12}) \((?:ours|theirs)\); (our|their) text",
        result.out,
    )
    assert len({hash_ for hash_, _ in hashes}) == 2
    assert len({stayed for _, stayed in hashes}) == 1
    tools = conflicted.lock["servers"]["docs"]["tools"]
    assert tools.keys() == {"search", "fetch", "of-left", "of-right"}
    assert tools["search"].get("approved") != tools["search"]["hash"]
    assert tools["fetch"]["approved"] == tools["fetch"]["hash"]
    assert conflicted.run("check", "--offline").code == 1


def test_a_lock_without_a_conflict_is_left_alone(workspace: Workspace) -> None:
    workspace.serve("docs", tools=[tool("search")])
    workspace.ok("install", "--yes")
    before = workspace.lock_path.read_bytes()
    result = workspace.run("resolve")
    assert result.code == 2
    assert "not conflicted" in result.err
    assert workspace.lock_path.read_bytes() == before
