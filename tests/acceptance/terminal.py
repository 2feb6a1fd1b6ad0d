"""The program in a terminal, with somebody who types."""

import os
import pty
import select
import signal
import struct
import subprocess
import termios
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path
from typing import Self

from .conftest import PROGRAM

QUESTION = b"[y/N] "
END = b"\x04"
INTERRUPT = b"\x03"
SECONDS = 60


@dataclass(frozen=True)
class Screen:
    """What one run left: its code, and all that was written to the terminal."""

    code: int
    text: str


class Typist:
    """Somebody before a terminal in which the program runs."""

    def __init__(
        self,
        arguments: Iterable[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        columns: int = 80,
        lines: int = 24,
    ) -> None:
        self._terminal, theirs = pty.openpty()
        self.resize(columns, lines)
        self._process = subprocess.Popen(
            [PROGRAM, *arguments],
            cwd=cwd,
            env={"TERM": "xterm-256color", **env},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=lambda: ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)
        self._written = b""
        self._told = 0
        self._ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self.hang_up()

    def see(self, words: str | bytes) -> str:
        """Wait for `words`; all that was written since those that were waited for before."""
        awaited = words.encode() if isinstance(words, str) else words
        start = self._told
        while (at := self._written.find(awaited, start)) < 0:
            if self._ended:
                raise EOFError(f"no {words!r} before the end; on the screen:\n{self.text}")
            self._read()
        self._told = at + len(awaited)
        return self._written[start : self._told].decode()

    def type(self, keys: str | bytes) -> None:
        os.write(self._terminal, keys.encode() if isinstance(keys, str) else keys)

    def resize(self, columns: int, lines: int) -> None:
        ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def kill(self, number: int) -> None:
        self._process.send_signal(number)

    def hang_up(self) -> None:
        """Close the terminal."""
        with suppress(OSError):
            os.close(self._terminal)

    def code(self) -> int:
        """The exit code of the program, which ends by itself."""
        return self._process.wait(timeout=SECONDS)

    def end(self) -> Screen:
        """What the run left, once it has ended by itself."""
        while not self._ended:
            self._read()
        return Screen(self.code(), self.text)

    @property
    def text(self) -> str:
        return self._written.decode(errors="replace").replace("\r\n", "\n")

    def _read(self) -> None:
        if not select.select([self._terminal], [], [], SECONDS)[0]:
            raise TimeoutError(f"nothing more; on the screen:\n{self.text}")
        try:
            piece = os.read(self._terminal, 4096)
        except OSError:  # Linux tells in this way that the other side is closed
            piece = b""
        self._written += piece
        self._ended = not piece


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
    with Typist(arguments, cwd=cwd, env=env, columns=columns, lines=50) as typist:
        with suppress(EOFError):
            for keys in typed:
                typist.see(awaited)
                typist.type(keys)
        return typist.end()
