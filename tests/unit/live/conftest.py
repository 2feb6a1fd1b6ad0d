"""A project with one or two servers whose tools can be called."""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import mcplock
from mcplock.canonical import hash_value
from mcplock.lockfile import format_lock
from mcplock.trust import Trust
from tests.locks import entry, lock, server

CALLS = Path(__file__).parents[3] / "fixtures" / "servers" / "calls.py"
OBJECT = {"type": "object"}


def definition(name: str, **more: Any) -> dict[str, Any]:
    """The definition of a tool that takes any arguments."""
    return {"name": name, "description": f"Does {name}.", "inputSchema": OBJECT} | more


class Project:
    """A manifest, a lock in which all is approved and unasked, and the servers' files."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.state_dir = directory / "state" / "mcplock"
        self.environ = {"PATH": os.environ["PATH"], "XDG_STATE_HOME": str(directory / "state")}
        self.contents: dict[str, dict[str, Any]] = {}

    def serve(self, *tools: Mapping[str, Any], name: str = "demo", **more: Any) -> None:
        """Let the server `name` list `tools`; `more`: keys of its file."""
        self.contents[name] = {"tools": list(tools), **more}
        self._write(name)

    def change(self, name: str = "demo", **more: Any) -> None:
        """Change the file of a server that runs."""
        self.contents[name] |= more
        self._write(name)

    def _write(self, name: str) -> None:
        path = self.file(name)
        temporary = path.with_suffix(".new")
        temporary.write_text(json.dumps(self.contents[name]), encoding="utf-8")
        temporary.replace(path)

    def file(self, name: str = "demo") -> Path:
        """The file that tells a server what to do."""
        return self.directory / f"{name}.json"

    def source(self, name: str) -> dict[str, Any]:
        """How a server is reached."""
        args = [str(CALLS), str(self.file(name))]
        return {"type": "stdio", "command": sys.executable, "args": args}

    def lock(self, *, confirm: str | None = "never", trusted: bool = True, **heads: Any) -> None:
        """Write manifest and lock as the servers are now. heads: of tools, by name."""
        servers, manifest = {}, ""
        for name, content in self.contents.items():
            source = entry(self.source(name), approve=True)
            entries = [
                entry(tool, **({"approve": True, "confirm": confirm} | heads.get(tool["name"], {})))
                for tool in content["tools"]
            ]
            protocol = "2026-07-28" if content.get("era") == "modern" else "2025-11-25"
            servers[name] = server(*entries, source=source, protocol=protocol)
            words = json.dumps(source.content["args"])
            manifest += (
                f"[servers.{name}]\ncommand = {json.dumps(sys.executable)}\nargs = {words}\n"
            )
        (self.directory / "mcp.toml").write_text(manifest, encoding="utf-8")
        (self.directory / "mcp.lock").write_text(format_lock(lock(**servers)), encoding="utf-8")
        if trusted:
            hashes = [hash_value(self.source(name)) for name in self.contents]
            Trust(self.state_dir, self.directory / "mcp.toml").remember(hashes)

    def catalog(self) -> mcplock.Catalog:
        """The catalog of the lock."""
        return mcplock.load(self.directory / "mcp.lock")

    def connect(self, **how: Any) -> mcplock.Live:
        """A connection in this project's own environment."""
        return self.catalog().connect(environ=self.environ, **how)

    def sync(self, **how: Any) -> mcplock.SyncLive:
        """The same for code that does not await."""
        return self.catalog().connect_sync(environ=self.environ, **how)

    def heard(self, method: str, name: str = "demo") -> list[dict[str, Any]]:
        """The parameters of each message of this method that a server got."""
        log = Path(f"{self.file(name)}.log")
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        messages = [json.loads(line) for line in lines]
        return [m.get("params", {}) for m in messages if m.get("method") == method]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    from mcplock.session import orphans, process

    monkeypatch.setattr(process, "_PATIENCE", 0.5)
    monkeypatch.setattr(orphans, "_PATIENCE", 0.5)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project without servers yet."""
    return Project(tmp_path)


@pytest.fixture
def serving(project: Project) -> Callable[..., Project]:
    """A project whose server `demo` lists these tools, all approved."""

    def served(*tools: Any, **more: Any) -> Project:
        project.serve(*tools, **more)
        project.lock()
        return project

    return served


ECHO = definition("echo")
SLOW = definition("slow")
COUNT = definition(
    "count",
    inputSchema={
        "type": "object",
        "properties": {"n": {"type": "integer"}, "by": {"type": "integer"}},
        "required": ["n"],
        "additionalProperties": False,
    },
)


def run(work: Any) -> Any:
    return asyncio.run(asyncio.wait_for(work, 30))


def called(project: Project, name: str = "demo/echo", arguments: Any = None, **how: Any) -> Any:
    """The result of one call in a connection of its own."""

    async def main() -> mcplock.Result:
        async with project.connect(**how) as live:
            return await live.call(name, arguments)

    return run(main())
