"""Calls over HTTP, of a server built on the official SDK."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

import mcplock
from mcplock import cli
from mcplock.marks import Marks
from tests.unit.live.conftest import Project

SERVER = """
import asyncio, sys
from typing import Annotated
from pydantic import Field
from mcp.server import MCPServer
from mcp.server.mcpserver import Context

server = MCPServer("web")

@server.tool(name="où")
async def where(
    region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})], n: int = 0
) -> str:
    "Says where."
    return f"{region} {n}"

@server.tool()
async def slow(seconds: float, ctx: Context) -> str:
    "Takes its time."
    await ctx.report_progress(1, 2, "half")
    try:
        await asyncio.sleep(seconds)
    except BaseException:
        open("cancelled", "w").close()
        raise
    return "done"

server.run(sys.argv[1], host="127.0.0.1", port=int(sys.argv[2]))
"""
TRANSPORTS = {
    "2026-07-28": ("streamable-http", "/mcp", "http"),
    "2025-11-25": ("streamable-http", "/mcp", "http"),
    "2024-11-05": ("sse", "/sse", "sse"),
}


@contextmanager
def running(project: Project, transport: str, port: int) -> Iterator[None]:
    (project.directory / "server.py").write_text(SERVER, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "server.py", transport, str(port)],
        cwd=project.directory,
        stderr=subprocess.DEVNULL,
        env=dict(os.environ),
    )
    deadline = time.monotonic() + 30
    try:
        while True:
            assert process.poll() is None
            assert time.monotonic() < deadline
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        found: int = free.getsockname()[1]
        return found


def lock(project: Project, monkeypatch: pytest.MonkeyPatch, url: str, kind: str) -> None:
    text = f'[servers.web]\nurl = "{url}"\ntype = "{kind}"\n'
    (project.directory / "mcp.toml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(project.directory)
    for name, value in project.environ.items():
        monkeypatch.setenv(name, value)
    assert cli.run(["install", "--yes", "--quiet"]) == 0
    assert cli.run(["approve", "*", "--yes", "--quiet", "--with-findings", "--note", "ours"]) == 0


def yes(*_: Any) -> bool:
    return True


@pytest.mark.parametrize("revision", TRANSPORTS)
def test_calls_share_a_server_over_http(
    project: Project, monkeypatch: pytest.MonkeyPatch, port: int, revision: str
) -> None:
    transport, path, kind = TRANSPORTS[revision]

    async def main() -> None:
        async with project.connect(confirm=yes) as live:
            found = await live.call("web/où", {"region": "Zürich", "n": 1})
            assert (found.text, found.compared) == ("Zürich 1", True)
            slow = asyncio.create_task(live.call("web/slow", {"seconds": 1}, progress=told.append))
            await asyncio.sleep(0.1)
            calls = [live.call("web/où", {"region": "x", "n": n}) for n in range(4)]
            assert [r.text for r in await asyncio.gather(*calls)] == ["x 0", "x 1", "x 2", "x 3"]
            assert not slow.done()
            assert (await slow).text == "done"

            with pytest.raises(mcplock.ServerTrouble, match="within"):
                await live.call("web/slow", {"seconds": 30}, timeout=0.3)
            for _ in range(100):
                if (project.directory / "cancelled").exists():
                    break
                await asyncio.sleep(0.05)
            assert (project.directory / "cancelled").exists()

    told: list[Any] = []
    with running(project, transport, port):
        lock(project, monkeypatch, f"http://127.0.0.1:{port}{path}", kind)
        text = (project.directory / "mcp.lock").read_text(encoding="utf-8")
        locked = json.loads(text)["servers"]["web"]["protocol"]
        (project.directory / "mcp.lock").write_text(text.replace(locked, revision), "utf-8")
        asyncio.run(asyncio.wait_for(main(), 60))
    assert told == [(1, 2, "half")]


class NotLoggedIn(BaseHTTPRequestHandler):
    """Says 401 to everything."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(401)
        self.send_header("www-authenticate", "Bearer")
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


def test_an_outage_or_a_refused_login_is_no_change_of_a_tool(
    project: Project, monkeypatch: pytest.MonkeyPatch, port: int
) -> None:
    async def main() -> None:
        async with project.connect(confirm=yes, trust_lock=True) as live:
            await live.call("web/slow", {"seconds": 0})

    with running(project, "streamable-http", port):
        lock(project, monkeypatch, f"http://127.0.0.1:{port}/mcp", "http")
        asyncio.run(main())
    with pytest.raises(mcplock.ServerTrouble):
        asyncio.run(main())
    refusing = HTTPServer(("127.0.0.1", port), NotLoggedIn)
    threading.Thread(target=refusing.serve_forever, daemon=True).start()
    try:
        with pytest.raises(mcplock.ServerTrouble, match="401"):
            asyncio.run(main())
    finally:
        refusing.shutdown()
        refusing.server_close()
    assert Marks(project.state_dir, project.directory / "mcp.toml").all() == []
