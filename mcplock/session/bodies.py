"""Bodies of HTTP answers: decompressed in pieces that have a bound, whatever a server sends."""

import zlib
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING

from mcplock.session.channel import Failure
from mcplock.session.refusals import Answered
from mcplock.session.wire import MAX_MESSAGE
from mcplock.text import visible

if TYPE_CHECKING:
    import httpx2

_PIECE = 1 << 20  # bytes; a piece of 64 KiB may stand for a thousand times as many
_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32
_MEMBER = b"\x1f"  # how a member of gzip begins
_HEADER = 2
_ENCODINGS = ("gzip", "x-gzip", "deflate")


def answered(response: "httpx2.Response", content: bytes) -> Answered:
    """What messages need of `response`, the beginning of whose body is `content`."""
    return Answered(response.status_code, str(response.url), dict(response.headers), content)


async def body(response: "httpx2.Response", most: int = MAX_MESSAGE) -> bytes:
    """The body of `response`; raises `Failure` where it is longer than `most` bytes."""
    parts: list[bytes] = []
    size = 0
    async for piece in pieces(response):
        parts.append(piece)
        size += len(piece)
        if size > most:
            raise Failure(f"answers with more than {most >> 20} MiB")
    return b"".join(parts)


async def beginning(response: "httpx2.Response", most: int = 1 << 16) -> bytes:
    """The first bytes of the body of `response`."""
    parts = b""
    async for piece in pieces(response):
        parts += piece
        if len(parts) >= most:
            break
    return parts[:most]


async def pieces(response: "httpx2.Response") -> AsyncIterator[bytes]:
    """The body of `response` as it arrives, decompressed, a MiB at most at a time.

    The HTTP library would decompress all that came at once: a server could fill the memory
    before anybody counts. Raises `Failure` for what cannot be decompressed.
    """
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding in ("", "identity"):
        async for chunk in response.aiter_raw():
            yield chunk
        return
    if encoding not in _ENCODINGS:
        raise Failure(f"compresses its answer as nobody asked it to: {visible(encoding[:40])}")
    inflating = _Inflating()
    async for chunk in response.aiter_raw():
        for piece in inflating.feed(chunk):
            yield piece


class _Inflating:
    """One compressed body; gzip of several members, and deflate without a header, included."""

    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(_GZIP_OR_ZLIB)
        self._begun = False
        self._held = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        data, self._held = self._held + data, b""
        if not self._begun and len(data) < _HEADER:
            self._held = data  # too little to tell the forms apart
            return
        piece = b""
        while data or len(piece) == _PIECE:  # a full piece: more of it may be waiting inside
            if self._inflate.eof:
                if not data.startswith(_MEMBER):
                    return  # what stands behind the end counts for nothing
                self._inflate = zlib.decompressobj(_GZIP_OR_ZLIB)
            piece = self._decompress(data)
            data = self._inflate.unconsumed_tail or self._inflate.unused_data
            if piece:
                yield piece

    def _decompress(self, data: bytes) -> bytes:
        try:
            return self._inflate.decompress(data, _PIECE)
        except zlib.error:
            if self._begun:
                raise Failure("sends what cannot be decompressed") from None
            self._begun = True
            self._inflate = zlib.decompressobj(-zlib.MAX_WBITS)  # some send it without a header
            return self._decompress(data)
        finally:
            self._begun = True
