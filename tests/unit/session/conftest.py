import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mcplock.manifest import Server
from mcplock.model import Place, Snapshot, Source, Transport
from mcplock.session import Target, snapshots

SERVERS = Path(__file__).parents[3] / "fixtures" / "servers"

Ask = Callable[..., Snapshot]


def stdio_server(
    script: str, *args: str, name: str = "demo", timeout: float = 20.0, **more: object
) -> Server:
    source = Source(Transport.STDIO, command=sys.executable, args=(str(SERVERS / script), *args))
    return Server(name, source, Place("mcp.toml", 1), timeout=timeout, **more)  # type: ignore[arg-type]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Ask one server of `fixtures/servers`: ask("catalog.py", FILE, protocol=…) -> Snapshot."""

    def asked(script: str, *args: str, protocol: str | None = None, **more: object) -> Snapshot:
        server = stdio_server(script, *args, **more)
        found = snapshots([Target(server, protocol)], directory=tmp_path, environ=dict(os.environ))
        return found[server.name]

    return asked


@pytest.fixture
def catalog(tmp_path: Path) -> Callable[..., str]:
    """The path of a catalog file with these keys."""

    def written(**content: object) -> str:
        path = tmp_path / "catalog.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        return str(path)

    return written
