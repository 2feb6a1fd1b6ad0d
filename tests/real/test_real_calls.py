"""Calls of servers that others wrote, on both official SDKs, and what they say of drift.

The servers stay as they are: what differs is the lock, in which a tool has another schema or
another name than the server knows. For the calls that is as if the server had changed.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from mcplock.canonical import hash_value
from mcplock.lockfile import edit
from mcplock.model import Entry, Kind, Lock

from .conftest import RealWorkspace
from .servers import SERVERS

pytestmark = pytest.mark.real
Real = Callable[..., RealWorkspace]

LOOSE = {"type": "object"}
TABLE = {
    "filesystem": ("list_directory", {"path": "."}, {"path": "none"}),
    "memory": ("search_nodes", {"query": "x"}, None),
    "time": (
        "get_current_time",
        {"timezone": "UTC"},
        {"timezone": "Nowhere/None"},
    ),
}
"""By server: a tool, arguments that it takes, and some with which it runs and fails."""

BY_NAME = {server.name: server for server in SERVERS}


def call(project: RealWorkspace, tool: str, arguments: Any, *words: str) -> int:
    return project.run("call", tool, "--json", json.dumps(arguments), *words).code


def lock_otherwise(project: RealWorkspace, server: str, old: str, **more: Any) -> None:
    """Lock the tool `old`, approved, with other keys: what the server does not define so."""

    def change(lock: Lock) -> Lock:
        locked = lock.servers[server]
        tools = dict(locked.of(Kind.TOOL))
        content = tools[old].content | more
        hashed = hash_value(content)
        tools[content["name"]] = Entry(hashed, content, approved=hashed)
        ordered = {name: tools[name] for name in sorted(tools)}
        definitions = {**locked.definitions, Kind.TOOL: ordered}
        return Lock({**lock.servers, server: locked._replace(definitions=definitions)})

    edit(project.lock_path, change)


@pytest.mark.parametrize("name", TABLE)
def test_only_what_is_not_the_tool_s_own_error_is_a_change(name: str, real: Real) -> None:
    tool, good, failing = TABLE[name]
    project = real(BY_NAME[name])
    project.ok("install", "--yes", "--baseline")
    assert call(project, f"{name}/{tool}", good) == 0
    if failing is not None:
        assert call(project, f"{name}/{tool}", failing) == 3
        assert call(project, f"{name}/{tool}", failing, "--trust-lock") == 3

    lock_otherwise(project, name, tool, name="ghost", inputSchema=LOOSE)
    assert call(project, f"{name}/ghost", {}, "--trust-lock") == 1
    lock_otherwise(project, name, tool, inputSchema=LOOSE)
    assert call(project, f"{name}/{tool}", {"n": [1]}, "--trust-lock") == 1
    suspicions = project.run("status", "--json").document()["suspicions"]
    assert [row["tool"] for row in suspicions] == sorted(["ghost", tool])

    project.ok("update", name)
    assert project.run("status", "--json").document()["suspicions"] == []


def test_an_image_of_a_real_server_is_kept(real: Real) -> None:
    project = real(BY_NAME["everything"])
    project.ok("install", "--yes", "--baseline")
    result = project.run("call", "everything/get-tiny-image", "--output", "tiny.png")
    assert result.code == 0, result
    assert (project.root / "tiny.png").read_bytes().startswith(b"\x89PNG")
