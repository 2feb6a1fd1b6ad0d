"""A user's own manifest and lock, beside those of the project."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

import mcplock

from .conftest import Project, Result, definition

CATALOG = Path(__file__).parents[3] / "fixtures" / "servers" / "catalog.py"


@pytest.fixture
def both(two_servers: Project) -> Project:
    """The project's `docs` and `mail`; the user has another `docs`, and `time`."""
    own = two_servers.home / "mcplock"
    own.mkdir()
    listing = own / "listing.json"
    listing.write_text(json.dumps({"tools": [definition("now", "Tells the time.")]}))
    words = f"args = {json.dumps([str(CATALOG), str(listing)])}\n"
    text = f"command = {json.dumps(sys.executable)}\n{words}"
    (own / "mcp.toml").write_text(f"[servers.docs]\n{text}[servers.time]\n{text}")
    return two_servers


def test_install_writes_the_lock_beside_the_users_manifest(both: Project) -> None:
    before = both.lock_path.read_bytes()

    both.ok("--user", "install", "--yes", "--baseline")

    assert both.lock_path.read_bytes() == before
    assert (both.home / "mcplock" / "mcp.lock").exists()
    assert "time" in both.ok("status", "--user").out
    both.ok("check", "--user")


@pytest.fixture
def locked(both: Project) -> Project:
    both.ok("install", "--user", "--yes", "--baseline")
    both.ok("approve", "mail", "--yes")
    return both


def exported(project: Project, *words: str) -> list[str]:
    tools = project.ok("export", "--format", "mcp", *words).document()["tools"]
    return [tool["name"] for tool in tools]


