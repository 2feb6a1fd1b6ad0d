"""git merges, rebases, picks and shows the lock as `git-setup` told it: real repositories."""

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from .conftest import PROGRAM, Workspace, tool
from .test_resolve import git

BASE = [tool("search", "One."), tool("fetch", "Fetches."), tool("send", "Sends.")]


@pytest.fixture
def repository(workspace: Workspace) -> Workspace:
    """A repository on `main` with an approved lock, set up, the program on the PATH."""
    (workspace.root / ".git").rmdir()
    git(workspace, "init", "--quiet", "--initial-branch=main")
    (workspace.root / ".git" / "info" / "exclude").write_text("*.json\n")
    git(workspace, "config", "user.name", "n")
    git(workspace, "config", "user.email", "e@example.com")
    workspace.env["PATH"] = f"{PROGRAM.parent}:{workspace.environ()['PATH']}"
    workspace.serve("docs", tools=BASE)
    workspace.ok("install", "--yes")
    workspace.ok("approve", "*", "--yes")
    workspace.ok("git-setup")
    commit(workspace, "base")
    return workspace


def test_no_program_is_run_that_the_repository_names(workspace: Workspace) -> None:
    (workspace.root / ".git").rmdir()
    git(workspace, "init", "--quiet")
    program, mark = workspace.root / "watch.sh", workspace.root / "was-run"
    program.write_text(f"#!/bin/sh\ntouch {mark}\n")
    program.chmod(0o700)
    git(workspace, "config", "core.fsmonitor", str(program))
    git(workspace, "check-attr", "merge", "--", "mcp.lock")
    assert mark.exists(), "git would run it"
    mark.unlink()

    workspace.ok("git-setup")

    assert not mark.exists()


def commit(workspace: Workspace, message: str) -> None:
    git(workspace, "add", ".")
    git(workspace, "commit", "--quiet", "-m", message)


def branch(
    workspace: Workspace, name: str, *, reset: str = "", deny: str = "", say: str = ""
) -> None:
    """A branch off `main` on which one decision was taken, or `search` says something else."""
    git(workspace, "checkout", "--quiet", "-b", name, "main")
    if reset:
        workspace.ok("reset", reset)
    if deny:
        workspace.ok("deny", deny, "--reason", "no")
    if say:
        workspace.serve("docs", tools=[tool("search", say), *BASE[1:]])
        workspace.ok("update")
        workspace.ok("approve", "docs/search")
    git(workspace, "commit", "--quiet", "-am", name)


def two_decisions(workspace: Workspace) -> None:
    """Two branches that touch the same lines and do not disagree."""
    branch(workspace, "left", deny="docs/search")
    branch(workspace, "right", say="Two.")


def is_canonical(workspace: Workspace) -> bool:
    return "not as mcplock writes it" not in workspace.run("check", "--offline").out


def entry(workspace: Workspace, name: str = "search") -> dict:
    return workspace.lock["servers"]["docs"]["tools"][name]


def test_what_git_would_call_a_conflict_is_merged(repository: Workspace) -> None:
    branch(repository, "left", deny="docs/fetch")
    branch(repository, "right", reset="docs/send")
    git(repository, "merge", "--quiet", "--no-edit", "left")
    assert git(repository, "status", "--porcelain") == ""
    assert entry(repository, "fetch")["denied"] == "no"
    assert "approved" not in entry(repository, "send")
    assert is_canonical(repository)


@pytest.mark.parametrize(
    "words", [["merge", "left"], ["rebase", "left"], ["cherry-pick", "left"]], ids=lambda w: w[0]
)
def test_a_lost_approval_stops_git_and_leaves_a_lock_that_can_be_read(
    repository: Workspace, words: list[str]
) -> None:
    two_decisions(repository)
    git(repository, *words, code=1)
    assert "UU mcp.lock" in git(repository, "status", "--porcelain")
    assert b"<<<<" not in repository.lock_path.read_bytes()
    assert entry(repository)["denied"] == "no"
    assert is_canonical(repository)
    again = repository.run("resolve")
    assert again.code == 2
    assert "merged already" in again.err
    git(repository, "add", "mcp.lock")
    environ = ["-c", "core.editor=true"]
    if words[0] == "merge":
        git(repository, *environ, "commit", "--quiet", "--no-edit")
    else:
        git(repository, *environ, words[0], "--continue")
    assert entry(repository)["denied"] == "no"


