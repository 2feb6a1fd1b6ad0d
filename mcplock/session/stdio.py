"""The stdio transport: one line of JSON per message, over the pipes of a process."""

import os
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import IO

from mcplock.jsontext import Json
from mcplock.lazy import pattern
from mcplock.session.channel import NOTHING, Arrived, Ended, Failure, TimedOut
from mcplock.session.process import ServerProcess
from mcplock.session.wire import MAX_MESSAGE, OVERHEAD, decode, encode
from mcplock.session.words import Secrets, shown

_CHUNK = 1 << 16
_MOST_UNSENT = 1 << 20  # bytes of answers that a server does not read
_GRACE = 0.2  # seconds for a pipe to end; an orphan may hold it, until it is ended itself
_LOOK = 0.1  # seconds between two looks whether the conversation was ended
_COLOUR = pattern(r"\x1b\[[0-9;]*m")
_CLOSED = "closed its output"
_TAIL_BYTES = 1 << 16
_TAIL_LINES = 20
_TAIL_WIDTH = 400


class _Inbox:
    """Lines between the thread that reads them and the one that waits for them.

    It holds some 64 MiB at most: then the reader waits, and with it the server.
    """

    def __init__(self) -> None:
        self._lines: deque[bytes] = deque()
        self._bytes = 0
        self.ended: Failure | None = None
        self.woken = False
        self._changed = threading.Condition()

    def put(self, line: bytes) -> None:
        """Add a line; waits while there is no room."""
        with self._changed:
            self._changed.wait_for(lambda: self._bytes <= MAX_MESSAGE or self.ended)
            if self.ended is None:
                self._lines.append(line)
                self._bytes += len(line) + OVERHEAD
                self._changed.notify_all()

    def end(self, why: Failure) -> None:
        """There will be no more lines, `why` says the reason."""
        with self._changed:
            self.ended = self.ended or why
            self._changed.notify_all()

    def abort(self, why: Failure) -> None:
        """There will be no more lines, and those that wait are not wanted."""
        with self._changed:
            self._lines.clear()
            self._bytes = 0
        self.end(why)

    def wake(self) -> None:
        """Let `get` return, although there is no line."""
        with self._changed:
            self.woken = True
            self._changed.notify_all()

    def get(self, deadline: float) -> bytes | None:
        """The next line; None if there is none by `deadline`; raises why there will be none."""
        with self._changed:
            remaining = deadline - time.monotonic()
            self._changed.wait_for(self._has_news, max(remaining, 0))
            if self.woken:  # first: there may be lines without end
                self.woken = False
                return None
            if not self._lines:
                if self.ended:
                    raise self.ended
                return None
            line = self._lines.popleft()
            self._bytes -= len(line) + OVERHEAD
            self._changed.notify_all()
            return line

    def _has_news(self) -> bool:
        return bool(self._lines or self.ended or self.woken)


