"""A clone of a hostile repository runs nothing and sends nothing until its reader said yes."""

import json
import socket
import stat
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcplock.lockfile import format_lock
from mcplock.manifest import load
from mcplock.model import Lock, LockedServer
from mcplock.workflow.project import source_entry

from .conftest import Workspace, tool
from .terminal import END, INTERRUPT, in_terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")

STARTING = (["check"], ["diff"], ["update"], ["update", "--dry-run"], ["install", "--no-locked"])
NOT_STARTING = (
    ["status"], ["list"], ["show", "*"], ["export", "--format", "mcp"], ["check", "--offline"],
    ["diff", "--unreviewed"], ["approve", "*", "--yes"], ["deny", "*", "--reason", "x", "--yes"],
    ["reset", "*", "--yes"], ["install", "--locked"], ["trust"], ["demo"],
)  # fmt: skip


class Listener:
    """Something that listens, and counts who connects."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.visits = 0
        threading.Thread(target=self._count, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.socket.getsockname()[1]}/mcp"

    def _count(self) -> None:
        while True:
            try:
                visitor, _ = self.socket.accept()
            except OSError:
                return
            self.visits += 1
            visitor.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    yield made
    made.socket.close()


@pytest.fixture
def clone(workspace: Workspace, listener: Listener) -> Workspace:
    """A project with a lock in which all is approved, made on another machine."""
    marker = workspace.root / "marker"
    script = f"open({str(marker)!r}, 'w').close()"
    manifest = f"""
[servers.local]
command = {json.dumps(sys.executable)}
args = ["-c", {json.dumps(script)}]
env = {{ LEAK = "${{SECRET_TOKEN}}" }}

