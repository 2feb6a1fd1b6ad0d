"""How servers are started and ended: nothing of theirs may stay."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcplock.manifest import Server
from mcplock.model import Kind, Snapshot, Source, Stage, Status, Transport
from mcplock.session import Target, snapshots
from mcplock.session.environment import FIXED

Asking = Callable[..., Snapshot]
Gone = Callable[[Path], list[int]]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="subreapers and /proc are Linux's")


@pytest.mark.parametrize("mode", ["stubborn", "ignores-end"])
def test_a_stubborn_server_is_ended(misbehave: Asking, mode: str) -> None:
    found = misbehave(mode)
    assert found.failure is None


@LINUX
@pytest.mark.parametrize(
    ("mode", "count"),
    [("children", 4), ("daemon", 1), ("late-daemon", 1), ("stubborn-children", 2)],
)
def test_children_are_ended_wherever_they_went(
    misbehave: Asking, gone: Gone, tmp_path: Path, mode: str, count: int
) -> None:
    pids = tmp_path / "pids"
    assert misbehave(mode, str(pids)).failure is None
    assert len(gone(pids)) == count


@LINUX
@pytest.mark.parametrize("own_session", [False, True])
def test_a_child_of_somebody_else_in_this_program_stays(
    misbehave: Asking, own_session: bool
) -> None:
    others: list[subprocess.Popen[bytes]] = []

    marks = {} if own_session else FIXED  # either of the two tells it from an orphan

    def start_another(*_: object) -> None:
        for code in ("import time; time.sleep(60)", "raise SystemExit(7)"):
            command = [sys.executable, "-c", code]
            environ = {**os.environ, **marks}
            others.append(subprocess.Popen(command, start_new_session=own_session, env=environ))

    try:
        assert misbehave("polite", progress=start_another).failure is None
        assert others
        assert {other.poll() for other in others[::2]} == {None}
        assert {other.wait(10) for other in others[1::2]} == {7}
    finally:
        for other in others:
            other.kill()
            other.wait()


@LINUX
@pytest.mark.parametrize("times", [1, 2])
def test_an_interrupt_closes_everything_and_goes_on(
    tmp_path: Path, gone: Gone, until: Callable[..., None], serve: Callable[..., Any], times: int
) -> None:
    pids = tmp_path / "pids"
    web = serve("silent")
    program = textwrap.dedent(
        f"""
        import sys
        from pathlib import Path
        from mcplock.manifest import Server
        from mcplock.model import Place, Source, Transport
        from mcplock.session import Target, snapshots

        wrapper = "import os, sys; open({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\\\n');"
        wrapper += "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
        script = {str(_fixture())!r}
        sources = [
            Source(Transport.STDIO, command=sys.executable, args=("-c", wrapper, script, *how))
            for how in (["polite"], ["silent"], ["slow", "60"], ["stubborn"])
        ]
        sources.append(Source(Transport.HTTP, url={web.url!r}))
        targets = [Target(Server(str(n), s, Place("x"))) for n, s in enumerate(sources)]
        try:
            snapshots(targets, directory=Path("."), environ={{}})
        except KeyboardInterrupt:
            print("interrupted")
        """
    )
    running = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=tmp_path, text=True
    )
    until(lambda: web.seen and pids.exists() and len(pids.read_text().split()) == 4)
    time.sleep(0.2)  # so that it waits for its threads
    for _ in range(times):  # the second one ends the stubborn server at once
        running.send_signal(signal.SIGINT)
        time.sleep(0.2)
    said, _ = running.communicate(timeout=20)
    assert (said, running.returncode) == ("interrupted\n", 0)
    assert len(gone(pids)) == 4


def _fixture() -> Path:
    return Path(__file__).parents[3] / "fixtures" / "servers" / "misbehaving"


@pytest.fixture
def launch(ask: Asking) -> Callable[..., Snapshot]:
    """Start a command of one's own: launch(COMMAND, ARGS, cwd=…, env=…, environ=…)."""

    def launched(command: str, *args: str, environ: Any = None, **more: Any) -> Snapshot:
        source = Source(Transport.STDIO, command=command, args=args, **more)
        return ask("", source=source, environ=environ or {})

    return launched


def failure(found: Snapshot) -> tuple[Stage, str]:
    assert found.failure and found.status is Status.UNREACHABLE
    return found.failure.stage, found.failure.message


def test_a_command_that_is_not_found_says_where_it_was_looked_for(
    launch: Callable[..., Snapshot], tmp_path: Path
) -> None:
    stage, message = failure(launch("no-such-program", environ={"PATH": str(tmp_path)}))
    assert stage is Stage.START
    assert message == f"command not found: no-such-program (PATH searched: {tmp_path})"


@pytest.mark.parametrize("path", ["own", "{}/own", "absent::own"])
def test_the_path_that_the_manifest_declares_is_the_one_that_counts(
    launch: Callable[..., Snapshot], tmp_path: Path, path: str
) -> None:
    program = tmp_path / "own" / "server"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nexec {sys.executable} {_fixture()} polite\n")
    program.chmod(0o755)
    assert launch("server", env={"PATH": path.format(tmp_path)}).failure is None


