"""Processes that left their server: daemons that forked twice, children in their own session.

While a session is open this process is a subreaper, so on Linux they become its children
instead of init's, and can be found and ended. Only what left after the session had begun
and stands in a session of its own counts: a child that somebody else in this program
started shares ours.
"""

import os
import signal
import sys
import threading
import time
from typing import Self

from mcplock.session import tree

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
        self.adopting = False
        self.was_subreaper = False
        self.servers: set[int] = set()


_state = _State()


def own(pid: int) -> None:
    """Note that `pid` is a server which somebody else closes."""
    with _state.lock:
        _state.servers.add(pid)


def disown(pid: int) -> None:
    """Note that the server `pid` is closed."""
    with _state.lock:
        _state.servers.discard(pid)


class Guard:
    """A session's hold on its orphans: at the end of the last open session they are ended."""

    def __enter__(self) -> Self:
        if _LINUX:
            with _state.lock:
                _state.sessions += 1
                if _state.sessions == 1:
                    _state.since = _ticks()
        return self

    def adopt(self) -> None:
        """Become a subreaper; called once the servers are started, so that they boot meanwhile."""
        if _LINUX:
            with _state.lock:
                if not _state.adopting:
                    _state.was_subreaper = _subreaper()
                    _become(subreaper=True)
                    _state.adopting = True

    def __exit__(self, *_: object) -> None:
        if _LINUX:
            with _state.lock:
                _state.sessions -= 1
                if _state.sessions == 0 and _state.adopting:
                    _sweep()
                    _become(subreaper=_state.was_subreaper)
                    _state.adopting = False


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
    while found := _orphans():
        late = time.monotonic() > deadline
        tree.send_signal(found, signal.SIGKILL if late else signal.SIGTERM)
        if time.monotonic() > deadline + _PATIENCE:
            return  # not even SIGKILL ends it: it hangs in the kernel
        time.sleep(0.01)


def _orphans() -> list[tree.Stat]:
    ours = os.getsid(0)
    found = []
    for pid in tree.children(os.getpid()):
        if pid in _state.servers:
            continue
        process = tree.stat(pid)
        if process and process.session != ours and process.started >= _state.since:
            found += [process, *tree.descendants(pid)]
    return [process for process in found if tree.alive(process)]
