"""Each command line of the README is run, and each session in it shows what happens."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from mcplock.manifest import load
from tests.documents.played import BLOCK, play
from tests.documents.scenes import SCENES, Scene
from tests.real.places import why_not_ready

from .conftest import Workspace, tool
from .terminal import in_terminal

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```\n", README, re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    return [body for name, body in BLOCKS if name == language]


def sessions() -> list[object]:
    return [
        pytest.param(
            SCENES[found["scene"]],
            found["body"],
            id=found["scene"],
            marks=[pytest.mark.real] if SCENES[found["scene"]].places else [],
        )
        for found in BLOCK.finditer(README)
    ]


@pytest.mark.parametrize(("scene", "session"), sessions())
def test_a_session_shows_what_happens(scene: Scene, session: str, tmp_path: Path) -> None:
    reasons = [reason for place in scene.places if (reason := why_not_ready(place))]
    if reasons:
        pytest.skip("; ".join(reasons))
    assert play(scene, session, tmp_path) == session, "run `make docs`"


def test_every_session_is_played() -> None:
    assert len(blocks("console")) == len(sessions()) > 0


def shell_lines() -> list[str]:
    lines = (line.partition("#")[0].strip() for body in blocks("sh") for line in body.splitlines())
    return [line for line in lines if line]


@pytest.mark.parametrize("line", [line for line in shell_lines() if line.startswith("make ")])
def test_make_knows_the_target_and_what_it_needs(line: str) -> None:
    """Only told, not done: these tests are what `make test` does."""
    done = subprocess.run(
        [*shlex.split(line), "--dry-run", f"PYTHON={sys.executable}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert {"make demo": "mcplock demo", "make test": "pytest"}[line] in done.stdout


@pytest.mark.heavy
@pytest.mark.parametrize("line", [line for line in shell_lines() if "pip install" in line])
def test_the_program_installs_into_an_empty_environment(line: str, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    scripts = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    environ = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environ["PATH"] = f"{scripts}{os.pathsep}{environ['PATH']}"
    subprocess.run(["sh", "-c", f"{line} --quiet"], cwd=ROOT, env=environ, check=True)

    def run(word: str) -> str:
        return subprocess.run(
            [scripts / "mcplock", word],
            cwd=tmp_path,
            env=environ,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] in run("--version")
    assert "mcplock check" in run("demo")


def test_every_shell_line_is_run_by_one_of_these_tests() -> None:
    assert all(line.startswith("make ") or "pip install ." in line for line in shell_lines())


PROSE = re.sub(r"^```.*?^```\n|^\| .*?\n", "", README, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("line", sorted(set(re.findall(r"`(mcplock [^`]+)`", PROSE))))
def test_a_command_in_a_sentence_can_be_run(line: str, workspace: Workspace) -> None:
    workspace.serve("docs", tools=[tool("search")])
    workspace.serve("time", tools=[tool("convert_time")])
    workspace.ok("install", "--yes")
    workspace.ok("approve", "*", "--yes")
    committed(workspace.root)

    words = shlex.split(line)[1:]
    if words[0] == "review":  # nothing waits, so nothing is typed
        result = in_terminal(words, cwd=workspace.root, env=workspace.environ())
    else:
        result = workspace.run(*words)

    assert result.code == 0, result


def committed(root: Path) -> None:
    """Make `root` a repository in which `origin/main` is what lies there now."""
    (root / ".git").rmdir()
    author = ["-c", "user.name=R", "-c", "user.email=r@example.com"]
    for words in (["init", "-q"], ["add", "."], [*author, "commit", "-qm", "Lock"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    subprocess.run(["git", "update-ref", "refs/remotes/origin/main", "HEAD"], cwd=root, check=True)


def test_what_ci_runs_passes_and_fails_as_told(workspace: Workspace) -> None:
    (workflow,) = blocks("yaml")
    steps = yaml.safe_load(workflow)["jobs"]["mcplock"]["steps"]
    offline, online = [step["run"] for step in steps if step.get("run", "").startswith("mcplock")]
    workspace.serve("docs", tools=[tool("search")])
    workspace.ok("install", "--yes")

    def run(line: str) -> int:
        return workspace.run(*shlex.split(line)[1:], env={"CI": "true"}).code

    assert (run(offline), run(online)) == (1, 1), "not reviewed yet"
    workspace.ok("approve", "*", "--yes")
    assert (run(offline), run(online)) == (0, 0)
    workspace.serve("docs", tools=[tool("search", "Something else.")])
    assert (run(offline), run(online)) == (0, 1), "only asking the server tells"
    workspace.write_manifest('[servers.new]\ncommand = "none"\n')
    assert (run(offline), run(online)) == (1, 1), "the lock lacks a server"


def test_the_manifest_shown_is_one(tmp_path: Path) -> None:
    (manifest,) = blocks("toml")
    path = tmp_path / "mcp.toml"
    path.write_text(manifest, encoding="utf-8")
    (tmp_path / ".mcp.json").write_text('{"mcpServers": {}}', encoding="utf-8")
    assert set(load(path).servers) == {"docs", "files"}


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(((?!https?:)[^)#]+)", README))))
def test_every_link_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


def test_nobody_is_sent_to_the_stranger_who_has_our_name_on_the_index() -> None:
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"(pip3? install|uvx|npx|pipx (run|install)) mcplock(?!-)", text), path
