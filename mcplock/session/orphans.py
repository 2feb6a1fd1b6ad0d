"""Processes that left their server: daemons that forked twice, children in their own session.

While a session is open this process is a subreaper, so on Linux they become its children
instead of init's, and can be found and ended. What somebody else in this program started
must stay, so an orphan is only what began after the session did, stands in a session of its
own, and has the environment of one of our servers; where nobody else starts processes
(`claim`), whatever its environment.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Self

from mcplock.session import tree
from mcplock.session.environment import FIXED

_SET_SUBREAPER = 36
_GET_SUBREAPER = 37
_LINUX = sys.platform == "linux"
_PATIENCE = 2.0  # seconds between SIGTERM and SIGKILL


class _State:
    """How many sessions are open in this program, and which servers they hold."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.sessions = 0
        self.since = 0
        self.alone = False
        self.was_subreaper = False
        self.servers: set[int] = set()
        self.marks: set[frozenset[bytes]] = set()


_state = _State()


def own(pid: int, environment: Mapping[str, str]) -> None:
    """Note that `pid` is a server which somebody else closes, started in `environment`."""
    mark = frozenset(os.fsencode(f"{name}={environment.get(name, '')}") for name in FIXED)
    with _state.lock:
        _state.servers.add(pid)
        _state.marks.add(mark)


def disown(pid: int) -> None:
    """Note that the server `pid` is closed."""
    with _state.lock:
        _state.servers.discard(pid)


def claim() -> None:
    """Say that nobody else in this process starts others: every orphan is a server's."""
    _state.alone = True


class Guard:
    """A session's hold on its orphans: at the end of the last open session they are ended."""

    def __enter__(self) -> Self:
        if _LINUX:
            with _state.lock:
                _state.sessions += 1
                if _state.sessions == 1:  # before any server runs: some leave at once
                    _state.since = _ticks()
                    _state.was_subreaper = _subreaper()
                    _become(subreaper=True)
        return self

    def __exit__(self, *_: object) -> None:
        if _LINUX:
            with _state.lock:
                _state.sessions -= 1
                if _state.sessions == 0:
                    _sweep()
                    _become(subreaper=_state.was_subreaper)
                    _state.marks.clear()


def _ticks() -> int:
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK"))


def _subreaper() -> bool:
    import ctypes

    value = ctypes.c_int()
    ctypes.CDLL(None).prctl(_GET_SUBREAPER, ctypes.byref(value), 0, 0, 0)
    return bool(value.value)


def _become(*, subreaper: bool) -> None:
    import ctypes

    ctypes.CDLL(None).prctl(_SET_SUBREAPER, int(subreaper), 0, 0, 0)


def _sweep() -> None:
    """End the orphans, and what they leave behind, until there is none."""
    deadline = time.monotonic() + _PATIENCE
    seen: set[tree.Stat] = set()
    while True:
        children = tree.children(os.getpid())
        seen |= _orphans(children)
        found = [process for process in seen if not tree.gone(process)]
        # one that ended while it was looked at may have left us a child meanwhile
        if not found and set(tree.children(os.getpid())) <= set(children):
            return
        late = time.monotonic() - deadline
        if late > _PATIENCE:
            return  # what SIGKILL does not end hangs in the kernel
        tree.send_signal(found, signal.SIGKILL if late > 0 else signal.SIGTERM)
        time.sleep(0.01)


def _orphans(children: Iterable[int]) -> set[tree.Stat]:
    """Those of our `children`, and of their descendants, that left a server.

    Each is judged by itself: one that just ends has no environment any more, but may still
    be the parent of one that stays.
    """
    ours = os.getsid(0)
    found: set[tree.Stat] = set()
    for pid in children:
        process = tree.stat(pid)
        if process and pid not in _state.servers and process.session != ours:
            found |= {process, *tree.descendants(pid)}
    return {process for process in found if _is_ours(process)}


def _is_ours(process: tree.Stat) -> bool:
    if process.started < _state.since:
        return False
    if _state.alone:
        return True
    try:
        environment = set(Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0"))
    except OSError:
        return False
    return any(mark <= environment for mark in _state.marks)
