"""What the program does where the machine is not as it should be."""

import os
import sys
from pathlib import Path

import pytest
from platformdirs import user_state_path

from mcplock.cli.settings import Settings
from mcplock.trust import Trust

from .conftest import Project


def test_a_state_directory_in_the_repository_is_none(
    two_servers: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a home, a path that begins with `~` would lie in the repository."""
    inside = Path("~/.local/state/mcplock")
    for name in ("HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name)
    monkeypatch.setattr("platformdirs.user_state_path", lambda *_, **__: inside)
    before = sorted(two_servers.root.iterdir())

    result = two_servers.run("trust", "--yes")

    assert result.code == 2
    assert "not absolute" in result.err
    assert sorted(two_servers.root.iterdir()) == before


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the short way")
@pytest.mark.parametrize(
    ("home", "state"), [("/a/", ""), ("/a", "/b/c/"), ("/a", "relative"), ("", "/b")]
)
def test_the_state_directory_is_that_of_platformdirs(
    home: str, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", home)
    monkeypatch.setenv("XDG_STATE_HOME", state)

    directory = Settings().machine.state_dir
    monkeypatch.setattr("mcplock.userdirs._xdg_dir", lambda *_: None)

    assert directory == Settings().machine.state_dir == user_state_path("mcplock", appauthor=False)


def test_a_working_directory_that_is_gone_is_told(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    result = project.run("status")

    assert result.code == 2
    assert "the working directory is gone" in result.err
    os.chdir(tmp_path)


def test_consent_lies_in_directories_of_this_user_alone(tmp_path: Path) -> None:
    trust = Trust(tmp_path / "a" / "b", tmp_path / "mcp.toml")

    trust.remember(["sha256:1"])
    trust.remember(["sha256:2"])

    assert trust.hashes() == {"sha256:1", "sha256:2"}
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o700
    assert trust.path.stat().st_mode & 0o777 == 0o600
    assert Trust(tmp_path / "a" / "b", tmp_path / "other.toml").hashes() == frozenset()
