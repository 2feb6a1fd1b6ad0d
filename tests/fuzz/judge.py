"""Whether a target did well: it ended in time, in little memory, with no other error than ours."""

import contextlib
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.targets import Target

_SECONDS = 10.0
_SECONDS_PER_MIB = 2.0
_TIMES = 10
_FLOOR = 256 << 20


class Hang(BaseException):
    """The target took more processor time than its input is worth."""


class Find(Exception):
    """An input that a target did not take well."""

    def __init__(self, data: bytes, why: BaseException) -> None:
        super().__init__(f"{type(why).__name__}: {str(why)[:200]}")
        self.data = data


def judge(target: Target, data: bytes) -> None:
    """Run the target on `data`; raises `Find`.

    Its time is that of the processor, so that a busy machine finds nothing; its memory is ten
    times the input above a floor.
    """
    with _time_for(data), _memory_for(data):
        try:
            target.run(data)
        except (Exception, Hang) as why:
            raise Find(data, why) from why


@contextlib.contextmanager
def _time_for(data: bytes) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise Hang(f"{len(data):,} bytes")

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, _SECONDS + _SECONDS_PER_MIB * len(data) / (1 << 20))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


@contextlib.contextmanager
def _memory_for(data: bytes) -> Iterator[None]:
    """Let the process have so much address space more and no more; on Linux only."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    room = pages * resource.getpagesize() + _FLOOR + _TIMES * len(data)
    resource.setrlimit(resource.RLIMIT_AS, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