class StdioChannel:
    """Messages to and from a server that was started."""

    def __init__(self, process: ServerProcess, secrets: Secrets) -> None:
        self._process = process
        self._secrets = secrets
        self._inbox = _Inbox()
        self._tail = _Tail()
        self._unsent = bytearray()
        if sys.platform != "win32":  # there a write that blocks ends with the process
            os.set_blocking(process.stdin.fileno(), False)
        self._threads = [
            threading.Thread(target=read, daemon=True)
            for read in (self._read_stdout, self._read_stderr)
        ]
        for thread in self._threads:
            thread.start()

    def send(
        self, message: dict[str, Json], deadline: float, headers: Mapping[str, str] = NOTHING
    ) -> None:
        """Write one line; a full pipe is waited for until `deadline`."""
        del headers
        line = encode(message) + b"\n"
        self._unsent += line
        while self._is_full():
            if self._inbox.ended:
                raise self._inbox.ended
            if time.monotonic() > deadline:
                if len(self._unsent) >= len(line):  # else it has begun, and its rest must follow
                    del self._unsent[-len(line) :]
                raise TimedOut("does not read its stdin")

    def reply(self, message: dict[str, Json], deadline: float) -> None:
        """Write one line as far as there is room; more than 1 MiB does not wait for it."""
        self._unsent += encode(message) + b"\n"
        self._write()
        while len(self._unsent) > _MOST_UNSENT and time.monotonic() <= deadline:
            if self._inbox.ended or self._inbox.woken or not self._is_full():
                return

    def _is_full(self) -> bool:
        """Whether a part of what is to be written finds no room, also after a moment."""
        import select

        if self._write():
            select.select([], [self._process.stdin.fileno()], [], _LOOK)
        return self._write()

    def _write(self) -> bool:
        """Write what there is room for; whether more is left."""
        pipe = self._process.stdin.fileno()
        try:
            while self._unsent:
                del self._unsent[: os.write(pipe, self._unsent[:_CHUNK])]
        except BlockingIOError:
            return True
        except (BrokenPipeError, ConnectionResetError):
            self._unsent.clear()  # `receive` has more to say of it than a broken pipe
        return False

    def drop(self, number: int) -> None:
        """Nothing: on a pipe every answer comes."""

    def receive(self, deadline: float) -> Arrived | None:
        """The next line of stdout; None also where there was none, but room for an answer."""
        if self._unsent and self._write():
            deadline = min(deadline, time.monotonic() + _LOOK)
        line = self._inbox.get(deadline)
        return None if line is None else Arrived(decode(line))

    def agree(self, revision: str) -> None:
        """Nothing: on a pipe no message names its revision."""

    def explain(self, failure: Failure) -> Failure:
        """`failure` with what the process said and how it ended."""
        if isinstance(failure, Ended):
            self._process.wait(0.5)  # its output ends a moment before it does
            self._threads[1].join(0.2)
            fate = self._process.fate()
            failure.message = failure.message.replace(_CLOSED, fate) if fate else failure.message
        tail = [shown(line, self._secrets, _TAIL_WIDTH) for line in self._tail.lines()]
        if tail:
            failure.message += "\nthe end of its stderr:" + "".join(f"\n  | {x}" for x in tail)
        return failure

    def wake(self) -> None:
        """Let `receive` return, called from another thread."""
        self._inbox.wake()

    def abort(self) -> None:
        """End the conversation from another thread."""
        self._inbox.abort(Failure("interrupted"))
        if sys.platform == "win32":
            self.kill()  # else a write that waits for room would go on waiting

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()

    def close(self) -> None:
        """Close stdin, then end the process and what it started."""
        self._inbox.end(Ended("closed"))
        with suppress(OSError):
            self._process.stdin.close()
        self._process.end()
        for thread in self._threads:
            thread.join(_GRACE)

    def _read_stdout(self) -> None:
        with self._process.stdout as stream:
            try:
                for line in _lines(stream):
                    self._inbox.put(line)
                self._process.output_ended.set()
                self._inbox.end(Ended(_CLOSED))
            except Failure as failure:
                self._inbox.end(failure)
                for _ in _chunks(stream):  # a server that hangs on a full pipe ends by force
                    pass
                self._process.output_ended.set()

    def _read_stderr(self) -> None:
        with self._process.stderr as stream:
            for chunk in _chunks(stream):
                self._tail.add(chunk)


class _Tail:
    """The last part of what was written to stderr."""

    def __init__(self) -> None:
        self._chunks: deque[bytes] = deque()
        self._bytes = 0
        self._lock = threading.Lock()

    def add(self, chunk: bytes) -> None:
        """Add a chunk and forget the oldest ones."""
        with self._lock:
            self._chunks.append(chunk)
            self._bytes += len(chunk)
            while self._bytes - len(self._chunks[0]) > _TAIL_BYTES:
                self._bytes -= len(self._chunks.popleft())

    def lines(self) -> list[str]:
        """The last lines that are not empty, as they were written."""
        with self._lock:
            written = b"".join(self._chunks)
        text = _COLOUR.sub("", written.decode("utf-8", "replace")).replace("\r", "\n")
        lines = [line for line in text.split("\n") if line.strip()]
        return lines[-_TAIL_LINES:]


def _chunks(stream: IO[bytes]) -> Iterator[bytes]:
    return iter(lambda: stream.read(_CHUNK), b"")


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of `stream` without their ends; an unterminated last one counts."""
    parts: list[bytes] = []
    length = 0
    for chunk in _chunks(stream):
        first, *rest = chunk.split(b"\n")
        parts.append(first)
        length += len(first)
        if length > MAX_MESSAGE:
            raise Failure(f"wrote a line of more than {MAX_MESSAGE >> 20} MiB to stdout")
        for part in rest:
            yield b"".join(parts)
            parts = [part]
            length = len(part)
    if any(parts):
        yield b"".join(parts)
