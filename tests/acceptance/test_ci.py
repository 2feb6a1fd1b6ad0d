"""The action and the hooks, their steps run as they are written, and the recipes in docs/ci.md."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from mcplock import __version__
from mcplock.manifest.begin import IN_PROJECTS
from mcplock.manifest.find import NAMES
from tests.formats import commands, sarif_results

from .conftest import Workspace, tool

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(BASH is None, reason="the steps of the action are for bash")


@dataclass
class Job:
    """A job of GitHub's on this machine: its directories, and the files that steps write to."""

    workspace: Workspace
    runner: Path

    def file(self, name: str) -> Path:
        path = self.runner / name
        path.touch()
        return path

    def environ(self) -> dict[str, str]:
        names = ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")
        paths = self.file("GITHUB_PATH").read_text(encoding="utf-8").split()
        return {
            **self.workspace.environ(),
            **{name: str(self.file(name)) for name in names},
            "PATH": os.pathsep.join([*paths, os.environ["PATH"]]),
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(self.workspace.root),
            "RUNNER_TEMP": str(self.runner),
            # What the program needs is in this environment; nothing is asked of an index.
            "PYTHONPATH": sysconfig.get_path("purelib"),
            "PIP_NO_DEPS": "1",
            "PIP_NO_INDEX": "1",
        }

    def run(self, step: dict, inputs: dict[str, str]) -> subprocess.CompletedProcess[str]:
        script = self.runner / "step.sh"
        script.write_text(step["run"], encoding="utf-8")
        place = self.workspace.root / filled(step.get("working-directory", "."), inputs)
        own = {name: filled(value, inputs) for name, value in step.get("env", {}).items()}
        return subprocess.run(
            [str(BASH), "--noprofile", "--norc", "-eo", "pipefail", script],
            cwd=place,
            env={**self.environ(), **own},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )

    def outputs(self) -> dict[str, str]:
        text = self.file("GITHUB_OUTPUT").read_text(encoding="utf-8")
        return dict(line.split("=", 1) for line in text.splitlines())


def filled(value: str, inputs: dict[str, str]) -> str:
    """`value` with the inputs that it names, as the runner puts them in."""
    return re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda hit: inputs[hit[1]], value)


def inputs(**given: str) -> dict[str, str]:
    return {name: told["default"] for name, told in ACTION["inputs"].items()} | given


