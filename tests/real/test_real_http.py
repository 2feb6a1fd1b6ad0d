"""Servers that others wrote, over HTTP: the same definitions as over stdio, and an outage."""

import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from .conftest import RealWorkspace
from .servers import SERVERS

Real = Callable[..., RealWorkspace]
BY_NAME = {server.name: server for server in SERVERS}
SECONDS = 60

pytestmark = pytest.mark.real


@dataclass(frozen=True)
class Web:
    """How a server is told to serve over HTTP: `PORT` in an argument or the environment."""

    server: str
    args: tuple[str, ...]
    path: str
    type: str = "http"
    host: str = "127.0.0.1"


WEBS = [
    Web("everything", ("streamableHttp",), "/mcp"),
    Web("everything", ("sse",), "/sse", "sse"),
    Web("playwright", ("--port", "PORT", "--host", "127.0.0.1"), "/mcp", host="localhost"),
    Web("context7", ("--transport", "http", "--port", "PORT"), "/mcp"),
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(web: Web, project: RealWorkspace) -> Iterator[str]:
    """The server, listening, by its URL."""
    server = BY_NAME[web.server]
    port = str(free_port())
    program = server.newest.directory / server.newest.program
    node = shutil.which("node")
    assert node
    words = [word.replace("PORT", port) for word in web.args]
    with subprocess.Popen(
        [node, program, *words],
        cwd=project.home,
        env={**project.environ(), "PORT": port},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            wait_for(int(port), process)
            yield f"http://{web.host}:{port}{web.path}"
        finally:
            process.kill()


def wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, f"it ended with {process.returncode}"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(f"it does not listen after {SECONDS} seconds")


def hashes(project: RealWorkspace) -> dict[str, str]:
    (locked,) = project.lock["servers"].values()
    return {
        f"{kind}/{name}": entry["hash"]
        for kind in ("tools", "prompts", "resourceTemplates")
        for name, entry in locked.get(kind, {}).items()
    }


@pytest.mark.parametrize("web", WEBS, ids=lambda web: f"{web.server}-{web.type}")
def test_it_is_locked_as_over_stdio_and_may_be_out(web: Web, real: Real) -> None:
    project = real(BY_NAME[web.server])
    project.ok("install", "--yes")
    over_stdio = hashes(project)
    project.lock_path.unlink()

    with serving(web, project) as url:
        manifest = f'[servers.web]\ntype = "{web.type}"\nurl = "{url}"\n'
        (project.root / "mcp.toml").write_text(manifest, encoding="utf-8")
        project.ok("install", "--yes")
        project.ok("approve", "*", "--yes")
        project.ok("check")
        assert hashes(project) == over_stdio
        locked = project.lock_path.read_bytes()
        project.ok("update")
        assert project.lock_path.read_bytes() == locked

    out = project.run("check")
    assert out.code == 2
    assert url in out.out
    assert project.run("update").code == 2
    assert project.lock_path.read_bytes() == locked
