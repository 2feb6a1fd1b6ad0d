"""What agents see where a user has servers of his own."""

import subprocess
import sys
from pathlib import Path

import pytest

import mcplock
from mcplock.errors import FaultyFile, McplockError, MissingFile
from mcplock.levels import SHADOWED
from mcplock.lockfile import format_lock
from mcplock.model import LockedServer
from tests.locks import entry, lock, server, tool

TOML = "[servers.{}]\ncommand = 'x'\n"


class Places:
    """A repository and a user's home."""

    def __init__(self, root: Path, own: Path) -> None:
        self.root, self.own = root, own

    def project(self, manifest: str = "# none\n", **servers: LockedServer) -> None:
        (self.root / "mcp.lock").write_text(format_lock(lock(**servers)))
        (self.root / "mcp.toml").write_text(manifest)

    def user(self, **servers: LockedServer) -> None:
        self.own.mkdir(parents=True, exist_ok=True)
        (self.own / "mcp.lock").write_text(format_lock(lock(**servers)))
        (self.own / "mcp.toml").write_text("# mine\n" + "".join(map(TOML.format, servers)))


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    return Places(root, tmp_path / "config" / "mcplock")


def seen() -> list[str]:
    return [f"{tool.id} {tool.description}" for tool in mcplock.load()]


def test_both_levels_are_loaded_the_projects_first(places: Places) -> None:
    places.project(docs=server(tool("search", approve=True)))
    instructions = entry("Be brief.", approve=True)
    places.user(
        a=server(tool("b", approve=True), tool("c"), instructions=instructions),
        docs=server(tool("search", "Mine.", approve=True), tool("more", approve=True)),
    )

    catalog = mcplock.load()

    assert [tool.id for tool in catalog] == ["docs/search", "a/b"]
    assert catalog["docs/search"].description == "Does it."
    assert [(left.server, left.tool) for left in catalog.omitted] == [("a", "c")]
    assert catalog.instructions == {"a": "Be brief."}
    assert catalog.hash == mcplock.load().hash


@pytest.mark.parametrize(
    "entries",
    [
        server(tool("search")),
        server(tool("search", approve=True, denied="no")),
        server(tool("search", more={"inputSchema": {"type": "string"}})),
        server(tool("search", approve=True), source=entry({"type": "stdio", "command": "y"})),
        server(),
    ],
    ids=["new", "denied", "invalid", "source", "empty"],
)
def test_what_the_project_has_never_falls_back_to_the_users(
    places: Places, entries: LockedServer
) -> None:
    places.project(docs=entries)
    places.user(docs=server(tool("search", "Mine.", approve=True)))
    assert seen() == []


@pytest.mark.parametrize("manifest", [TOML.format("docs"), f"{TOML.format('docs')}disabled = true"])
def test_the_projects_manifest_decides_names_that_its_lock_lacks(
    places: Places, manifest: str
) -> None:
    places.project(manifest)
    places.user(docs=server(tool("search", approve=True)), a=server(tool("b", approve=True)))

    catalog = mcplock.load()

    assert [tool.id for tool in catalog] == ["a/b"]
    assert catalog.why_not("docs/search") == f"docs/search is locked, but {SHADOWED}"


def test_a_project_that_is_not_locked_decides_names_too(places: Places) -> None:
    (places.root / ".mcp.json").write_text('{"mcpServers": {"docs": {"command": "x"}}}')
    places.user(docs=server(tool("search", approve=True)), a=server(tool("b", approve=True)))
    assert seen() == ["a/b Does it."]


def test_what_a_clients_file_only_switches_off_is_the_projects(places: Places) -> None:
    (places.root / ".mcp.json").write_text('{"mcpServers": {"docs": {"enabled": false}}}')
    places.user(docs=server(tool("search", approve=True)))
    assert seen() == []


def test_a_manifest_that_cannot_be_read_decides_nothing_silently(places: Places) -> None:
    places.project("[servers.docs]\n")
    places.user(docs=server(tool("search", approve=True)))
    with pytest.raises(FaultyFile):
        mcplock.load()


def test_who_names_a_lock_gets_that_lock(places: Places) -> None:
    places.project()
    places.user(a=server(tool("b", approve=True)))
    assert len(mcplock.load("mcp.lock")) == 0
    assert len(mcplock.load(user=False)) == 0
    assert seen() == ["a/b Does it."]


def test_a_job_in_ci_reads_the_project_alone(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    places.user(a=server(tool("b", approve=True)))
    monkeypatch.setenv("CI", "true")
    with pytest.raises(MissingFile):
        mcplock.load()


def test_a_broken_lock_of_the_user_is_told(places: Places) -> None:
    places.project(docs=server(tool("search", approve=True)))
    places.user()
    (places.own / "mcp.lock").write_text("{")
    with pytest.raises(McplockError):
        mcplock.load()


@pytest.mark.parametrize("level", ["root", "own"])
def test_a_lock_that_is_a_link_to_nowhere_is_not_taken_for_a_missing_one(
    places: Places, level: str
) -> None:
    places.project(docs=server(tool("search", approve=True)))
    places.user(a=server(tool("b", approve=True)))
    path = getattr(places, level) / "mcp.lock"
    path.unlink()
    path.symlink_to("gone")
    with pytest.raises(MissingFile):
        mcplock.load()


def test_both_levels_need_the_standard_library_only(places: Places) -> None:
    places.project(TOML.format("docs"), docs=server(tool("search", approve=True)))
    places.user(a=server(tool("b", approve=True)))
    text = "import mcplock, sys; print(len(mcplock.load())); print(*sys.modules)"
    environ = {"PYTHONPATH": str(Path(__file__).parents[2]), "HOME": str(places.root.parent)}
    environ["XDG_CONFIG_HOME"] = str(places.own.parent)

    done = subprocess.run(
        [sys.executable, "-S", "-c", text],
        env=environ,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )

    count, modules = done.stdout.splitlines()
    assert count == "2"
    tops = {name.partition(".")[0] for name in modules.split()}
    assert tops - sys.stdlib_module_names - {"__main__"} == {"mcplock"}
