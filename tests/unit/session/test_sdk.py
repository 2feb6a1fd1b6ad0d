"""Against servers built with the official SDK, over each transport and in each revision."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mcplock.manifest import Server
from mcplock.model import Kind, Snapshot, Transport
from mcplock.session import Target, snapshots
from mcplock.session.protocol import HANDSHAKE, MODERN

SCRIPT = Path(__file__).parents[3] / "fixtures" / "servers" / "sdk.py"
Until = Callable[[Callable[[], object]], None]


def check(found: Snapshot, protocol: str) -> dict[str, str]:
    """The hashes of what the server lists, once all is as it should be."""
    assert found.failure is None, found.failure
    assert found.protocol == protocol
    assert found.info and found.info.name == "sdk"
    assert found.instructions and found.instructions.content == "Add before you divide."
    assert list(found.of(Kind.TOOL)) == ["add", "divide"]
    assert list(found.of(Kind.PROMPT)) == ["greet"]
    assert list(found.of(Kind.TEMPLATE)) == ["memo://{day}"]
    assert not found.issues
    return {name: entry.hash for name, entry in found.of(Kind.TOOL).items()}


def test_stdio_in_every_revision_gives_the_same_tools(
    servers: Callable[..., Server], tmp_path: Path
) -> None:
    asked = {"": MODERN[-1], **{revision: revision for revision in (*HANDSHAKE[::3], *MODERN)}}
    targets = [
        Target(servers("sdk.py", "stdio", name=f"r{locked}"), locked or None) for locked in asked
    ]
    found = snapshots(targets, directory=tmp_path, environ={"PATH": os.environ["PATH"]})
    hashes = [check(found[f"r{locked}"], protocol) for locked, protocol in asked.items()]
    assert len(hashes) == 4 and all(one == hashes[0] for one in hashes)


def test_resources_on_request(ask: Callable[..., Snapshot]) -> None:
    assert list(ask("sdk.py", "stdio", resources=True).of(Kind.RESOURCE)) == ["memo://today"]


@contextmanager
def running(transport: str, until: Until, *options: str) -> Iterator[str]:
    """The origin of a server of the SDK on a port of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    arguments = [sys.executable, str(SCRIPT), transport, str(port), *options]
    process = subprocess.Popen(arguments, stderr=subprocess.DEVNULL, env=dict(os.environ))

    def listens() -> bool:
        assert process.poll() is None
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        until(listens)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("options", [[], ["json"]])
def test_streamable_http_in_every_revision_gives_the_same_tools(
    visit: Callable[..., Snapshot], until: Until, options: list[str]
) -> None:
    with running("streamable-http", until, *options) as origin:
        newest = check(visit(f"{origin}/mcp"), MODERN[-1])
        for protocol in (HANDSHAKE[0], HANDSHAKE[-1], MODERN[-1]):
            assert check(visit(f"{origin}/mcp", protocol=protocol), protocol) == newest
        assert check(visit(f"{origin}/mcp/"), MODERN[-1]) == newest


def test_the_older_sse_transport(visit: Callable[..., Snapshot], until: Until) -> None:
    with running("sse", until) as origin:
        named = check(visit(f"{origin}/sse", type=Transport.SSE), HANDSHAKE[-1])
        assert check(visit(f"{origin}/sse"), HANDSHAKE[-1]) == named
