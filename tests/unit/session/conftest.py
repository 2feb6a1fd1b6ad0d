"""Real servers: processes over pipes, and HTTP on the loopback interface."""

import importlib.util
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from mcplock.logins import Logins
from mcplock.manifest import Server
from mcplock.model import Place, Snapshot, Source, Transport
from mcplock.session import Target, snapshots
from tests.machine import alive, without_keyring

SERVERS = Path(__file__).parents[3] / "fixtures" / "servers"


def stdio_server(script: str, *args: str, name: str = "demo", **more: Any) -> Server:
    """A server of `fixtures/servers`, as a manifest would name it."""
    source = Source(Transport.STDIO, command=sys.executable, args=(str(SERVERS / script), *args))
    more.setdefault("timeout", 20.0)
    return Server(name, more.pop("source", source), Place("mcp.toml", 1), **more)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait less long for servers that never do what is waited for."""
    from mcplock.session import handshake, orphans, process

    monkeypatch.setattr(handshake, "_SILENCE", 0.5)
    monkeypatch.setattr(process, "_PATIENCE", 0.5)
    monkeypatch.setattr(orphans, "_PATIENCE", 0.5)


@pytest.fixture
def servers() -> Callable[..., Server]:
    """Makes servers: servers("catalog.py", FILE, name=…, timeout=…)."""
    return stdio_server


@pytest.fixture
def ask(tmp_path: Path) -> Callable[..., Snapshot]:
    """Ask one server of `fixtures/servers`: ask("catalog.py", FILE, protocol=…) -> Snapshot.

    environ: besides the PATH; progress: as of `snapshots`.
    """

    def asked(script: str, *args: str, **more: Any) -> Snapshot:
        target_protocol = more.pop("protocol", None)
        environ = {"PATH": os.environ["PATH"], **more.pop("environ", {})}
        progress = more.pop("progress", lambda *_: None)
        server = stdio_server(script, *args, **more)
        target = Target(server, target_protocol)
        found = snapshots([target], directory=tmp_path, environ=environ, progress=progress)
        return found[server.name]

    return asked


@pytest.fixture
def misbehave(ask: Callable[..., Snapshot]) -> Callable[..., Snapshot]:
    """Ask the server that misbehaves as MODE says."""
    return lambda mode, *args, **more: ask("misbehaving", mode, *args, **more)


@pytest.fixture
def catalog(tmp_path: Path) -> Callable[..., str]:
    """The path of a catalog file with these keys."""

    def written(**content: object) -> str:
        path = tmp_path / "catalog.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        return str(path)

    return written


@pytest.fixture
def raw(tmp_path: Path, misbehave: Callable[..., Snapshot]) -> Callable[..., Snapshot]:
    """Ask a server that answers with these texts: raw({METHOD: TEXT}); ID is the request's id."""

    def asked(answers: dict[str, str], **more: Any) -> Snapshot:
        path = tmp_path / "answers.json"
        path.write_text(json.dumps(answers), encoding="utf-8")
        return misbehave("raw", str(path), **more)

    return asked


@pytest.fixture(scope="session")
def http_server() -> ModuleType:
    spec = importlib.util.spec_from_file_location("http_server", SERVERS / "http_server.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def serve(http_server: ModuleType) -> Iterator[Callable[..., Any]]:
    """Start an HTTP server: serve(MODE, tls=…, OPTION=…) -> its `Server`."""
    with ExitStack() as stack:
        yield lambda mode, **options: stack.enter_context(http_server.Server(mode, **options))


@pytest.fixture
def visit(tmp_path: Path) -> Callable[..., Snapshot]:
    """Ask the server at a URL: visit(URL, headers=…, environ=…, ca_file=…, type=…)."""

    def visited(url: str, **more: Any) -> Snapshot:
        source = Source(more.pop("type", Transport.HTTP), url=url, headers=more.pop("headers", {}))
        target = Target(
            Server("web", source, Place("mcp.toml", 1), timeout=more.pop("timeout", 20.0)),
            more.pop("protocol", None),
        )
        environ = more.pop("environ", {})
        return snapshots([target], directory=tmp_path, environ=environ, **more)["web"]

    return visited


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The files of a self-signed certificate for 127.0.0.1 and of its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "demo")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    folder = tmp_path_factory.mktemp("tls")
    files = folder / "certificate.pem", folder / "key.pem"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return str(files[0]), str(files[1])


@pytest.fixture
def gone() -> Callable[[Path], list[int]]:
    """The process ids in a file, of which none may run any more."""

    def checked(path: Path) -> list[int]:
        pids = [int(line) for line in path.read_text().split()]
        assert pids
        assert not [pid for pid in pids if alive(pid)]
        return pids

    return checked


@pytest.fixture
def until() -> Callable[[Callable[[], object]], None]:
    """Wait, ten seconds at most, for something to become true."""

    def waited(condition: Callable[[], object]) -> None:
        deadline = time.monotonic() + 10
        while not condition():
            assert time.monotonic() < deadline, "it did not happen in ten seconds"
            time.sleep(0.01)

    return waited


@pytest.fixture(scope="session")
def hosted_module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hosted", SERVERS / "hosted.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def hosted(hosted_module: ModuleType) -> Iterator[Any]:
    """A hosted server with its authorization server."""
    with hosted_module.Hosted() as running:
        yield running


@pytest.fixture
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No token of a test goes into a keyring of this machine."""
    monkeypatch.setattr("mcplock.session.login._PATIENCE", 10.0)  # for a test that has failed
    with without_keyring():
        yield


@pytest.fixture
def logins(tmp_path: Path) -> Logins:
    return Logins(tmp_path / "state")


@pytest.fixture
def ask_hosted(logins: Logins, tmp_path: Path) -> Callable[..., Snapshot]:
    """Ask a server as every command does: ask_hosted(URL, client_id=…, headers=…)."""
    from tests.unit.session.hosting import server

    def visited(url: str, environ: dict[str, str] | None = None, **more: Any) -> Snapshot:
        targets = [Target(server(url, **more), "2025-11-25")]
        return snapshots(targets, directory=tmp_path, environ=environ or {}, logins=logins)["web"]

    return visited
