"""The installed program, run as a person runs it: real processes, real files, no real home."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

CATALOG = Path(__file__).parents[2] / "fixtures" / "servers" / "catalog.py"
PROGRAM = Path(sys.executable).with_name("mcplock")
SECONDS = 180
"""For one run of the program: more than it gives a server itself."""


@dataclass(frozen=True)
class Result:
    """What one run of the program left."""

    code: int
    out: str
    err: str

    def document(self) -> dict:
        return json.loads(self.out)


@dataclass
class Workspace:
    """A project directory with a manifest of catalog servers; `env`: for every run."""

    root: Path
    home: Path
    servers: dict[str, Path] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)

    def serve(self, name: str, **catalog: object) -> Path:
        """Let the server `name` list this from its next start on; add it to the manifest."""
        path = self.root / f"{len(self.servers)}.json" if name not in self.servers else None
        path = path or self.servers[name]
        path.write_text(json.dumps(catalog), encoding="utf-8")
        if name not in self.servers:
            self.servers[name] = path
            self.write_manifest()
        return path

    def write_manifest(self, extra: str = "") -> None:
        text = "".join(
            f"[servers.{json.dumps(name)}]\ncommand = {json.dumps(sys.executable)}\n"
            f"args = [{json.dumps(str(CATALOG))}, {json.dumps(path.name)}]\n\n"
            for name, path in self.servers.items()
        )
        (self.root / "mcp.toml").write_text(extra + text, encoding="utf-8")

    def environ(self) -> dict[str, str]:
        kept = {key: os.environ[key] for key in ("PATH", "PYTHONPATH") if key in os.environ}
        return {
            **kept,
            "HOME": str(self.home),
            "XDG_STATE_HOME": str(self.home / "state"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_CACHE_HOME": str(self.home / "cache"),
            **self.env,
        }

    def run(
        self, *arguments: str, env: dict[str, str] | None = None, cwd: Path | None = None
    ) -> Result:
        done = subprocess.run(
            [PROGRAM, *arguments],
            cwd=cwd or self.root,
            env={**self.environ(), **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def ok(self, *arguments: str) -> Result:
        result = self.run(*arguments)
        assert result.code == 0, result
        return result

    @property
    def lock_path(self) -> Path:
        return self.root / "mcp.lock"

    @property
    def lock(self) -> dict:
        return json.loads(self.lock_path.read_text(encoding="utf-8"))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    root = tmp_path / "project"
    home = tmp_path / "home"
    root.mkdir()
    home.mkdir()
    (root / ".git").mkdir()
    return Workspace(root, home)


def tool(name: str, description: str = "Does it.", **more: object) -> dict:
    """A plain tool definition."""
    schema = {"type": "object", "properties": {"q": {"type": "string"}}}
    return {"name": name, "description": description, "inputSchema": schema, **more}