INSTALL, RUN = ACTION["runs"]["steps"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runner's temporary directory after the first step, which took this checkout."""
    base = tmp_path_factory.mktemp("action")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", base]
    subprocess.run([str(word) for word in build], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = base.glob("*.whl")
    (base / "project").mkdir()
    job = Job(Workspace(base / "project", base), base)
    done = job.run(INSTALL, inputs(source=str(wheel), python=sys.executable))
    assert done.returncode == 0, done
    return base


@pytest.fixture
def job(workspace: Workspace, installed: Path, tmp_path: Path) -> Job:
    """A reviewed project in a job where mcplock is installed."""
    workspace.serve("docs", tools=[tool("search")])
    workspace.ok("install", "--yes")
    workspace.ok("approve", "*", "--yes")
    runner = tmp_path / "runner"
    runner.mkdir()
    shutil.copy(installed / "GITHUB_PATH", runner)
    return Job(workspace, runner)


def test_the_program_that_the_action_installs_is_its_own(job: Job, installed: Path) -> None:
    asked = "command -v mcplock; python -c 'import mcplock; print(mcplock.__file__)'"
    done = job.run({"run": asked}, inputs())
    assert all(line.startswith(str(installed)) for line in done.stdout.split()), done
    assert len(done.stdout.split()) == 2


def test_the_action_passes_and_fails_as_the_program_does(job: Job) -> None:
    done = job.run(RUN, inputs())
    assert done.returncode == 0, done
    assert job.outputs() == {"exit-code": "0", "conclusion": "ok"}
    assert "✅ mcplock check" in job.file("GITHUB_STEP_SUMMARY").read_text(encoding="utf-8")

    job.workspace.ok("reset", "docs/search")
    done = job.run(RUN, inputs())
    assert done.returncode == 1
    assert job.outputs()["conclusion"] == "fail"
    assert [told["file"] for _, told, _ in commands(done.stdout)] == ["mcp.lock"]

    job.workspace.lock_path.write_text("", encoding="utf-8")
    assert job.run(RUN, inputs()).returncode == 2
    assert job.outputs() == {"exit-code": "2", "conclusion": "error"}


def test_the_action_asks_the_servers_where_it_is_told_to(job: Job) -> None:
    online = inputs(arguments="check --trust-sources", format="sarif", file="found.sarif")
    assert job.run(RUN, online).returncode == 0
    job.workspace.serve("docs", tools=[tool("search", "Something else.")])
    assert job.run(RUN, inputs()).returncode == 0, "nothing is started"

    done = job.run(RUN, online)

    assert (done.returncode, done.stdout) == (1, "")
    text = (job.workspace.root / "found.sarif").read_text(encoding="utf-8")
    assert [result["ruleId"] for result in sarif_results(text)] == ["drift"]


def test_the_action_works_below_the_root(job: Job) -> None:
    below = job.workspace.root / "a b"
    below.mkdir()
    assert job.run(RUN, inputs(**{"working-directory": "a b"})).returncode == 0


def test_no_input_is_a_command_for_the_shell(job: Job) -> None:
    evil = "x; touch owned; $(touch owned) `touch owned` ' \" && touch owned"
    for name in ("arguments", "format", "file"):
        job.run(RUN, inputs(**{name: evil}))
    for given in ({"python": evil}, {"python": sys.executable, "version": evil}):
        assert job.run(INSTALL, inputs(**given)).returncode
    assert not list(job.workspace.root.rglob("owned"))
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"]


def test_a_python_that_is_too_old_is_told(job: Job) -> None:
    done = job.run(INSTALL, inputs(python="false"))
    assert done.returncode == 2
    assert "needs Python 3.11" in done.stdout


def test_versions_are_pinned_and_nothing_else_is_fetched() -> None:
    assert ACTION["inputs"]["version"]["default"] == __version__
    assert all("uses" not in step for step in ACTION["runs"]["steps"])
    for path in (ROOT / "README.md", ROOT / "docs" / "ci.md"):
        text = path.read_text(encoding="utf-8")
        pins = re.findall(r"mcplock-cli(?:==|@)(\d[\w.]*)", text)
        assert set(pins) == {__version__}, path


def test_every_input_is_used_and_explained() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    for name, told in ACTION["inputs"].items():
        assert told["description"]
        assert f"inputs.{name} " in text
        assert f"`{name}`" in page


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_passes_and_fails(job: Job, hook: dict) -> None:
    words = shlex.split(hook["entry"])[1:]
    assert job.workspace.run(*words).code == 0
    assert hook["pass_filenames"] is False
    assert re.search(hook["files"], "agents/mcp.lock")
    assert not re.search(hook["files"], "agents/mcp.lock.md")
    job.workspace.serve("docs", tools=[tool("search", "Hidden.\u200b")])
    job.workspace.ok("update")
    assert job.workspace.run(*words).code == 1


@pytest.mark.parametrize("name", [*NAMES, *IN_PROJECTS])
@pytest.mark.parametrize("above", ["", "agents/"])
def test_the_check_runs_for_every_file_that_a_manifest_is_or_init_includes(
    name: str, above: str
) -> None:
    files = next(hook["files"] for hook in HOOKS if hook["id"] == "mcplock-check")
    path = above + name.replace("*", "a b")
    assert re.search(files, path)
    assert not re.search(files, f"{path}x")
    assert not re.search(files, f"{path}/x")


PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```\n", PAGE, re.MULTILINE | re.DOTALL)


def told_commands() -> list[str]:
    """Every command line of the page: in its sentences, and in the steps of its recipes."""
    prose = re.sub(r"^```.*?^```\n", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    found = re.findall(r"`(mcplock [^`]+)`", prose)
    for _, body in BLOCKS:
        found += re.findall(r"(?m)^\s*(?:- )?(?:run: )?(mcplock [^\n|>]*)", body)
    return sorted({line.strip() for line in found})


@pytest.mark.parametrize("line", told_commands())
def test_every_command_of_the_page_can_be_run(job: Job, line: str) -> None:
    root = job.workspace.root
    (root / ".git").rmdir()
    author = ["-c", "user.name=R", "-c", "user.email=r@example.com"]
    for words in (["init", "-q"], ["add", "."], [*author, "commit", "-qm", "Lock"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    for name in ("origin/main", "origin/target"):
        ref = f"refs/remotes/{name}"
        subprocess.run(["git", "update-ref", ref, "HEAD"], cwd=root, check=True)
    line = re.sub(r'"?origin/\$\w+"?', "origin/target", line)
    result = job.workspace.run(*shlex.split(line)[1:])
    assert result.code == 0, result


@pytest.mark.parametrize(("language", "body"), BLOCKS, ids=range(len(BLOCKS)))
def test_every_block_of_the_page_can_be_read(language: str, body: str) -> None:
    match language:
        case "yaml":
            assert yaml.safe_load(body)
        case "sh":
            subprocess.run([str(BASH), "-n"], input=body.encode(), check=True)
        case _:
            assert language == "text"
