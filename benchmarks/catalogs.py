"""Catalogs of any size, made from real tool listings with a fixed seed.

The listings are an input beside the checkout, not a part of it: where they are absent the
benchmarks, and the tests that need a large catalog, say so and stop.
"""

import json
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from mcplock.canonical import hash_value
from mcplock.jsontext import Json, parse
from mcplock.lockfile import format_lock
from mcplock.model import Entry, Kind, Lock, LockedServer

LISTINGS = Path(__file__).parents[2] / "shared" / "data" / "livemcptool_tools.json"
SEED = 20260728
TOOLS_A_SERVER = 50


class NoListings(Exception):
    """The real listings are not on this machine; the message says where they are looked for."""


def real_tools() -> list[Json]:
    """Definitions that real servers list, in a fixed order."""
    if not LISTINGS.is_file():
        raise NoListings(f"no real listings at {LISTINGS}: benchmarks on large catalogs need them")
    rows = parse(LISTINGS.read_text(encoding="utf-8"))["tools"]
    return [
        {
            "name": row["tool"],
            "description": row["description"],
            "inputSchema": row.get("inputSchema", {"type": "object"}),
        }
        for row in rows
    ]


def definitions(count: int) -> Iterator[Json]:
    """`count` definitions, no two alike: real ones, drawn at random and numbered."""
    draw = random.Random(SEED)
    real = real_tools()
    for number in range(count):
        tool = draw.choice(real)
        yield {
            **tool,
            "name": f"{tool['name']}_{number}",
            "description": f"{tool['description']} Variant {number}.",
        }


def servers(count: int) -> dict[str, list[Json]]:
    """`count` definitions, 50 a server."""
    pool = definitions(count)
    return {
        f"server-{number:04}": list(islice(pool, TOOLS_A_SERVER))
        for number in range(-(-count // TOOLS_A_SERVER))
    }


def approved_lock(count: int) -> Lock:
    """A lock of `count` tools, all of it approved."""
    return Lock({name: _server(name, tools) for name, tools in servers(count).items()})


def write_project(directory: Path, count: int) -> Path:
    """Write `mcp.toml` and `mcp.lock` of `count` tools into `directory`; the path of the lock."""
    lock = approved_lock(count)
    text = "".join(
        f"[servers.{name}]\ncommand = {json.dumps(locked.source.content['command'])}\n"
        f"args = {json.dumps(locked.source.content['args'])}\n\n"
        for name, locked in lock.servers.items()
    )
    (directory / "mcp.toml").write_text(text, encoding="utf-8")
    path = directory / "mcp.lock"
    path.write_bytes(format_lock(lock).encode())
    return path


def _server(name: str, tools: list[Json]) -> LockedServer:
    source = {"type": "stdio", "command": "python", "args": ["-m", name.replace("-", "_")]}
    return LockedServer(
        source=_approved(source),
        protocol="2025-11-25",
        definitions={Kind.TOOL: {tool["name"]: _approved(tool) for tool in tools}},
    )


def _approved(content: Json) -> Entry:
    hashed = hash_value(content)
    return Entry(hash=hashed, content=content, approved=hashed)
