"""Files that are no JSON, or not the bytes they should be: each told by what happened to it."""

import random
import subprocess
import sys

import pytest

from mcplock.errors import FaultyFile
from mcplock.lockfile import format_lock, read_lock
from mcplock.lockfile.damage import Damage
from tests.locks import lock, server, tool

GOOD = lock(docs=server(tool("fetch", "Fetches \u00e9."), tool("search")))
TEXT = format_lock(GOOD)
LINES = TEXT.split("\n")
APPROVED = next(at for at, line in enumerate(LINES) if "approved" in line)
CUT_OFF = "the file ends too early: it was cut off"


def refused(data: bytes) -> FaultyFile:
    with pytest.raises(FaultyFile) as caught:
        read_lock(data, "mcp.lock")
    return caught.value


def told(data: bytes) -> list[str]:
    return str(refused(data)).split("\n")


def with_lines(at: int, *lines: str) -> str:
    return "\n".join([*LINES[:at], *lines, *LINES[at + 1 :]])


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_conflict_markers_are_told_with_their_lines(end):
    ours, theirs = LINES[APPROVED], LINES[APPROVED].replace("sha256", "sha257")
    text = with_lines(APPROVED, "<<<<<<< HEAD", ours, "=======", theirs, ">>>>>>> topic")
    error = refused(text.replace("\n", end).encode())
    assert str(error).split("\n") == [
        f"mcp.lock:{APPROVED + 1}: conflict marker <<<<<<<",
        f"mcp.lock:{APPROVED + 3}: conflict marker =======",
        f"mcp.lock:{APPROVED + 5}: conflict marker >>>>>>>",
    ]
    assert error.damage is Damage.CONFLICT


def test_conflict_markers_of_three_sides_and_of_two_conflicts():
    both = ["<<<<<<< ours", "||||||| 1234567", LINES[APPROVED], "=======", ">>>>>>> theirs"]
    text = with_lines(APPROVED, *both, *both)
    assert [line.split(": ")[1] for line in told(text.encode())] == [
        f"conflict marker {mark * 7}" for mark in "<|=><|=>"
    ]


def test_a_line_of_equals_signs_alone_is_no_conflict():
    [message] = told(b"Title\n=======\n")
    assert message.startswith("mcp.lock:1: not JSON: ")


@pytest.mark.parametrize("data", [b"", b"\n", b" \r\n\t\n", b"\xef\xbb\xbf"])
def test_an_empty_file(data):
    assert told(data) == ["mcp.lock: the file is empty"]


def test_a_truncated_file():
    for end in range(1, len(TEXT.encode()) - 2):
        data = TEXT.encode()[:end]
        [message] = told(data)
        last = data.rstrip().count(b"\n") + 1
        if message != f"mcp.lock:{last}: {CUT_OFF}":  # cut inside a word, an escape, a character
            assert message.startswith((f"mcp.lock:{last}: not JSON: ", f"mcp.lock:{last}: not UTF"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16(encoding):
    assert told(TEXT.encode(encoding)) == ["mcp.lock:1: saved as UTF-16; save it as UTF-8"]


def test_bytes_that_are_not_utf_8():
    data = TEXT.encode("latin-1")
    line = data[: data.index(b"\xe9")].count(b"\n") + 1
    assert told(data) == [f"mcp.lock:{line}: not UTF-8: byte 0xE9; save it as UTF-8"]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text + "\n",
        lambda text: text.rstrip(),
        lambda text: text.replace("  ", "\t"),
        lambda text: text.replace("\n", "").replace('": ', '":'),
        lambda text: text.replace("\u00e9", "\\u00e9"),
        lambda text: text.replace("1,", "1.0,", 1),
        lambda text: text.replace('"tools": {', '"prompts": {}, "tools": {'),
    ],
)
def test_a_lock_that_reads_well_but_is_written_otherwise(change):
    changed = change(TEXT)
    assert changed != TEXT
    locked, canonical = read_lock(changed.encode(), "mcp.lock")
    assert not canonical
    assert [part.replace(" ", "") for part in format_lock(locked).split()] == [
        part.replace(" ", "") for part in TEXT.split()
    ]