@pytest.mark.parametrize(
    ("below", "told"),
    [(".", "sub dir/mcp.lock"), ("sub dir", "mcp.lock"), ("other", "../sub dir/mcp.lock")],
)
def test_the_lock_is_named_from_where_the_person_stands(
    repository: Workspace, below: str, told: str
) -> None:
    for name in ("sub dir", "other"):
        (repository.root / name).mkdir()
        (repository.root / name / "kept").touch()
    git(repository, "add", ".")
    for name in ("mcp.toml", "mcp.lock"):
        git(repository, "mv", name, f"sub dir/{name}")
    git(repository, "commit", "--quiet", "-m", "moved")
    root = Workspace(repository.root / "sub dir", repository.home, env=repository.env)
    for branch_name, words in (
        ("left", ["deny", "--reason", "no"]),
        ("right", ["approve", "--no-confirm"]),
    ):
        git(root, "checkout", "--quiet", "-b", branch_name, "main")
        root.ok(*words, "docs/search")
        git(root, "commit", "--quiet", "-am", branch_name)
    standing = Workspace(repository.root / below, repository.home, env=repository.env)

    done = subprocess.run(
        ["git", "merge", "left"], cwd=standing.root, env=standing.environ(), capture_output=True
    )

    assert done.returncode == 1, done
    added = re.search(r"`git add (?P<name>.*)` tells", done.stderr.decode())
    assert added and shlex.split(added["name"]) == [told]
    assert f"{told} is merged" in done.stderr.decode()
    git(standing, "add", told)


def test_two_approved_texts_leave_none_approved(repository: Workspace) -> None:
    branch(repository, "left", say="Two.")
    branch(repository, "right", say="Three.")
    git(repository, "merge", "left", code=1)
    assert entry(repository).get("approved") != entry(repository)["hash"]
    repository.ok("approve", f"docs/search@{entry(repository)['hash']}")
    git(repository, "add", "mcp.lock")
    git(repository, "commit", "--quiet", "--no-edit")


def test_what_one_side_took_out_is_kept_and_told(repository: Workspace) -> None:
    git(repository, "checkout", "--quiet", "-b", "left", "main")
    repository.serve("docs", tools=BASE[:2])
    repository.ok("update")
    git(repository, "commit", "--quiet", "-am", "left")
    branch(repository, "right", deny="docs/fetch")
    git(repository, "merge", "left", code=1)
    assert entry(repository, "send")["approved"]


def test_a_clone_that_was_not_set_up_merges_lines(repository: Workspace) -> None:
    two_decisions(repository)
    git(repository, "config", "--remove-section", "merge.mcplock")
    git(repository, "merge", "left", code=1)
    assert b"<<<<<<<" in repository.lock_path.read_bytes()
    assert repository.run("resolve").code == 1


def test_where_the_program_is_gone_the_lines_are_merged(repository: Workspace) -> None:
    two_decisions(repository)
    here = repository.env["PATH"]
    places = [place for place in here.split(":") if not Path(place, "mcplock").exists()]
    repository.env["PATH"] = ":".join(places)
    git(repository, "merge", "left", code=1)
    assert b"<<<<<<< ours" in repository.lock_path.read_bytes()
    assert "+      " in git(repository, "diff", "main", "right", "--", "mcp.lock")
    repository.env["PATH"] = here
    assert repository.run("resolve").code == 1
    assert entry(repository)["denied"] == "no"


def test_a_side_that_cannot_be_read_stops_git_and_is_named(repository: Workspace) -> None:
    branch(repository, "left", deny="docs/search")
    git(repository, "checkout", "--quiet", "-b", "right", "main")
    text = repository.lock_path.read_text(encoding="utf-8")
    repository.lock_path.write_text(text.replace("One.", "1."), encoding="utf-8")
    git(repository, "commit", "--quiet", "-am", "right")
    before = repository.lock_path.read_bytes()
    git(repository, "merge", "left", code=1)
    assert repository.lock_path.read_bytes() == before


