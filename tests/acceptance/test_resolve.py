"""Two people, one lock, a conflict: in a real git repository."""

import re
import subprocess
from pathlib import Path

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
        r"docs/search: \w+ approved (sha256:\w{12}), which is undone: "
        r"\w+ approved another text; (our|their) text stayed, and waits for review",
        result.out,
    )
    assert len({hash_ for hash_, _ in hashes}) == 2
    assert len({stayed for _, stayed in hashes}) == 1
    tools = conflicted.lock["servers"]["docs"]["tools"]
    assert tools.keys() == {"search", "fetch", "of-left", "of-right"}
    assert tools["search"].get("approved") != tools["search"]["hash"]
    assert tools["fetch"]["approved"] == tools["fetch"]["hash"]
    assert conflicted.run("check", "--offline").code == 1
    assert "`mcplock review` decides on what waits" in result.err
    assert "`git add mcp.lock`" in result.err


def test_where_the_sides_had_two_texts_the_server_is_asked_first(conflicted: Workspace) -> None:
    told = " ".join(conflicted.run("resolve").err.split())
    update = told.index("hint: `mcplock update docs` takes what is said now")
    assert update < told.index("hint: then `mcplock review` decides on what waits")

    conflicted.serve("docs", tools=[tool("search", "Three."), tool("fetch")])
    conflicted.ok("update", "docs")
    conflicted.ok("approve", "*", "--yes")
    assert conflicted.run("check", "--trust-sources").code == 0


def copied(workspace: Workspace, tmp_path: Path) -> Workspace:
    """The project outside of any repository."""
    root = tmp_path / "copy"
    root.mkdir()
    for name in ("mcp.toml", "mcp.lock"):
        (root / name).write_bytes((workspace.root / name).read_bytes())
    return Workspace(root, workspace.home)


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
def test_the_markers_of_every_style_are_enough(
    conflicted: Workspace, tmp_path: Path, style: str
) -> None:
    git(conflicted, "checkout", "--conflict", style, "mcp.lock")
    expected, lock = conflicted.run("resolve"), conflicted.lock
    git(conflicted, "checkout", "--conflict", style, "mcp.lock")
    copy = copied(conflicted, tmp_path)
    assert (b"|||||||" in copy.lock_path.read_bytes()) == (style != "merge")

    result = copy.run("resolve")

    assert (result.code, result.out) == (1, expected.out)
    assert copy.lock == lock
    assert "git" not in result.err


def test_a_base_that_is_no_lock_counts_as_none(workspace: Workspace) -> None:
    two_states(workspace, base=b"{", ours=b"", theirs=b"")

    result = workspace.run("resolve")

    assert result.code == 0, result
    assert "what both sides come from is no lock" in result.out
    assert entry(workspace)["approved"] == entry(workspace)["hash"]


def test_a_side_that_is_no_lock_is_named_with_a_way_out(workspace: Workspace) -> None:
    two_states(workspace, base=b"", ours=b"{", theirs=b"")
    before = workspace.lock_path.read_bytes()

    result = workspace.run("resolve")

    assert result.code == 2
    assert "mcp.lock (ours):1: " in result.err
    assert "hint: `git checkout --theirs mcp.lock` takes the other side as it is" in result.err
    assert workspace.lock_path.read_bytes() == before
    git(workspace, "checkout", "--theirs", "mcp.lock")
    workspace.ok("status")


def two_states(workspace: Workspace, **texts: bytes) -> None:
    """A conflict whose sides are these; b"" stands for a lock, one line longer on each side."""
    (workspace.root / ".git").rmdir()
    git(workspace, "init", "--quiet", "--initial-branch=base")
    workspace.serve("docs", tools=[tool("search")])
    workspace.ok("install", "--yes")
    workspace.ok("approve", "*", "--yes")
    good = workspace.lock_path.read_bytes()
    for at, name in enumerate(("base", "ours", "theirs")):
        if name != "base":
            git(workspace, "checkout", "--quiet", "-b", name, "base")
        workspace.lock_path.write_bytes((texts[name] or good) + b"\n" * at)
        git(workspace, "add", ".")
        git(workspace, "commit", "--quiet", "-m", name)
    git(workspace, "checkout", "--quiet", "ours")
    git(workspace, "merge", "theirs", code=1)


def entry(workspace: Workspace, name: str = "search") -> dict:
    return workspace.lock["servers"]["docs"]["tools"][name]


@pytest.mark.parametrize(("gone", "kept"), [("ours", "theirs"), ("theirs", "ours")])
def test_a_lock_that_one_side_deleted_is_told(workspace: Workspace, gone: str, kept: str) -> None:
    (workspace.root / ".git").rmdir()
    git(workspace, "init", "--quiet", "--initial-branch=base")
    workspace.serve("docs", tools=[tool("search")])
    workspace.ok("install", "--yes")
    git(workspace, "add", ".")
    git(workspace, "commit", "--quiet", "-m", "base")
    git(workspace, "checkout", "--quiet", "-b", gone)
    git(workspace, "rm", "--quiet", "mcp.lock")
    git(workspace, "commit", "--quiet", "-m", gone)
    git(workspace, "checkout", "--quiet", "-b", kept, "base")
    workspace.ok("approve", "*", "--yes")
    git(workspace, "commit", "--quiet", "-am", kept)
    git(workspace, "checkout", "--quiet", "ours")
    git(workspace, "merge", "theirs", code=1)
    before = workspace.lock_path.read_bytes()

    result = workspace.run("resolve")

    assert result.code == 2
    assert f"mcp.lock is gone from {gone} and there in {kept}" in result.err
    assert f"`git add mcp.lock` keeps it as {kept} has it" in result.err
    assert "`git rm mcp.lock` takes it out" in result.err
    assert workspace.lock_path.read_bytes() == before


def test_a_lock_without_a_conflict_is_left_alone(workspace: Workspace) -> None:
    workspace.serve("docs", tools=[tool("search")])
    workspace.ok("install", "--yes")
    before = workspace.lock_path.read_bytes()
    result = workspace.run("resolve")
    assert result.code == 2
    assert "not conflicted" in result.err
    assert workspace.lock_path.read_bytes() == before
