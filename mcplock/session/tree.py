"""The process tree, as Linux shows it under `/proc`; elsewhere it is empty."""

import os
from collections.abc import Iterable
from contextlib import suppress

from mcplock.records import NamedTuple

_PROC = "/proc"
"""A text: every server is looked for there while it closes, and paths take their time."""


class Stat(NamedTuple):
    """One line of `/proc/PID/stat`. started: clock ticks after boot."""

    pid: int
    state: str
    parent: int
    session: int
    started: int


def stat(pid: int) -> Stat | None:
    """What is known of the process `pid`, None where there is no such process."""
    try:
        text = _read(f"{_PROC}/{pid}/stat")
    except OSError:
        return None
    # the name stands in parentheses and may hold anything, so what counts follows the last one
    fields = text[text.rindex(b")") + 2 :].split()
    return Stat(pid, fields[0].decode(), int(fields[1]), int(fields[3]), int(fields[19]))


def _read(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123
        return file.read()


def children(pid: int) -> list[int]:
    """The processes whose parent is `pid`."""
    found: list[int] = []
    try:
        for task in os.listdir(f"{_PROC}/{pid}/task"):  # noqa: PTH208
            found += map(int, _read(f"{_PROC}/{pid}/task/{task}/children").split())
    except FileNotFoundError:  # gone meanwhile, or a kernel built without these files
        return [process.pid for process in _everything() if process.parent == pid]
    except OSError:
        return []
    return found


def _everything() -> list[Stat]:
    names = os.listdir(_PROC) if os.path.isdir(_PROC) else []  # noqa: PTH112, PTH208
    return [process for name in names if name.isdigit() and (process := stat(int(name)))]


def descendants(pid: int) -> set[Stat]:
    """The children of `pid`, their children, and so on."""
    found: dict[int, Stat] = {}
    waiting = children(pid)
    while waiting:
        child = waiting.pop()
        process = stat(child)
        if process and child not in found:
            found[child] = process
            waiting += children(child)
    return set(found.values())


def gone(process: Stat) -> bool:
    """Whether nothing is left of `process`; if it is a dead child of ours it is reaped.

    One that is dead but not yet reaped by its parent is still there: if that ends too, the
    dead one becomes ours.
    """
    now = stat(process.pid)
    if now is None or now.started != process.started:
        return True
    if now.state not in "ZX" or now.parent != os.getpid():
        return False
    with suppress(ChildProcessError):
        os.waitpid(process.pid, os.WNOHANG)
    return True


def send_signal(processes: Iterable[Stat], number: int) -> None:
    """Send the signal `number` to those of `processes` that are still there."""
    for process in processes:
        if not gone(process):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process.pid, number)
