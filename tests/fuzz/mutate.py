"""Inputs made of others: where no library is there that watches which lines they reach."""

import random
import time
from collections.abc import Callable

from tests.fuzz.judge import judge
from tests.fuzz.targets import Target

_MOST = 1 << 20
_TOKENS = [
    *(b'"', b"\\", b"\\u0000", b"\\ud800", b"\\u200b", b"{", b"}", b"[", b"]", b",", b":", b"\n"),
    *(
        b"\r",
        b"\0",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\xc3\x28",
        b"\xed\xa0\x80",
        b"\xf0\x9f\x98\x80",
    ),
    *(b"NaN", b"-Infinity", b"1e999", b"-0.0", b"9" * 400, b"1e-400", b"null", b"true", b"''"),
    *(b"<<<<<<< a\n", b"=======\n", b">>>>>>> b\n", b"//", b"/*", b"#", b"&a", b"*a", b"!!x"),
    *(b"${", b"}", b"${A:-", b"sha256:", b"data: ", b"event: ", b"id", b"jsonrpc", b"result"),
    *(
        b"'''",
        b'"""',
        b"[[",
        b"]]",
        b"=",
        b"---\n",
        b"? ",
        b"- ",
        b"|\n",
        b">\n",
        b"\t",
        b"__proto__",
    ),
]
Random = random.Random


def search(target: Target, seconds: float, seed: int) -> int:
    """Try inputs for so long; how many were tried. Raises `Find` for the first bad one."""
    dice = Random(seed)
    pool = list(target.seeds)
    end = time.monotonic() + seconds
    tried = 0
    for data in pool:
        judge(target, data)
    while time.monotonic() < end:
        data = dice.choice(pool)
        for _ in range(dice.choice((1, 1, 2, 3, 8))):
            data = dice.choice(_EDITS)(dice, data, dice.choice(pool))[:_MOST]
        judge(target, data)
        tried += 1
        if dice.random() < 0.02:
            pool.append(data[: 1 << 14])
            del pool[len(target.seeds) : -200]
    return tried


def _flip(dice: Random, data: bytes, other: bytes) -> bytes:
    del other
    if not data:
        return data
    at = dice.randrange(len(data))
    return data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :]


def _insert(dice: Random, data: bytes, other: bytes) -> bytes:
    del other
    at = dice.randint(0, len(data))
    return data[:at] + dice.choice(_TOKENS) + data[at:]


def _slice(dice: Random, data: bytes) -> tuple[int, int]:
    at = dice.randint(0, len(data))
    return at, min(len(data), at + dice.choice((1, 4, 30, 300)))


def _drop(dice: Random, data: bytes, other: bytes) -> bytes:
    del other
    start, end = _slice(dice, data)
    return data[:start] + data[end:]


def _repeat(dice: Random, data: bytes, other: bytes) -> bytes:
    del other
    start, end = _slice(dice, data)
    times = dice.choice((2, 2, 10, 300, 20_000))
    return data[:end] + (data[start:end] * times)[:_MOST] + data[end:]


def _splice(dice: Random, data: bytes, other: bytes) -> bytes:
    start, end = _slice(dice, other)
    at = dice.randint(0, len(data))
    return data[:at] + other[start:end] + data[at:]


def _nest(dice: Random, data: bytes, other: bytes) -> bytes:
    del other
    opening, closing = dice.choice([(b"[", b"]"), (b'{"a":', b"}"), (b"{a: ", b"}")])
    depth = dice.choice((3, 190, 210, 2_000, 100_000))
    at = dice.randint(0, len(data))
    return data[:at] + opening * depth + b"1" + closing * depth + data[at:]


_Edit = Callable[[Random, bytes, bytes], bytes]
_EDITS: list[_Edit] = [
    _flip,
    _flip,
    _insert,
    _insert,
    _insert,
    _drop,
    _splice,
    _splice,
    _repeat,
    _nest,
]
