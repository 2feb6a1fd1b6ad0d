"""The real servers of the rig, and the projects that the tests lock them in."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .places import NEWER, NPM, OLDER, Place


@dataclass(frozen=True)
class Release:
    """One installed release of a server: its directory, and where in it the program is."""

    place: Place
    package: str
    program: str

    @property
    def directory(self) -> Path:
        modules = "node_modules" if self.place is NPM else ""
        return self.place.directory / modules / self.package


@dataclass(frozen=True)
class RealServer:
    """A server that others wrote.

    tools: how many the newest release lists; older: an older release, for those whose
    definitions really changed.
    """

    name: str
    newest: Release
    tools: int
    args: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    older: Release | None = None

    def manifest(self) -> str:
        """Its part of `mcp.toml`: whatever release `servers/NAME` points to is started."""
        program = f"servers/{self.name}/{self.newest.program}"
        words = ["node", program] if self.newest.place is NPM else [program]
        command, *args = [*words, *self.args]
        env = ", ".join(f'{name} = "${{{name}}}"' for name in self.env)
        return (
            f"[servers.{self.name}]\ncommand = {json.dumps(command)}\nargs = {json.dumps(args)}\n"
            + (f"env = {{ {env} }}\n" if env else "")
        )


def npm(package: str, program: str = "dist/index.js") -> Release:
    return Release(NPM, package, program)


def pypi(place: Place, script: str) -> Release:
    return Release(place, "", f"bin/{script}")


SERVERS = (
    RealServer("everything", npm("@modelcontextprotocol/server-everything"), 13),
    RealServer(
        "filesystem",
        npm("@modelcontextprotocol/server-filesystem"),
        14,
        args=(".",),
        older=npm("filesystem-older"),
    ),
    RealServer("memory", npm("@modelcontextprotocol/server-memory"), 9, older=npm("memory-older")),
    RealServer(
        "sequential-thinking",
        npm("@modelcontextprotocol/server-sequential-thinking"),
        1,
        older=npm("sequential-thinking-older"),
    ),
    RealServer("playwright", npm("@playwright/mcp", "cli.js"), 25),
    RealServer("context7", npm("@upstash/context7-mcp"), 2),
    RealServer(
        "notion", npm("@notionhq/notion-mcp-server", "bin/cli.mjs"), 24, env=("NOTION_TOKEN",)
    ),
    RealServer("git", pypi(NEWER, "mcp-server-git"), 12, older=pypi(OLDER, "mcp-server-git")),
    RealServer(
        "time",
        pypi(NEWER, "mcp-server-time"),
        2,
        args=("--local-timezone", "UTC"),
        older=pypi(OLDER, "mcp-server-time"),
    ),
    RealServer("fetch", pypi(NEWER, "mcp-server-fetch"), 1),
)


def point(root: Path, name: str, release: Release) -> None:
    """Let `servers/NAME` in the project be this release; the manifest stays as it is."""
    link = root / "servers" / name
    link.parent.mkdir(exist_ok=True)
    fresh = link.with_name(f".{name}")
    os.symlink(release.directory, fresh, target_is_directory=True)
    fresh.replace(link)


def set_up(root: Path, servers: Sequence[RealServer], *, older: bool = False) -> None:
    """Write a manifest of `servers` into `root` and have them installed there."""
    for server in servers:
        release = server.older if older and server.older else server.newest
        point(root, server.name, release)
    text = "\n".join(server.manifest() for server in servers)
    (root / "mcp.toml").write_text(text, encoding="utf-8")
