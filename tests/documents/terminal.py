"""A shell command as a person sees it: in a terminal of a fixed width, each question answered."""

import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping
from fcntl import ioctl
from pathlib import Path

COLUMNS = 88
QUESTION = b"[y/N] "
SECONDS = 180


def run(command: str, *, cwd: Path, env: Mapping[str, str]) -> str:
    """What stands on the screen after `command`; it is a plain one, without colour."""
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    plain = {**env, "TERM": "dumb", "NO_COLOR": "1"}
    with subprocess.Popen(
        ["sh", "-c", command],
        cwd=cwd,
        env=plain,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    ) as process:
        os.close(theirs)
        try:
            return _watch(ours).decode().replace("\r\n", "\n")
        finally:
            process.kill()
            os.close(ours)


def _watch(terminal: int) -> bytes:
    """Everything written to the terminal until nobody holds it any more."""
    screen = b""
    answered = 0
    deadline = time.monotonic() + SECONDS
    while select.select([terminal], [], [], max(0, deadline - time.monotonic()))[0]:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # Linux tells in this way that the other side is closed
            return screen
        if not piece:
            return screen
        screen += piece
        if screen.count(QUESTION) > answered:
            answered += 1
            os.write(terminal, b"y\n")
    raise TimeoutError(f"no end after {SECONDS} seconds; on the screen:\n{screen.decode()}")
