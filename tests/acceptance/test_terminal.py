"""What a person sees in a terminal, and what a pipe beside it gets."""

import os
import pty
import subprocess
import sys

import pytest

from .conftest import PROGRAM, Workspace, tool

WIDE = "The quick brown fox jumps over the lazy dog. " * 4


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("output", [[], ["--format", "json"]], ids=["text", "json"])
def test_progress_on_a_terminal_keeps_off_what_stdout_gets(
    output: list[str], workspace: Workspace
) -> None:
    workspace.serve("docs", tools=[tool("search")], delay=0.3)
    workspace.ok("install", "--yes")
    workspace.serve("docs", tools=[tool("search", WIDE)], delay=0.3)
    piped = workspace.run("check", *output)
    ours, theirs = pty.openpty()

    done = subprocess.run(
        [PROGRAM, "check", *output],
        cwd=workspace.root,
        env={**workspace.environ(), "TERM": "xterm"},
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        timeout=60,
        check=False,
    )

    os.close(theirs)
    screen = b""
    try:
        while piece := os.read(ours, 4096):
            screen += piece
    except OSError:  # Linux tells in this way that the other side is closed
        pass
    os.close(ours)
    assert done.returncode == piped.code == 1
    assert b"docs" in screen, "no progress was shown, so nothing was tried"
    assert done.stdout.decode() == piped.out
