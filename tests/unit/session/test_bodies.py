"""Bodies of HTTP answers, compressed and not."""

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator, Iterable

import httpx2
import pytest

from mcplock.session.bodies import beginning, body, pieces
from mcplock.session.channel import Failure

TEXT = b'{"text": "' + bytes(range(32, 127)) * 9 + b'"}'


def answer(encoding: str, *chunks: bytes) -> httpx2.Response:
    async def sent() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    return httpx2.Response(200, headers={"content-encoding": encoding}, content=sent())


def one_by_one(data: bytes) -> Iterable[bytes]:
    return (data[at : at + 1] for at in range(len(data)))


def headless(data: bytes) -> bytes:
    deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return deflate.compress(data) + deflate.flush()


@pytest.mark.parametrize(
    ("encoding", "sent"),
    [
        ("", TEXT),
        ("identity", TEXT),
        ("gzip", gzip.compress(TEXT)),
        ("GZIP", gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:])),
        ("gzip", gzip.compress(TEXT) + b"\x00\x00"),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", headless(TEXT)),
    ],
)
def test_every_form_is_read_in_one_chunk_or_in_many(encoding: str, sent: bytes) -> None:
    assert asyncio.run(body(answer(encoding, sent))) == TEXT
    assert asyncio.run(body(answer(encoding, *one_by_one(sent)))) == TEXT


@pytest.mark.parametrize("compress", [gzip.compress, zlib.compress, headless])
def test_no_piece_is_longer_than_a_mib_whatever_it_was(compress: object) -> None:
    bomb = compress(bytes(20 << 20))  # type: ignore[operator]
    assert len(bomb) < 1 << 15

    async def sizes() -> list[int]:
        return [len(piece) async for piece in pieces(answer("gzip", bomb))]

    found = asyncio.run(sizes())
    assert max(found) == 1 << 20
    assert sum(found) == 20 << 20


def test_a_reader_stops_where_it_has_enough() -> None:
    bomb = gzip.compress(bytes(20 << 20))
    assert asyncio.run(beginning(answer("gzip", bomb), 10)) == bytes(10)
    with pytest.raises(Failure, match="more than 2 MiB"):
        asyncio.run(body(answer("gzip", bomb), 2 << 20))


@pytest.mark.parametrize(
    ("encoding", "sent", "words"),
    [
        ("gzip", b"no gzip at all", "cannot be decompressed"),
        ("gzip", gzip.compress(TEXT, mtime=0)[:40] + bytes(40), "cannot be decompressed"),
        ("br", TEXT, "nobody asked it to: br"),
        ("gzip, gzip", TEXT, "nobody asked it to"),
    ],
)
def test_what_cannot_be_read_is_said(encoding: str, sent: bytes, words: str) -> None:
    with pytest.raises(Failure, match=words):
        asyncio.run(body(answer(encoding, sent)))
