"""A project of its own in a temporary folder, and the commands that are run in it."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Command

ROOT = Path(__file__).parents[1]
CATALOG = ROOT / "fixtures" / "servers" / "catalog.py"
SDK = ROOT / "fixtures" / "servers" / "sdk.py"
PROGRAM = Path(sys.executable).with_name("mcplock")
PYTHON = sys.executable


@dataclass(frozen=True)
class Place:
    """A directory that commands run in; nothing of the real home is seen there."""

    directory: Path

    @property
    def environ(self) -> dict[str, str]:
        """What the commands inherit."""
        kept = {key: os.environ[key] for key in ("PATH", "PYTHONPATH") if key in os.environ}
        return {**kept, "HOME": str(self.directory), "XDG_STATE_HOME": str(self.directory / ".s")}

    def program(self, *arguments: str) -> Command:
        """The installed program."""
        return self.command(str(PROGRAM), *arguments)

    def floor(self, name: str, *arguments: str) -> Command:
        """One of the bare scripts."""
        return self.command(PYTHON, str(ROOT / "benchmarks" / "floors" / name), *arguments)

    def command(self, *arguments: str) -> Command:
        """Any command."""
        return Command(arguments, self.directory, self.environ)

    def serve(self, catalogs: Sequence[dict[str, object]]) -> list[list[str]]:
        """Lock and approve a server for each catalog; the commands that start them."""
        commands = []
        for number, catalog in enumerate(catalogs):
            name = f"catalog-{number}.json"
            (self.directory / name).write_text(json.dumps(catalog), encoding="utf-8")
            commands.append([PYTHON, str(CATALOG), name])
        self.lock(commands)
        return commands

    def lock(self, commands: Sequence[list[str]]) -> None:
        """Lock and approve the servers that `commands` start."""
        manifest = "".join(
            f"[servers.server-{number}]\ncommand = {json.dumps(command[0])}\n"
            f"args = {json.dumps(command[1:])}\n\n"
            for number, command in enumerate(commands)
        )
        (self.directory / "mcp.toml").write_text(manifest, encoding="utf-8")
        for arguments in (["install", "--yes"], ["approve", "*", "--yes"]):
            subprocess.run(
                [PROGRAM, *arguments],
                cwd=self.directory,
                env=self.environ,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=True,
            )