NOT_THAT = "mcp.lock:1: must be an object\nmcp.lock:1: a number of 1,000,000 digits"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"null", "mcp.lock:1: must be an object"),
        (b"[]", "mcp.lock:1: must be an object"),
        (b"1", "mcp.lock:1: must be an object"),
        (b'"servers"', "mcp.lock:1: must be an object"),
        (b"{}", "mcp.lock:1: lockfileVersion: must be 1\nmcp.lock:1: servers: is missing"),
        (b"servers:\n  docs: {}\n", "mcp.lock:1: not JSON"),
        (b'{\n  "a": 1\n,}', "mcp.lock:3: not JSON"),
        (b'{\n  // a comment\n  "a": 1}', "mcp.lock:2: not JSON"),
        (b'{"a": 1}\n{"a": 1}', "mcp.lock:2: not JSON"),
        (b'{\n"a": "\t"}', "mcp.lock:2: not JSON"),
        (b'{\n"a": "\\x"}', "mcp.lock:2: not JSON"),
        (b"\0" * 10, "mcp.lock:1: not JSON"),
        (b"[" * 100_000, "mcp.lock:1: nests more than 200 levels deep"),
        (b"[\n" * 100_000, "mcp.lock:201: nests more than 200 levels deep"),
        (b'{"a":' * 100_000, "mcp.lock:1: nests more than 200 levels deep"),
        (b"1" * 1_000_000, NOT_THAT),
        (b"[NaN,\n}", "mcp.lock:2: not JSON"),
        (b"[NaN," + b"[" * 100_000, "mcp.lock:1: nests more than 200 levels deep"),
    ],
)
def test_what_is_no_lock_at_all(data, message):
    found = str(refused(data))
    assert found.startswith(message) if "not JSON" in message else found == message


MEASURED = """
import resource, sys
from pathlib import Path
from mcplock.errors import McplockError
from mcplock.lockfile import read_lock
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
data = Path(sys.argv[1]).read_bytes()
del data
before = peak()
try:
    read_lock(Path(sys.argv[1]).read_bytes(), "mcp.lock")
except McplockError as error:
    print(len(error.message), (peak() - before))
"""
MEGABYTES = 50


def random_bytes() -> bytes:
    return random.Random(1).randbytes(MEGABYTES * 1_000_000)


def fill(pattern: bytes) -> bytes:
    return pattern * (MEGABYTES * 1_000_000 // len(pattern))


HEAD = b'{"lockfileVersion": 1, "servers": {'


@pytest.mark.heavy
@pytest.mark.parametrize(
    "make",
    [
        random_bytes,
        lambda: fill(b"\0"),
        lambda: fill(b" "),
        lambda: fill(b"["),
        lambda: fill(b'{"a":'),
        lambda: fill(b"9"),
        lambda: fill(b"<<<<<<< a\n"),
        lambda: b'"' + fill(b"a"),
        lambda: fill("\U0001f600".encode()),
        lambda: b"[" + fill(b"1,") + b"1]",
        lambda: HEAD + b'"a": "' + fill(b"x") + b'"}}',
        lambda: HEAD + fill(b'"a": 1, ') + b'"a": 1}}',
        lambda: HEAD + b",".join(b'"%d": 12345678' % n for n in range(2_500_000)) + b"}}",
    ],
)
def test_fifty_megabytes_of_garbage_cost_no_more_than_ten_times_their_size(make, tmp_path):
    path = tmp_path / "mcp.lock"
    path.write_bytes(make())
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    length, growth = map(int, done.stdout.split())
    assert length < 50_000
    assert growth < 9 * path.stat().st_size  # one more for the bytes measured before
