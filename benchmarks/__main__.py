"""Measure what the README quotes.

    python -m benchmarks [NAME…]

Each figure is a ratio to a floor that is measured in the same run: both are run in turn,
five times, and the median counts. Exit code 1: a bound is broken.
"""

import json
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.catalogs import NoListings, definitions, write_project
from benchmarks.measure import Figure, figure, in_turn
from benchmarks.place import PYTHON, SDK, Place

TOOLS = 2_000
CALLS = 400


def start(place: Place) -> Iterator[Figure]:
    """Commands that read little: against an interpreter that imports click."""
    write_project(place.directory, 100)
    floor = place.command(PYTHON, "-c", "import click")
    yield figure("--help", in_turn(place.program("--help"), floor), 1.5)
    yield figure("status, 100 tools", in_turn(place.program("status"), floor), 1.5)


def offline(place: Place) -> Iterator[Figure]:
    """`check --offline`: against a script that reads the lock and hashes its tools."""
    lock = write_project(place.directory, TOOLS)
    size = lock.stat().st_size
    pair = in_turn(place.program("check", "--offline"), place.floor("hash_lock.py", str(lock)))
    yield figure(f"check --offline, {TOOLS:,} tools", pair, 4)
    # An interpreter that does nothing is larger than any lock: what counts is what comes on top.
    idle = place.program("--help").peak()
    memory = place.program("check", "--offline").peak() - idle
    detail = f"{memory / 2**20:.0f} MiB for {size / 2**20:.1f} MiB, above {idle / 2**20:.0f} MiB"
    yield Figure("its memory above --help, in sizes of the lock", memory / size, 8, detail)


def servers(place: Place) -> Iterator[Figure]:
    """`check` of stdio servers: against a script that starts them and lists their tools.

    The official SDK is what most Python servers are built on. The fixture is a server that
    needs no more than an interpreter to start, so that all of ours shows: the worst case.
    """
    for count, bound in ((1, 1.6), (5, None), (12, 1.2)):
        here = _room(place, f"sdk-{count}")
        commands = [[PYTHON, str(SDK), "stdio"]] * count
        here.lock(commands)
        yield _against_floor(here, commands, f"check of {_servers(count)}", bound)
    for count in (1, 5, 12):
        here = _room(place, f"fast-{count}")
        commands = here.serve(_catalogs(count, delay=0))
        yield _against_floor(here, commands, f"check of {_servers(count)} quick to start", None)
    here = _room(place, "slow")
    commands = here.serve(_catalogs(5, delay=1))
    yield _against_floor(here, commands, "check of 5 servers that take 1 s to start", 1.3)


def _room(place: Place, name: str) -> Place:
    directory = place.directory / name
    directory.mkdir()
    return Place(directory)


def _catalogs(count: int, *, delay: int) -> list[dict[str, object]]:
    tools = list(definitions(count * 20))
    return [{"tools": tools[number::count], "delay": delay} for number in range(count)]


def _servers(count: int) -> str:
    return "1 server" if count == 1 else f"{count} servers"


def _against_floor(
    here: Place, commands: list[list[str]], name: str, bound: float | None
) -> Figure:
    floor = here.floor("list_servers.py", json.dumps(commands))
    return figure(name, in_turn(here.program("check"), floor), bound)


def growth(place: Place) -> Iterator[Figure]:
    """Ten times the tools: against the time of the smaller lock."""
    small, large = place.directory / "small", place.directory / "large"
    for directory, count in ((small, 1_000), (large, 10_000)):
        directory.mkdir()
        write_project(directory, count)
    commands = [Place(directory).program("check", "--offline") for directory in (large, small)]
    yield figure("check --offline, 10,000 tools against 1,000", in_turn(*commands), 11)


def agents(place: Place) -> Iterator[Figure]:
    """What an agent waits for: its tools from the lock, against asking all servers."""
    load = "import mcplock; mcplock.load()"
    large = _room(place, "large")
    lock = write_project(large.directory, TOOLS)
    pair = in_turn(large.command(PYTHON, "-c", load), large.floor("hash_lock.py", str(lock)))
    yield figure(f"mcplock.load() of {TOOLS:,} tools", pair, 1.5)
    first, later = json.loads(large.floor("search_lock.py", str(lock)).output())
    yield Figure("a first search in it, against loading", first, 1)
    yield Figure("later searches, against json.loads", later, 1)
    here = _room(place, "twelve")
    commands = [[PYTHON, str(SDK), "stdio"]] * 12
    here.lock(commands)
    floor = here.floor("connect_servers.py", json.dumps(commands))
    pair = in_turn(here.command(PYTHON, "-c", load), floor)
    yield figure("tools of 12 servers, against the SDK", pair, 1 / 50)


def calls(place: Place) -> Iterator[Figure]:
    """A warm `live.call`: against the bare call of the SDK, each on a process of its own."""
    command = [PYTHON, str(SDK), "stdio"]
    place.lock([command])
    floor = place.floor("warm_calls.py", str(CALLS), json.dumps(command))
    pairs = [(mine, bare) for mine, bare in json.loads(floor.output())]
    ratio = statistics.median(mine / bare for mine, bare in pairs)
    mine, bare = (statistics.median(times) * 1000 for times in zip(*pairs, strict=True))
    yield Figure("a warm live.call", ratio, 1.15, f"{mine:.2f} ms against {bare:.2f} ms")


BENCHMARKS: dict[str, Callable[[Place], Iterator[Figure]]] = {
    "start": start,
    "offline": offline,
    "servers": servers,
    "growth": growth,
    "agents": agents,
    "calls": calls,
}


def main(names: list[str]) -> int:
    """Run the benchmarks called `names`, or all; print a line a figure."""
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        sys.exit(f"no benchmark called {', '.join(unknown)}: there are {', '.join(BENCHMARKS)}")
    kept = True
    print(f"{'figure':<46} {'ratio':>6}  {'bound':>5}")
    for name in names or BENCHMARKS:
        with tempfile.TemporaryDirectory() as directory:
            for found in BENCHMARKS[name](Place(Path(directory))):
                kept = kept and found.kept
                mark = "" if found.kept else "  BROKEN"
                bound = "" if found.bound is None else f"{found.bound:.2f}"
                ratio = f"{found.ratio:6.2f}  {bound:>5}"
                print(
                    f"{found.name:<46} {ratio}  {found.detail}{mark}",
                    flush=True,
                )
    return 0 if kept else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except NoListings as missing:
        sys.exit(str(missing))
