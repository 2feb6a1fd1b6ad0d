"""Time two commands in turn, so that a slow moment of the machine meets both."""

import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

REPETITIONS = 5

# The system counts as a process's peak what its parent held when it was started, so that an
# interpreter which holds nothing has to start it.
_PEAK = """
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ,
                     file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
_, status, usage = os.wait4(pid, 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


@dataclass(frozen=True)
class Run:
    """One whole process. seconds: wall clock."""

    seconds: float


@dataclass(frozen=True)
class Command:
    """A command to time, and what it needs around it. codes: the exit codes that are right."""

    arguments: Sequence[str]
    directory: Path
    environ: Mapping[str, str]
    codes: Sequence[int] = (0,)

    def run(self) -> Run:
        """Run it once, its output read by nobody."""
        started = time.perf_counter()
        process = subprocess.Popen(
            self.arguments,
            cwd=self.directory,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        assert process.stderr
        complaint = process.stderr.read()
        process.wait()
        seconds = time.perf_counter() - started
        process.stderr.close()
        if process.returncode not in self.codes:
            words = complaint.decode(errors="replace")
            sys.exit(f"{' '.join(self.arguments)}: exit code {process.returncode}\n{words}")
        return Run(seconds)

    def output(self) -> str:
        """Run it once; what it wrote to stdout."""
        result = subprocess.run(
            self.arguments,
            cwd=self.directory,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            check=True,
        )
        return result.stdout.decode()

    def peak(self) -> int:
        """Run it once; the most bytes that it held in memory at one time."""
        result = subprocess.run(
            [sys.executable, "-c", _PEAK, *self.arguments],
            cwd=self.directory,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            check=True,
        )
        return int(result.stdout) * (1 if sys.platform == "darwin" else 1024)


@dataclass(frozen=True)
class Pair:
    """Runs of a command and of its floor, in turn."""

    runs: Sequence[Run]
    floors: Sequence[Run]

    @property
    def ratio(self) -> float:
        """The median of the ratios, pair by pair."""
        pairs = zip(self.runs, self.floors, strict=True)
        return statistics.median(run.seconds / floor.seconds for run, floor in pairs)

    @property
    def milliseconds(self) -> tuple[float, float]:
        """The medians of both, for orientation only."""
        return (
            statistics.median(run.seconds for run in self.runs) * 1000,
            statistics.median(run.seconds for run in self.floors) * 1000,
        )


def in_turn(command: Command, floor: Command) -> Pair:
    """Run each once unmeasured, then both in turn."""
    command.run()
    floor.run()
    runs: list[Run] = []
    floors: list[Run] = []
    for _ in range(REPETITIONS):
        floors.append(floor.run())
        runs.append(command.run())
    return Pair(runs, floors)


@dataclass(frozen=True)
class Figure:
    """A ratio and the bound that it has to keep, if any."""

    name: str
    ratio: float
    bound: float | None
    detail: str = ""

    @property
    def kept(self) -> bool:
        """Whether the bound holds."""
        return self.bound is None or self.ratio <= self.bound


def figure(name: str, pair: Pair, bound: float | None) -> Figure:
    """The figure of a pair, with both medians as its detail."""
    mine, floor = pair.milliseconds
    return Figure(name, pair.ratio, bound, f"{mine:,.0f} ms against {floor:,.0f} ms")
