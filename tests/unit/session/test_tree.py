"""The process tree, by processes of our own."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mcplock.session import tree

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")

# Two generations; the younger one has a name that looks like the end of a name.
FAMILY = """
import subprocess, sys, time
open("/proc/self/comm", "w").write("a) R (b")
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(child.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture
def family() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A child of ours and the process id of its own child."""
    command = [sys.executable, "-c", FAMILY]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        yield parent, child
        for pid in (parent.pid, child):
            os.kill(pid, 9)


def test_a_process_is_told_whatever_its_name(family: tuple[subprocess.Popen[str], int]) -> None:
    parent, child = family
    found = tree.stat(parent.pid)
    assert found and (found.parent, found.session) == (os.getpid(), os.getsid(0))
    assert found.state in "RS" and found.started > 0
    assert Path(f"/proc/{parent.pid}/comm").read_text() == "a) R (b\n"
    assert tree.stat(child).parent == parent.pid  # type: ignore[union-attr]
    assert tree.stat(2**22 + 1) is None


def test_descendants_with_and_without_the_list_of_children(
    family: tuple[subprocess.Popen[str], int],
) -> None:
    parent, child = family
    assert parent.pid in tree.children(os.getpid())
    assert {process.pid for process in tree.descendants(parent.pid)} == {child}
    everything = {process.pid: process.parent for process in tree._everything()}
    assert everything[child] == parent.pid and everything[parent.pid] == os.getpid()
    assert tree.children(2**22 + 1) == []


def test_what_is_dead_is_gone_once_it_is_reaped(until: Callable[..., None]) -> None:
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    known = tree.stat(process.pid)
    assert known and not tree.gone(known)
    tree.send_signal([known], 9)
    until(lambda: tree.gone(known))
    assert tree.stat(process.pid) is None
    process.wait()
