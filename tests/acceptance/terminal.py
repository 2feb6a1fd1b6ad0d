"""The program in a terminal, with somebody who types."""

import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path

from .conftest import PROGRAM

QUESTION = b"[y/N] "
END = b"\x04"
INTERRUPT = b"\x03"


@dataclass(frozen=True)
class Screen:
    """What one run left: its code, and all that was written to the terminal."""

    code: int
    text: str


def in_terminal(
    arguments: Iterable[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    typed: Iterable[bytes] = (),
    columns: int = 100,
    awaited: bytes = QUESTION,
) -> Screen:
    """Run the program; each time `awaited` appears, the next of `typed` is typed."""
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    with subprocess.Popen(
        [PROGRAM, *arguments],
        cwd=cwd,
        env={"TERM": "xterm-256color", **env},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=lambda: ioctl(0, termios.TIOCSCTTY, 0),
    ) as process:
        os.close(theirs)
        try:
            text = _watch(ours, list(typed), awaited)
            return Screen(process.wait(timeout=30), text.decode().replace("\r\n", "\n"))
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            os.close(ours)


def _watch(terminal: int, typed: list[bytes], awaited: bytes) -> bytes:
    screen = b""
    answered = 0
    deadline = time.monotonic() + 60
    while select.select([terminal], [], [], max(0, deadline - time.monotonic()))[0]:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # Linux tells in this way that the other side is closed
            return screen
        if not piece:
            return screen
        screen += piece
        if screen.count(awaited) > answered and typed:
            answered += 1
            os.write(terminal, typed.pop(0))
    raise TimeoutError(f"no end; on the screen:\n{screen.decode()}")