[servers.remote]
url = "{listener.url}"
headers = {{ Authorization = "Bearer ${{SECRET_TOKEN}}" }}
"""
    (workspace.root / "mcp.toml").write_text(manifest, encoding="utf-8")
    lock_sources(workspace)
    return workspace


def lock_sources(workspace: Workspace) -> None:
    manifest = load(workspace.root / "mcp.toml")
    servers = {}
    for name, server in manifest.servers.items():
        entry = source_entry(server.source)
        servers[name] = LockedServer(entry._replace(approved=entry.hash))
    workspace.lock_path.write_text(format_lock(Lock(servers)), encoding="utf-8")


def untouched(clone: Workspace, listener: Listener) -> bool:
    return not (clone.root / "marker").exists() and listener.visits == 0


@pytest.mark.parametrize("command", STARTING, ids=" ".join)
def test_where_nobody_can_be_asked_nothing_is_started_or_sent(
    clone: Workspace, listener: Listener, command: list[str]
) -> None:
    secret = "tok-0123456789abcdef"
    before = clone.lock_path.read_bytes()
    if command[0] == "install":
        clone.lock_path.unlink()

    result = clone.run(*command, env={"SECRET_TOKEN": secret})

    assert result.code == 2, result
    assert untouched(clone, listener)
    assert secret not in result.out + result.err
    assert "`mcplock " in result.out + result.err
    if command[0] == "install":
        assert not clone.lock_path.exists()
    else:
        assert clone.lock_path.read_bytes() == before
    assert not list(clone.home.rglob("trust/*.json"))


@pytest.mark.parametrize("command", NOT_STARTING, ids=" ".join)
def test_other_commands_start_nothing_whatever_was_trusted(
    clone: Workspace, listener: Listener, command: list[str]
) -> None:
    clone.run(*command)

    assert untouched(clone, listener)


@pytest.mark.parametrize("answer", [b"\n", b"n\n", b"no\n", b"yy\n", END, b"maybe\n"])
def test_whatever_is_no_yes_is_a_no(clone: Workspace, listener: Listener, answer: bytes) -> None:
    screen = in_terminal(["check"], cwd=clone.root, env=clone.environ(), typed=[answer])

    assert screen.code == 2
    assert "declined" in screen.text
    assert untouched(clone, listener)
    assert not list(clone.home.rglob("trust/*.json"))


def test_an_interrupted_question_is_no_answer(clone: Workspace, listener: Listener) -> None:
    screen = in_terminal(["check"], cwd=clone.root, env=clone.environ(), typed=[INTERRUPT])

    assert screen.code == 130
    assert untouched(clone, listener)


@pytest.mark.parametrize("options", [[], ["-q"]], ids=["talking", "quiet"])
def test_one_list_and_one_question_show_all_that_would_run(
    clone: Workspace, options: list[str]
) -> None:
    screen = in_terminal(
        ["check", "--no-color", *options],
        cwd=clone.root,
        env=clone.environ(),
        typed=[b"n\n"],
        columns=400,
    )

    assert screen.text.count("[y/N]") == 1
    assert f'"{sys.executable}" "-c"' in screen.text
    assert "marker" in screen.text
    assert 'LEAK="${SECRET_TOKEN}"' in screen.text
    assert 'Authorization: "Bearer ${SECRET_TOKEN}"' in screen.text
    assert screen.text.count("reads   SECRET_TOKEN") == 2


@pytest.mark.parametrize(
    ("blank", "told"),
    [(" ", "⟨U+0020×10240⟩"), ("\n", r"⟨\n×10240⟩"), ("\u200b", "⟨U+200B×10240⟩")],
    ids=["spaces", "line breaks", "hidden"],
)
def test_a_screen_of_blanks_hides_no_word(workspace: Workspace, blank: str, told: str) -> None:
    arguments = json.dumps(["-c", f"true{blank * 10_240}; rm -rf x"])
    manifest = f'[servers.a]\ncommand = "sh"\nargs = {arguments}\n'
    (workspace.root / "mcp.toml").write_text(manifest, encoding="utf-8")

    screen = in_terminal(
        ["install", "--no-color"], cwd=workspace.root, env=workspace.environ(), typed=[b"n\n"]
    )

    assert screen.code == 2
    assert f'"true{told}; rm -rf x"' in screen.text
    assert len(screen.text.splitlines()) < 20


def test_no_input_asks_nothing_also_on_a_terminal(clone: Workspace, listener: Listener) -> None:
    screen = in_terminal(["check", "--no-input"], cwd=clone.root, env=clone.environ())

    assert screen.code == 2
    assert "[y/N]" not in screen.text
    assert untouched(clone, listener)


def test_a_yes_holds_for_this_source_in_this_project_on_this_machine(
    workspace: Workspace, tmp_path: Path
) -> None:
    workspace.serve("docs", tools=[tool("search")])
    screen = in_terminal(["install"], cwd=workspace.root, env=workspace.environ(), typed=[b"y\n"])
    assert screen.code == 0, screen.text
    workspace.ok("approve", "*", "--yes")
    workspace.ok("check")

    for path in (workspace.home / "state").rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path
    elsewhere = tmp_path / "copy"
    elsewhere.mkdir()
    for path in workspace.root.iterdir():
        if path.is_file():
            (elsewhere / path.name).write_bytes(path.read_bytes())
    copied = workspace.run("check", cwd=elsewhere)
    assert copied.code == 2
    assert "`mcplock trust`" in copied.err
    assert workspace.run("check", env={"XDG_STATE_HOME": str(tmp_path / "other")}).code == 2


def test_trusting_the_sources_of_one_run_is_not_remembered(workspace: Workspace) -> None:
    workspace.serve("docs", tools=[tool("search")])
    workspace.ok("install", "--yes")
    workspace.ok("approve", "*", "--yes")
    another = {"XDG_STATE_HOME": str(workspace.home / "ci")}

    assert workspace.run("check", env=another).code == 2
    assert workspace.run("check", "--trust-sources", env=another).code == 0
    assert workspace.run("check", env=another).code == 2
    assert workspace.run("trust", env=another).code == 2, "nobody is there to ask"
    assert workspace.run("trust", "--yes", env=another).code == 0
    assert workspace.run("check", env=another).code == 0


def test_a_source_that_the_manifest_changed_is_not_started_by_check(
    clone: Workspace, listener: Listener
) -> None:
    clone.ok("trust", "--yes")
    text = (clone.root / "mcp.toml").read_text(encoding="utf-8")
    (clone.root / "mcp.toml").write_text(text.replace("marker", "another"), encoding="utf-8")

    result = clone.run("check", "--trust-sources", env={"SECRET_TOKEN": "x" * 12})

    assert result.code == 1
    assert "@local" in result.out
    assert not (clone.root / "another").exists()
    assert not (clone.root / "marker").exists()


def test_what_was_trusted_is_shown_beside_what_is_new(workspace: Workspace) -> None:
    workspace.serve("docs", tools=[tool("search")])
    workspace.ok("install", "--yes")
    manifest = '[servers.docs]\ncommand = "other-program"\n'
    (workspace.root / "mcp.toml").write_text(manifest, encoding="utf-8")

    screen = in_terminal(
        ["install", "--no-color"],
        cwd=workspace.root, env=workspace.environ(), typed=[b"n\n"], columns=300,
    )  # fmt: skip

    assert '"other-program"' in screen.text
    assert "the lock has another source" in screen.text
    assert "catalog.py" in screen.text


def test_where_nothing_can_be_remembered_nothing_is_trusted(
    clone: Workspace, listener: Listener
) -> None:
    result = clone.run("trust", "--yes", env={"XDG_STATE_HOME": "/dev/null/state"})

    assert result.code == 2
    assert "/dev/null/state" in result.err
    assert "Traceback" not in result.err
    assert untouched(clone, listener)


def test_a_damaged_memory_trusts_nothing_and_says_so(clone: Workspace, listener: Listener) -> None:
    clone.ok("trust", "--yes")
    (remembered,) = clone.home.rglob("trust/*.json")
    for content in (b"", b"{", b'{"sources": "sha256"}', b"[]", b"\xff", b"null"):
        remembered.write_bytes(content)
        result = clone.run("check")
        assert result.code == 2
        assert "damaged" in result.err
    assert untouched(clone, listener)


def test_trust_refuses_what_the_lock_does_not_have(clone: Workspace) -> None:
    manifest = (clone.root / "mcp.toml").read_text(encoding="utf-8")
    manifest += '[servers.new]\ncommand = "x"\n'
    (clone.root / "mcp.toml").write_text(manifest, encoding="utf-8")

    new = clone.run("trust", "new", "--yes")
    assert new.code == 2
    assert "new is not in the lock yet" in new.err
    unknown = clone.run("trust", "locl", "--yes")
    assert unknown.code == 2
    assert "did you mean local?" in unknown.err
    assert "trusted 2 sources" in clone.ok("trust", "--yes").out
    assert "nothing to ask for" in clone.ok("trust", "--yes").out
