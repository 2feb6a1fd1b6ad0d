"""The installed program calls a tool: interrupted, on a terminal, with progress."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.unit.live.conftest import Project, definition

from .conftest import PROGRAM, SECONDS
from .terminal import in_terminal

SLOW = definition("slow")
ECHO = definition("echo")
NOTICE = {"method": "notifications/x"}
PROGRESS = {"method": "notifications/progress", "params": {"progress": 1}}
REQUEST = {"id": 7, "method": "sampling/createMessage", "params": {}}
MEMORY = 150 << 20


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    made.environ |= {key: os.environ[key] for key in ("PYTHONPATH",) if key in os.environ}
    made.environ |= {"HOME": str(tmp_path)}
    return made


def wait_for(condition) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_an_interrupt_takes_the_call_back_and_leaves_nothing(project: Project) -> None:
    project.serve(SLOW)
    project.lock()
    words = [PROGRAM, "call", "demo/slow", "--json", '{"seconds": 60}']
    with subprocess.Popen(
        words, cwd=project.directory, env=project.environ, stderr=subprocess.PIPE
    ) as process:
        wait_for(lambda: project.heard("tools/call"))
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130
        assert process.stderr and process.stderr.read().strip() == b"error: interrupted"
    [cancelled] = project.heard("notifications/cancelled")
    assert cancelled["requestId"]
    pid = int(Path(f"{project.file()}.pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_terminal_sees_progress_and_no_control_character(project: Project) -> None:
    project.serve(SLOW, results={"slow": {"content": [{"type": "text", "text": "a\x1b[31mb"}]}})
    project.lock()
    arguments = ["call", "demo/slow", "--json", json.dumps({"seconds": 1.5})]
    done = in_terminal(arguments, cwd=project.directory, env=project.environ)
    assert done.code == 0
    assert "2/4 busy" in done.text
    assert "a⟨U+001B⟩[31mb" in done.text
    assert "\x1b[31mb" not in done.text


def test_a_person_is_asked_before_a_server_is_started_once(project: Project) -> None:
    project.serve(ECHO)
    project.lock(trusted=False)
    arguments, where = ["call", "demo/echo", "--arg", "n=1"], project.directory
    no = in_terminal(arguments, cwd=where, env=project.environ, typed=[b"n\n"])
    assert no.code == 2
    assert project.heard("initialize") == []
    yes = in_terminal(arguments, cwd=where, env=project.environ, typed=[b"y\n"])
    assert (yes.code, yes.text.count("[y/N]")) == (0, 1)
    again = in_terminal(arguments, cwd=where, env=project.environ)
    assert (again.code, again.text.count("[y/N]")) == (0, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
@pytest.mark.parametrize("say", [NOTICE, PROGRESS, REQUEST], ids=lambda say: say["method"])
def test_a_flood_during_a_call_takes_no_memory(project: Project, say: dict) -> None:
    project.serve(definition("flood"))
    project.lock()
    arguments = json.dumps({"say": say, "times": 100_000})
    with subprocess.Popen(
        [PROGRAM, "call", "demo/flood", "--json", arguments],
        cwd=project.directory,
        env=project.environ,
        stdout=subprocess.DEVNULL,
    ) as process:
        peak = 0
        while process.poll() is None:
            with suppress(OSError, TypeError):  # it may just end
                status = Path(f"/proc/{process.pid}/status").read_text()
                peak = int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) << 10
            time.sleep(0.02)
    assert process.returncode == 0
    assert 0 < peak < MEMORY
