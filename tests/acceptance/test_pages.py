"""Each command line in a sentence of docs/ is run, as it stands, in a repository with a lock."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from mcplock.cli.group import COMMANDS

from .conftest import Workspace, tool
from .test_readme import committed

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(path for path in DOCS.glob("*.md") if path.name != "commands.md")  # made of helps
FENCED = re.compile(r"^```.*?^```\n", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`(mcplock [^`]+)`")
PLACEHOLDERS = {
    "REV": "origin/main",
    "NAME": "docs",
    "SERVER": "docs",
    "N": "1000",
    "QUERY": "search",
}
NAMES = {name for commands in COMMANDS.values() for name in commands}
HOSTED = {"login", "logout"}
"""Their servers are hosted ones, with which they are run in their own tests."""
NOWHERE = {"HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": ""}
"""No line fetches anything from the world, tiktoken's encodings for one."""


def told(path: Path) -> list[str]:
    prose = FENCED.sub("", path.read_text(encoding="utf-8"))
    return [" ".join(span.split()) for span in SPAN.findall(prose)]


def all_lines() -> list[str]:
    return sorted({line for path in PAGES for line in told(path)})


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A repository whose lock is reviewed; what it was is `origin/main`."""
    room = tmp_path_factory.mktemp("pages")
    workspace = Workspace(room / "project", room / "home")
    workspace.root.mkdir()
    workspace.home.mkdir()
    (workspace.root / ".git").mkdir()
    workspace.serve("docs", tools=[tool("search"), tool("fetch")])
    workspace.serve("time", tools=[tool("now")])
    workspace.ok("install", "--yes")
    workspace.ok("approve", "*", "--yes")
    committed(workspace.root)
    return workspace


@pytest.fixture
def clean(project: Workspace) -> Workspace:
    """The repository as it was."""
    for words in (["reset", "-q", "--hard"], ["clean", "-fdq"]):
        subprocess.run(["git", *words], cwd=project.root, check=True)
    return project


@pytest.mark.parametrize("line", [line for line in all_lines() if len(line.split()) > 2])
def test_a_command_line_of_a_page_runs(line: str, clean: Workspace) -> None:
    _, command, *words = shlex.split(line)
    if command == "add":  # what another line removes
        clean.ok("remove", words[0])
    result = clean.run(command, *(PLACEHOLDERS.get(word, word) for word in words), env=NOWHERE)
    if "--tokenizer" in words and result.code == 2:
        assert "cannot load its encoding" in result.err
    elif command in HOSTED:
        assert "No such option" not in result.err
        assert "Missing" not in result.err
    else:
        assert result.code in (0, 1), result


@pytest.mark.parametrize("line", [line for line in all_lines() if len(line.split()) == 2])
def test_a_command_that_a_page_names_is_there(line: str) -> None:
    assert line.removeprefix("mcplock ") in NAMES


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(((?!https?:)[^)#]+)", text):
        assert (DOCS / link).exists(), link


def test_pages_are_linked_from_the_readme() -> None:
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in PAGES if f"docs/{path.name}" not in readme] == []