def test_a_difference_is_shown_in_words(repository: Workspace) -> None:
    branch(repository, "right", say="Two.")
    shown = git(repository, "diff", "main", "right", "--", "mcp.lock")
    assert "\n-      One.\n" in shown
    assert "\n+      Two.\n" in shown
    assert "docs/search  approved" in shown
    assert '"description"' not in shown
    assert "Sends." not in shown
    assert "Two." in git(repository, "log", "-p", "-1")


def test_a_lock_with_markers_is_shown_as_it_stands(repository: Workspace) -> None:
    repository.lock_path.write_bytes(b"<<<<<<< a\n" + repository.lock_path.read_bytes())
    assert "+<<<<<<< a" in git(repository, "diff")


def test_done_twice_it_changes_nothing(repository: Workspace) -> None:
    config = repository.root / ".git" / "config"
    attributes = repository.root / ".gitattributes"
    before = config.read_bytes(), attributes.read_bytes()
    assert "already" in repository.ok("git-setup").out
    assert (config.read_bytes(), attributes.read_bytes()) == before


def test_other_settings_and_lines_stay(repository: Workspace) -> None:
    attributes = repository.root / ".gitattributes"
    attributes.write_bytes(b"*.png binary\r\nmcp.lock text merge=union\r\nlast")
    config = repository.root / ".git" / "config"
    repository.ok("git-setup")
    assert attributes.read_bytes() == (
        b"*.png binary\r\nmcp.lock text merge=mcplock diff=mcplock\r\nlast"
    )
    repository.ok("git-setup", "--uninstall")
    assert attributes.read_bytes() == b"*.png binary\r\nmcp.lock text\r\nlast"
    assert "mcplock" not in config.read_text(encoding="utf-8")
    assert git(repository, "config", "user.name") == "n\n"
    assert "nothing was set up" in repository.ok("git-setup", "--uninstall").out


@pytest.mark.parametrize("before", [None, "mcp.lock merge=mcplock\n"])
def test_a_file_that_nothing_is_left_in_goes(repository: Workspace, before: str | None) -> None:
    attributes = repository.root / ".gitattributes"
    attributes.unlink()
    if before is not None:
        attributes.write_text(before, encoding="utf-8")
    repository.ok("git-setup")
    assert attributes.exists()
    repository.ok("git-setup", "--uninstall")
    assert not attributes.exists()
    assert "nothing was set up" in repository.ok("git-setup", "--uninstall").out


def test_a_line_that_outweighs_ours_is_told(repository: Workspace) -> None:
    attributes = repository.root / ".gitattributes"
    attributes.write_text(attributes.read_text(encoding="utf-8") + "*.lock merge=ours\n")
    assert "outweighs" in repository.run("git-setup").err


def test_for_all_repositories_of_a_user(repository: Workspace) -> None:
    repository.ok("git-setup", "--uninstall")
    git(repository, "commit", "--quiet", "-am", "alone")
    repository.ok("git-setup", "--global")
    assert (repository.home / "config" / "git" / "attributes").is_file()
    two_decisions(repository)
    git(repository, "merge", "left", code=1)
    assert b"<<<<" not in repository.lock_path.read_bytes()
    repository.ok("git-setup", "--global", "--uninstall")
    assert "mcplock" not in git(repository, "config", "--list")


def test_outside_a_repository_it_says_so(workspace: Workspace) -> None:
    (workspace.root / ".git").rmdir()
    result = workspace.run("git-setup")
    assert result.code == 2
    assert "in no work tree" in result.err


def test_a_link_in_the_place_of_attributes_is_not_followed(
    repository: Workspace, tmp_path: Path
) -> None:
    target = tmp_path / "elsewhere"
    target.write_text("")
    attributes = repository.root / ".gitattributes"
    attributes.unlink()
    attributes.symlink_to(target)
    assert repository.run("git-setup").code == 2
    assert target.read_text() == ""


def test_the_driver_wants_three_files(repository: Workspace) -> None:
    assert repository.run("resolve", "mcp.lock").code == 2
    assert json.loads(repository.lock_path.read_text(encoding="utf-8"))
