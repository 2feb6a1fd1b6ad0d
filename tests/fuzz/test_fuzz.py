"""The judge sees what it is to see, and each target takes what it begins with."""

import random
import time

import pytest

from mcplock.lockfile import read_lock
from tests.fuzz.judge import Find, judge
from tests.fuzz.mutate import search
from tests.fuzz.targets import TARGETS, Target


def crashes(data: bytes) -> None:
    raise KeyError(data)


def eats(data: bytes) -> None:
    assert bytearray(1 << 30) is not data


def loops(data: bytes) -> None:
    while data:
        pass


@pytest.mark.parametrize(
    ("run", "why"), [(crashes, "KeyError"), (eats, "MemoryError"), (loops, "Hang")]
)
def test_what_a_target_does_wrong_is_found(
    run: object, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.fuzz.judge._SECONDS", 0.2)
    with pytest.raises(Find, match=why) as find:
        judge(Target(run, []), b"x")
    assert find.value.data == b"x"
    assert bytearray(1 << 20)  # the memory is to be had again


def test_the_search_finds_what_a_few_edits_away_goes_wrong() -> None:
    def target(data: bytes) -> None:
        assert b"\\u0000" not in data

    with pytest.raises(Find):
        search(Target(target, [b'{"a": "b"}']), 30, seed=1)


@pytest.mark.parametrize("name", TARGETS)
def test_each_target_takes_its_seeds_and_what_a_second_makes_of_them(name: str) -> None:
    began = time.monotonic()
    assert search(TARGETS[name], 0.2, random.Random(name).randrange(1000)) > 0
    assert time.monotonic() > began


def test_the_first_lock_to_begin_with_is_one() -> None:
    assert read_lock(TARGETS["lock"].seeds[0], "mcp.lock")[1]
