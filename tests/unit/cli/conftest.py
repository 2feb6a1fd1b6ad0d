"""Commands run in this process, on a project whose lock is made without asking a server."""

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from mcplock import cli
from mcplock.definitions import definition_entry, instructions_entry
from mcplock.lockfile import format_lock, read_lock
from mcplock.model import SECTIONS, Kind, Lock, LockedServer, Source, Transport
from mcplock.workflow.project import source_entry

SECTION = {section.kind: section for section in SECTIONS}


@dataclass(frozen=True)
class Result:
    """What one run left."""

    code: int
    out: str
    err: str

    def document(self) -> dict:
        return json.loads(self.out)


def definition(name: str, description: str = "Does it.", **more: object) -> dict:
    schema = {"type": "object", "properties": {"q": {"type": "string"}}}
    return {"name": name, "description": description, "inputSchema": schema, **more}


def server(*tools: dict | str, command: str = "serve", instructions: str = "") -> LockedServer:
    """A server as it is first locked; a tool may be given as JSON text."""
    texts = [tool if isinstance(tool, str) else json.dumps(tool) for tool in tools]
    entries = [definition_entry(SECTION[Kind.TOOL], text, {}) for text in texts]
    named = {name: entry for name, entry in entries if name is not None}
    return LockedServer(
        source=source_entry(Source(Transport.STDIO, command=command)),
        instructions=instructions_entry(instructions, {}) if instructions else None,
        definitions={Kind.TOOL: {name: named[name] for name in sorted(named)}} if named else {},
    )


@dataclass
class Project:
    """A project directory, and the program run in it."""

    root: Path
    home: Path
    capsys: pytest.CaptureFixture[str]

    def run(self, *arguments: str) -> Result:
        code = cli.run(arguments)
        captured = self.capsys.readouterr()
        return Result(code, captured.out, captured.err)

    def ok(self, *arguments: str) -> Result:
        result = self.run(*arguments)
        assert result.code == 0, result
        return result

    def write(self, servers: Mapping[str, LockedServer], *, manifest: bool = True) -> None:
        self.lock_path.write_bytes(format_lock(Lock(dict(sorted(servers.items())))).encode())
        if manifest:
            self.write_manifest(
                {name: locked.source.content["command"] for name, locked in servers.items()}
            )

    def write_manifest(self, commands: Mapping[str, str], extra: str = "") -> None:
        text = "".join(
            f"[servers.{json.dumps(name)}]\ncommand = {json.dumps(command)}\n"
            for name, command in commands.items()
        )
        (self.root / "mcp.toml").write_text(extra + text or "[servers]\n", encoding="utf-8")

    @property
    def lock_path(self) -> Path:
        return self.root / "mcp.lock"

    @property
    def lock(self) -> Lock:
        return read_lock(self.lock_path.read_bytes(), "mcp.lock")[0]

    def states(self) -> dict[str, str]:
        rows = self.ok("list", "--json").document()["servers"]
        return {
            f"{name}/{tool}": entry["state"]
            for name, row in rows.items()
            for tool, entry in row.get("tools", {}).items()
        }


@pytest.fixture
def project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Project:
    root, home = tmp_path / "project", tmp_path / "home"
    for directory in (root, home, root / ".git"):
        directory.mkdir()
    monkeypatch.chdir(root)
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(home))
    for name in ("CI", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return Project(root, home, capsys)


@pytest.fixture
def two_servers(project: Project) -> Project:
    """`docs` with the tools `fetch` and `search`, `mail` with `send`; nothing approved."""
    docs = server(definition("search"), definition("fetch"), instructions="Use search first.")
    project.write({"docs": docs, "mail": server(definition("send"))})
    return project


def git(root: Path, *words: str) -> None:
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.com"]
    subprocess.run(["git", *identity, *words], cwd=root, check=True, capture_output=True)


def commit(project: Project) -> None:
    git(project.root, "add", "--all")
    git(project.root, "commit", "--quiet", "--message", "x")


@pytest.fixture
def committed(two_servers: Project) -> Project:
    """Two servers, all approved, in the first commit of a real repository."""
    (two_servers.root / ".git").rmdir()
    git(two_servers.root, "init", "--quiet", "--initial-branch", "main")
    two_servers.ok("approve", "*", "--yes")
    commit(two_servers)
    return two_servers
