"""`mcplock demo`: the whole story, with nothing of the user's touched, also from a wheel."""

import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Workspace
from .terminal import in_terminal

ROOT = Path(__file__).parents[2]
BEATS = ("$ mcplock install", "$ mcplock approve", "ok: ", "failed: ", "id_ed25519", "The end")


def in_order(text: str) -> bool:
    at = -1
    for beat in BEATS:
        at = text.find(beat, at + 1)
        if at < 0:
            return False
    return True


def test_it_tells_the_story_and_leaves_nothing(workspace: Workspace, tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()

    result = workspace.run("demo", env={"TMPDIR": str(temporary), "CI": "true"})

    assert result.code == 0, result
    assert in_order(result.out)
    assert list(temporary.iterdir()) == []
    assert list(workspace.home.iterdir()) == []
    assert {path.name for path in workspace.root.iterdir()} == {".git"}


def test_nothing_of_the_users_own_level_is_in_it(workspace: Workspace, tmp_path: Path) -> None:
    own = workspace.home / "mcplock"
    for directory in (own, workspace.home / ".config" / "mcplock"):
        directory.mkdir(parents=True)
        for name in ("mcp.toml", "mcp.lock"):
            (directory / name).write_text("broken: whoever reads it fails")

    result = workspace.run("demo", env={"XDG_CONFIG_HOME": str(workspace.home)})

    assert result.code == 0, result
    assert in_order(result.out)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("columns", [60, 160])
def test_in_a_terminal_enter_goes_on(workspace: Workspace, columns: int) -> None:
    screen = in_terminal(
        ["demo"],
        cwd=workspace.root,
        env=workspace.environ(),
        typed=[b"\n"] * 4,
        awaited=b"Enter goes on",
        columns=columns,
    )

    assert screen.code == 0
    assert screen.text.count("Enter goes on") == 4
    assert in_order(screen.text)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_the_end_of_the_input_ends_it(workspace: Workspace) -> None:
    screen = in_terminal(
        ["demo"],
        cwd=workspace.root,
        env=workspace.environ(),
        typed=[b"\x04"],
        awaited=b"Enter goes on",
    )

    assert screen.code == 0
    assert "The end" not in screen.text


@pytest.mark.heavy
def test_a_wheel_has_all_that_it_needs(tmp_path: Path) -> None:
    """Built, installed and run away from the checkout; the dependencies are those of the tests."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", tmp_path / "dist", ROOT], check=True)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", tmp_path / "site", wheel], check=True)

    done = subprocess.run(
        [sys.executable, "-c", "import sys; from mcplock.cli import main; main()", "demo"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path / "site"), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert done.returncode == 0, done
    assert in_order(done.stdout)