def test_agents_see_both_levels(locked: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    assert exported(locked) == ["mcp__mail__send", "mcp__time__now"]
    assert [tool.exported for tool in mcplock.load()] == exported(locked)
    assert set(locked.states()) == {"docs/fetch", "docs/search", "mail/send", "time/now"}
    assert "time/now" in locked.ok("search", "time").out
    assert "Tells the time." in locked.ok("show", "time/now").out
    told = locked.ok("status").out
    assert "agents also get 1 tool of your own: time; the project replaces your docs" in told

    assert exported(locked, "--user") == ["mcp__docs__now", "mcp__time__now"]
    assert exported(locked, "--no-user") == ["mcp__mail__send"]
    assert exported(locked, "--manifest", "mcp.toml") == ["mcp__mail__send"]
    assert "your own" not in locked.ok("status", "--no-user").out
    monkeypatch.setenv("CI", "1")
    assert exported(locked) == ["mcp__mail__send"]


def test_a_refused_server_of_the_project_removes_the_users(locked: Project) -> None:
    locked.write_manifest(
        {"mail": "serve"}, '[servers.time]\ncommand = "x"\nenv.TOKEN = "hunter2"\n'
    )
    result = locked.ok("export", "--format", "mcp", "-v")
    assert [tool["name"] for tool in result.document()["tools"]] == ["mcp__mail__send"]
    assert "the project names a server of its own so" in result.err


def test_without_a_project_there_are_the_users_own(
    locked: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    assert exported(locked) == ["mcp__docs__now", "mcp__time__now"]
    note = "no project here; only your own 2 servers\n"
    for words in (["export", "--format", "mcp"], ["list", "--json"], ["search", "time"]):
        assert note in locked.ok(*words).err
    assert note not in locked.ok("list", "--user").err
    assert len(mcplock.load()) == 2
    result = locked.run("export", "--format", "mcp", "--no-user")
    assert result.code == 2
    assert "no manifest" in result.err


def test_what_is_the_users_own_is_marked(locked: Project) -> None:
    listed = dict(line.split()[1:3] for line in locked.ok("list").out.splitlines())
    assert listed["time/now"] == "yours"
    assert listed["mail/send"] != "yours"
    servers = locked.ok("list", "--json").document()["servers"]
    assert {name: row.get("yours") for name, row in servers.items()} == {
        "docs": None,
        "mail": None,
        "time": True,
    }
    assert "time/now  approved  yours\n" in locked.ok("show", "time/now").out
    entries = locked.ok("show", "docs/search", "time/now", "--json").document()["entries"]
    assert [entry.get("yours") for entry in entries] == [None, True]
    assert "yours" not in locked.ok("list", "--user").out


def test_what_waits_of_the_users_own_is_counted(locked: Project) -> None:
    assert "of yours" not in locked.ok("status").out
    locked.ok("reset", "--user", "time/now", "docs/now")
    told = locked.ok("status").out
    assert "1 entry of yours to review: `mcplock review --user`" in " ".join(told.split())


def test_hints_outside_of_a_project_are_of_the_users_level(
    locked: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked.ok("reset", "--user", "time/now")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    assert "`mcplock --user approve time/now@" in locked.ok("show", "time/now").err


def test_the_users_manifest_is_looked_for_in_its_directory_alone(project: Project) -> None:
    (project.home / "mcp.toml").write_text("[servers.a]\ncommand = 'x'\n")
    (project.home / "mcplock").mkdir()
    result = project.run("status", "--user")
    assert result.code == 2
    assert "no manifest" in result.err
    assert "and above" not in result.err


@pytest.mark.parametrize("words", [["--no-user"], ["--manifest", "mcp.toml"]])
def test_user_excludes_what_contradicts_it(two_servers: Project, words: list[str]) -> None:
    result = two_servers.run("status", "--user", *words)
    assert result.code == 2
    assert f"`--user` and `{words[0]}` exclude each other" in result.err


def test_a_tool_of_the_users_own_is_called_from_a_project(locked: Project) -> None:
    from_shell = locked.run("call", "time/now")
    with mcplock.load().connect_sync(confirm=lambda *_: True) as live:
        from_python = live.call("mcp__time__now")
    assert from_python.server == "time"
    assert from_shell.code == 0, from_shell


@pytest.mark.parametrize("words", [["list"], ["show", "docs"]])
def test_what_is_locked_is_shown_beside_a_broken_manifest(
    two_servers: Project, words: list[str]
) -> None:
    (two_servers.root / "mcp.toml").write_text("[")
    assert "docs/search" in two_servers.ok(*words).out


def test_a_lock_that_is_a_link_to_nowhere_is_not_taken_for_a_missing_one(locked: Project) -> None:
    locked.lock_path.unlink()
    assert exported(locked) == ["mcp__time__now"]
    locked.lock_path.symlink_to("gone")
    assert locked.run("export", "--format", "mcp").code == 2


COMMAND = re.compile(r"`mcplock ([^`]*)`")


def hinted(result: Result) -> list[str]:
    """The commands that the hints of a run name."""
    lines = (result.err + result.out).splitlines()
    hints = [line for line in lines if "hint: " in line or '"hint": ' in line]
    return [command for hint in hints for command in COMMAND.findall(hint)]


@pytest.mark.parametrize(
    "words",
    [
        *(["check"], ["status"], ["check", "--offline"], ["update", "--format", "json"]),
        *(["check", "--format", "github"], ["approve", "nope"], ["diff"], ["show", "time"]),
        *(["update", "--no-input"], ["install", "--yes"], ["add", "new", "--", "x"]),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("level", [["--user"], ["--manifest", "own place/mcp.toml"]])
def test_hints_lead_to_the_level_that_was_worked_on(
    both: Project, level: list[str], words: list[str]
) -> None:
    own = both.home / "mcplock"
    (both.root / "own place").mkdir()
    for file in own.iterdir():
        shutil.copy(file, both.root / "own place" / file.name)
    if words != ["install", "--yes"]:
        both.ok(*level, "install", "--yes")
        shutil.rmtree(both.home / "mcplock" / "trust", ignore_errors=True)
    option = level[0] if len(level) == 1 else f"{level[0]} '{level[1]}'"

    commands = hinted(both.run(*level, *words))

    assert commands
    assert [command for command in commands if option not in command] == []


def test_a_name_of_the_other_level_is_told(locked: Project) -> None:
    deny = ["deny", "time/now", "--reason", "x"]
    for words in (["approve", "time/now"], deny, ["update", "time"], ["trust", "time"]):
        result = locked.run(*words)
        assert result.code == 2
        assert result.err.endswith("hint: your own lock has it: add `--user`\n"), words
    assert "git add" not in locked.ok("approve", "--user", "time", "--yes").err


def test_a_refused_call_of_a_users_tool_leads_to_the_users_lock(locked: Project) -> None:
    locked.ok("deny", "--user", "time/now", "--reason", "no", "--yes")
    refused = locked.run("call", "time/now")
    assert refused.code == 1
    assert hinted(refused) == ["--user reset time/now"]
