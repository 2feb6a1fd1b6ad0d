"""What is decided while a connection is open holds for its next call."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mcplock
from mcplock import cli
from mcplock.trust import Trust
from tests.unit.live.conftest import ECHO, Project

Decide = Callable[[Project], object]


def command(*arguments: str) -> Decide:
    def decide(project: Project) -> None:
        assert cli.run([*arguments, "--quiet"]) == 0

    return decide


def disable(project: Project) -> None:
    path = project.directory / "mcp.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}disabled = true\n", encoding="utf-8")


def remove_from_manifest(project: Project) -> None:
    text = '[servers.other]\ncommand = "x"\n'
    (project.directory / "mcp.toml").write_text(text, encoding="utf-8")


def remove_lock(project: Project) -> None:
    (project.directory / "mcp.lock").unlink()


def break_lock(project: Project) -> None:
    (project.directory / "mcp.lock").write_text("{", encoding="utf-8")


def take_consent_back(project: Project) -> None:
    Trust(project.state_dir, project.directory / "mcp.toml").path.unlink()


DECISIONS: list[tuple[Decide, type[Exception], str]] = [
    (command("deny", "demo/echo", "--reason", "no"), mcplock.Refused, "denied"),
    (command("deny", "@demo", "--reason", "no"), mcplock.Refused, "denied"),
    (command("reset", "demo/echo"), mcplock.Refused, "is new in the lock"),
    (disable, mcplock.Refused, "disabled"),
    (remove_from_manifest, mcplock.Refused, "not in mcp.toml"),
    (remove_lock, mcplock.MissingFile, "mcp.lock"),
    (break_lock, mcplock.FaultyFile, "mcp.lock"),
    (take_consent_back, mcplock.Untrusted, "no consent"),
]


@pytest.fixture
def project(serving: Callable[..., Project], monkeypatch: pytest.MonkeyPatch) -> Project:
    made = serving(ECHO)
    monkeypatch.chdir(made.directory)
    for name, value in made.environ.items():
        monkeypatch.setenv(name, value)
    return made


@pytest.mark.parametrize("trust_lock", [False, True])
@pytest.mark.parametrize("is_warm", [False, True])
@pytest.mark.parametrize(("decide", "error", "words"), DECISIONS)
def test_a_decision_holds_in_a_connection_that_is_open(
    project: Project,
    decide: Decide,
    error: type[Exception],
    words: str,
    is_warm: bool,
    trust_lock: bool,
) -> None:
    with project.sync(trust_lock=trust_lock) as live:
        if is_warm:
            live.call("demo/echo")
        decide(project)
        for _ in range(2):
            with pytest.raises(error, match=words):
                live.call("demo/echo")
    assert len(project.heard("tools/call")) == is_warm
    assert len(project.heard("initialize")) == is_warm


def test_what_is_decided_while_a_person_is_asked_holds(project: Project) -> None:
    def confirm(*_: Any) -> bool:
        assert cli.run(["deny", "demo/echo", "--reason", "no", "--quiet"]) == 0
        return True

    project.lock(confirm=None)
    with (
        project.sync(confirm=confirm) as live,
        pytest.raises(mcplock.Refused, match="denied"),
    ):
        live.call("demo/echo")
    assert project.heard("initialize") == []


def test_what_is_taken_back_and_given_again_is_called_again(project: Project) -> None:
    with project.sync() as live:
        lock = project.directory / "mcp.lock"
        content = lock.read_bytes()
        lock.unlink()
        with pytest.raises(mcplock.MissingFile):
            live.call("demo/echo")
        lock.write_bytes(content)
        assert live.call("demo/echo", {"n": 1}).structured == {"n": 1}


def test_a_file_that_the_manifest_includes_is_looked_at_too(project: Project) -> None:
    manifest = project.directory / "mcp.toml"
    included = project.directory / "more.toml"
    included.write_bytes(manifest.read_bytes())
    manifest.write_text('include = ["more.toml"]\n', encoding="utf-8")
    with project.sync() as live:
        live.call("demo/echo")
        text = included.read_text(encoding="utf-8")
        included.write_text(f"{text}disabled = true\n", encoding="utf-8")
        with pytest.raises(mcplock.Refused, match="disabled"):
            live.call("demo/echo")


def test_a_server_is_started_only_by_what_the_files_say_then(project: Project) -> None:
    """Also where a change cannot be seen from outside."""
    lock = project.directory / "mcp.lock"
    before = lock.stat()
    with project.sync() as live, pytest.MonkeyPatch.context() as patch:
        patch.setattr("mcplock.live.gate._stamp", lambda _: (before.st_mtime_ns, 0, 0, 0))
        live.call("demo/echo")
        os.kill(int(Path(f"{project.file()}.pid").read_text(encoding="utf-8")), 9)
        with pytest.raises(mcplock.ServerTrouble):
            live.call("demo/echo")
        assert cli.run(["deny", "demo/echo", "--reason", "no", "--quiet"]) == 0
        with pytest.raises(mcplock.Refused, match="denied"):
            live.call("demo/echo")
    assert len(project.heard("initialize")) == 1


def test_a_server_that_is_reached_otherwise_now_is_started_anew(project: Project) -> None:
    with project.sync() as live:
        live.call("demo/echo")
        assert len(project.heard("initialize")) == 1
        other = project.directory / "other.json"
        other.write_bytes(project.file().read_bytes())
        project.file = lambda name="demo": other  # type: ignore[method-assign]
        project.lock()
        assert live.call("demo/echo", {"n": 2}).structured == {"n": 2}
        assert len(project.heard("initialize")) == 1
