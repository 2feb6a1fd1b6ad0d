"""A server that never stops talking cannot hold a call, nor the end of a connection."""

import importlib.util
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import mcplock
from mcplock import cli
from mcplock.manifest import Server
from mcplock.model import Place, Source, Transport
from mcplock.session import Failed, Shared, Target
from tests.machine import alive
from tests.unit.live.conftest import Project, definition

LONG = 120  # seconds of a flood: whoever waits for its end waits longer than the test may last
SAYS = [
    {"method": "notifications/message", "params": {"level": "info", "data": "x"}},
    {"method": "notifications/progress", "params": {"progress": 1}},
    {"method": "sampling/createMessage", "params": {}, "id": 7},
]


@pytest.fixture(params=SAYS, ids=lambda say: str(say["method"]))
def flooding(request: pytest.FixtureRequest, project: Project) -> dict[str, Any]:
    """What makes the tool `flood` of the project's server speak without end."""
    project.serve(definition("flood"))
    project.lock()
    return {"say": request.param, "seconds": LONG}


def in_time(work: Callable[[], object]) -> None:
    """Run `work` to its end, long before that of a flood."""
    caught: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - it is raised again below
            caught.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(LONG / 2)
    assert not thread.is_alive(), "it goes on as long as the flood does"
    if caught:
        raise caught[0]


def server_has_ended(project: Project) -> bool:
    return not alive(int(Path(f"{project.file()}.pid").read_text(encoding="utf-8")))


@pytest.mark.parametrize("deaf", [False, True])
def test_a_call_ends_with_its_time_whatever_the_server_says_meanwhile(
    project: Project, flooding: dict[str, Any], deaf: bool
) -> None:
    def work() -> None:
        with project.sync() as live:
            with pytest.raises(mcplock.ServerTrouble, match="did not answer `tools/call` within"):
                live.call(
                    "demo/flood",
                    {**flooding, "deaf": deaf},
                    timeout=1,
                    progress=lambda _: None,
                )
            with pytest.raises(mcplock.ServerTrouble):
                live.call("demo/flood", {**flooding, "deaf": deaf}, timeout=1)

    in_time(work)
    assert server_has_ended(project)


def test_a_connection_is_closed_while_a_call_finds_no_reader(
    project: Project, flooding: dict[str, Any]
) -> None:
    def work() -> None:
        with project.sync() as live:
            with pytest.raises(mcplock.ServerTrouble):
                live.call("demo/flood", {**flooding, "deaf": True}, timeout=1)
            large = {"text": "x" * (1 << 20)}
            stuck = threading.Thread(target=lambda: called.append(failure_of(live, large)))
            stuck.start()
            stuck.join(1)
        stuck.join(LONG)

    called: list[str] = []
    in_time(work)
    assert len(called) == 1
    assert server_has_ended(project)


def failure_of(live: mcplock.SyncLive, arguments: dict[str, Any]) -> str:
    with pytest.raises(mcplock.ServerTrouble) as caught:
        live.call("demo/flood", arguments, timeout=LONG)
    return caught.value.message


def test_the_command_ends_with_the_time_of_its_call(
    project: Project,
    flooding: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(project.directory)
    for name, value in project.environ.items():
        monkeypatch.setenv(name, value)
    command = ["call", "demo/flood", "--json", json.dumps(flooding), "--timeout", "1"]
    codes: list[int] = []
    in_time(lambda: codes.append(cli.run(command)))
    assert codes == [2]
    assert "did not answer `tools/call` within 1 seconds" in capsys.readouterr().err
    assert server_has_ended(project)


@pytest.fixture
def http_flood(request: pytest.FixtureRequest) -> Iterator[Callable[[str], str]]:
    """Start a server that answers a call so over HTTP: http_flood(METHOD) -> its URL."""
    path = Path(__file__).parents[3] / "fixtures" / "servers" / "http_server.py"
    spec = importlib.util.spec_from_file_location("http_server", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def started(what: str) -> str:
        running = module.Server("floods", on="tools/call", what=what)
        url: str = running.__enter__().url
        request.addfinalizer(lambda: running.__exit__(None, None, None))
        return url

    yield started


@pytest.mark.parametrize("what", ["notifications/message", "sampling/createMessage"])
def test_a_call_over_http_ends_with_its_time(
    http_flood: Callable[[str], str], tmp_path: Path, what: str
) -> None:
    source = Source(Transport.HTTP, url=http_flood(what))
    target = Target(Server("web", source, Place("mcp.toml", 1), timeout=20.0), "2025-11-25")
    environ: Mapping[str, str] = {}

    def work() -> None:
        shared = Shared(target, directory=tmp_path, environ=environ)
        shared.ready.result(LONG)
        asked = shared.request("tools/call", {"name": "say", "arguments": {}}, 1.0)
        with pytest.raises(Failed, match="did not answer `tools/call` within"):
            asked.result(LONG)
        shared.close()
        shared.ended.result(LONG)

    in_time(work)