def test_relative_commands_are_relative_to_the_manifest(
    launch: Callable[..., Snapshot], tmp_path: Path
) -> None:
    (tmp_path / "sub").mkdir()
    program = tmp_path / "server"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} {_fixture()} environment\n")
    program.chmod(0o755)
    found = launch("./server", cwd="sub")
    assert found.failure is None
    seen = json.loads(found.of(Kind.TOOL)["say"].content["description"])
    assert Path(seen["cwd"]) == (tmp_path / "sub").resolve()


@pytest.mark.parametrize(
    ("command", "more", "reason"),
    [
        ("./absent", {}, "absent: no such file; it is looked for from the manifest's directory"),
        ("./plain", {}, "plain is not executable"),
        ("./broken", {}, "broken cannot be started: Exec format error"),
        ("./good", {"env": {"A": "\0"}}, "good cannot be started: embedded null byte"),
        ("./folder", {}, "folder: is a directory, not a program"),
        (
            "./lost",
            {},
            "lost cannot be started: the interpreter of its first line is not there: /no/python",
        ),
        (
            "./saved-on-windows",
            {},
            "saved-on-windows cannot be started: "
            "the interpreter of its first line is not there: /bin/sh⟨U+000D⟩",
        ),
    ],
)
def test_what_cannot_be_started_says_why(
    launch: Callable[..., Snapshot], tmp_path: Path, command: str, more: Any, reason: str
) -> None:
    (tmp_path / "plain").write_text("x")
    (tmp_path / "folder").mkdir()
    programs = {
        "broken": b"x",
        "good": b"x",
        "lost": b"#! /no/python -u\nprint()\n",
        "saved-on-windows": b"#!/bin/sh\r\necho\r\n",
    }
    for name, content in programs.items():
        (tmp_path / name).write_bytes(content)
        (tmp_path / name).chmod(0o755)
    stage, message = failure(launch(command, **more))
    assert (stage, message) == (Stage.START, reason)


def test_the_environment_is_the_declared_one(
    launch: Callable[..., Snapshot], tmp_path: Path
) -> None:
    found = launch(
        sys.executable,
        str(_fixture()),
        "environment",
        env={"LOG_LEVEL": "${LEVEL}"},
        environ={"LEVEL": "warn", "SECRET_THING": "x", "https_proxy": "http://p:1", "TZ": "CET"},
    )
    seen = json.loads(found.of(Kind.TOOL)["say"].content["description"])["env"]
    seen.pop("LC_CTYPE", None)  # set by Python itself
    assert seen == {
        "PATH": os.environ["PATH"],
        "LOG_LEVEL": "warn",
        "https_proxy": "http://p:1",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "PYTHONUTF8": "1",
    }


def test_one_failure_touches_no_other_server(
    servers: Callable[..., Server], tmp_path: Path
) -> None:
    good = [servers("misbehaving", "polite", name=f"good{n}") for n in range(3)]
    dead = servers("misbehaving", "exits", name="dead")
    unset = good[0]._replace(name="unset", source=Source(Transport.STDIO, command="${NOPE}"))
    absent = good[0]._replace(name="absent", source=Source(Transport.STDIO, command="no-such"))
    all_of_them = [dead, good[0], unset, good[1], absent, good[2]]
    environ = {"PATH": os.environ["PATH"]}
    said: list[tuple[str, str]] = []
    found = snapshots(
        [Target(server) for server in all_of_them],
        directory=tmp_path,
        environ=environ,
        progress=lambda *what: said.append(what),
    )
    assert list(found) == [server.name for server in all_of_them]
    assert {
        name: (one.status, one.failure and one.failure.stage) for name, one in found.items()
    } == {
        "dead": (Status.UNREACHABLE, Stage.CONNECT),
        "good0": (Status.OK, None),
        "unset": (Status.UNRESOLVED, Stage.RESOLVE),
        "good1": (Status.OK, None),
        "absent": (Status.UNREACHABLE, Stage.START),
        "good2": (Status.OK, None),
    }
    assert ("good2", "starting") in said and ("good2", "closing") in said


def test_no_servers_no_snapshots(tmp_path: Path) -> None:
    assert snapshots([], directory=tmp_path, environ={}) == {}


def test_an_error_that_nobody_foresaw_is_a_failure_of_that_server_alone(
    servers: Callable[..., Server], tmp_path: Path
) -> None:
    def broken(name: str, what: str) -> None:
        if (name, what) == ("bad", "connecting"):
            raise ZeroDivisionError("a\x1b[2J")

    targets = [
        Target(servers("misbehaving", "silent", name="bad")),
        Target(servers("misbehaving", "polite", name="good")),
    ]
    environ = {"PATH": os.environ["PATH"]}
    found = snapshots(targets, directory=tmp_path, environ=environ, progress=broken)
    bad, good = found["bad"], found["good"]
    assert bad.failure and (bad.status, bad.failure.stage) == (Status.UNREACHABLE, Stage.CONNECT)
    words = "mcplock cannot deal with what it answered: ZeroDivisionError; this is a bug in mcplock"
    assert bad.failure.message == words and isinstance(bad.failure.bug, ZeroDivisionError)
    assert good.status is Status.OK
