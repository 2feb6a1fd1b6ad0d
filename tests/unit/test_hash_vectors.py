"""docs/hash-vectors.json, read by mcplock and by an implementation that shares nothing with it."""

import json
import math
import random
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from mcplock.canonical import number
from mcplock.definitions import definition_entry
from mcplock.model import SECTIONS
from tests.unit import independent_hash

FILE = Path(__file__).parents[2] / "docs" / "hash-vectors.json"
VECTORS = json.loads(FILE.read_text(encoding="utf-8"))["vectors"]
NODE = shutil.which("node")
IN_NODE = """
const bits = JSON.parse(require("fs").readFileSync(0, "utf8"));
const doubles = new Float64Array(BigUint64Array.from(bits.map(BigInt)).buffer);
console.log(JSON.stringify([...doubles].map((value) => JSON.stringify(value))));
"""


def expand(text) -> str:
    """A text of the file: a string, or a list of strings and repetitions."""
    if isinstance(text, str):
        return text
    pieces = (p if isinstance(p, str) else p["repeat"] * p["times"] for p in text)
    return "".join(pieces)


def doubles(count: int, seed: int) -> list[float]:
    """Doubles of every size: random bits, and short decimals as people write them."""
    chance = random.Random(seed)
    found: list[float] = []
    while len(found) < count:
        (value,) = struct.unpack("<d", chance.randbytes(8))
        short = float(f"{chance.randrange(10**6)}e{chance.randrange(-12, 4)}")
        found += [one for one in (value, short) if math.isfinite(one)]
    return found


def test_there_are_enough_and_each_has_a_name():
    assert len({vector["name"] for vector in VECTORS}) == len(VECTORS) >= 60


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_vector(vector):
    text = expand(vector["json"])
    form = expand(vector["compact" if "invalid" in vector else "canonical"])
    _, entry = definition_entry(SECTIONS[0], text, {})
    assert entry.hash == vector["hash"]
    assert (entry.content is None) == ("invalid" in vector) or text.strip() == "null"
    if "invalid" in vector:
        assert entry.invalid == vector["invalid"]
    again = independent_hash.result(text)
    assert (again.form, again.invalid, again.hash) == (form, vector.get("invalid"), vector["hash"])


def test_doubles_are_printed_alike():
    for value in doubles(600, seed=1):
        assert number(value) == independent_hash.double(value), value.hex()


@pytest.mark.skipif(NODE is None, reason="Node, whose numbers are held against ours, is not here")
def test_fractions_are_printed_as_ecmascript_prints_them():
    values = [value for value in doubles(10_000, seed=2) if not value.is_integer()]
    bits = json.dumps([str(*struct.unpack("<Q", struct.pack("<d", value))) for value in values])
    run = subprocess.run(
        [str(NODE), "-e", IN_NODE],
        input=bits,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert list(map(number, values)) == json.loads(run.stdout)
    assert len(values) > 5_000
