"""Server-sent events, read from bytes."""

from collections.abc import Iterator

from mcplock.session.channel import Failure
from mcplock.session.wire import MAX_MESSAGE, decode

Event = tuple[str, str]
"""(type, data)"""


class Events:
    """Turns the chunks of one stream into events."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []  # of a line that has no end yet
        self._size = 0  # of the event so far
        self._data: list[bytes] = []
        self._type = b""
        self._begun = False
        self._after_return = False

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """The events that `chunk` completes; raises `Failure` for one that is too long."""
        if not self._begun:
            self._begun = bool(chunk)
            chunk = chunk.removeprefix(b"\xef\xbb\xbf")
        if self._after_return:
            chunk = chunk.removeprefix(b"\n")
        self._after_return = chunk.endswith(b"\r")
        self._size += len(chunk)
        for line in chunk.splitlines(keepends=True):
            self._parts.append(line)
            if line.endswith((b"\r", b"\n")):
                whole = b"".join(self._parts).rstrip(b"\r\n")
                self._parts.clear()
                yield from self._line(whole)
        if self._size > MAX_MESSAGE:
            raise Failure(f"sends an event of more than {MAX_MESSAGE >> 20} MiB")

    def _line(self, line: bytes) -> Iterator[Event]:
        if line:
            name, _, value = line.partition(b":")
            if name == b"data":
                self._data.append(value.removeprefix(b" "))
            elif name == b"event":
                self._type = value.removeprefix(b" ")
            return
        if self._data:
            yield decode(self._type) or "message", decode(b"\n".join(self._data))
        self._data.clear()
        self._type = b""
        self._size = 0
