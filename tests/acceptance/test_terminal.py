"""What a person sees in a terminal, and what a pipe beside it gets."""

import os
import pty
import subprocess
import sys

import pytest

from .conftest import PROGRAM, Workspace, tool
from .terminal import in_terminal

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


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(
    ("words", "env"),
    [(["--no-color"], {}), ([], {"NO_COLOR": "1"}), ([], {"TERM": "dumb"})],
    ids=["--no-color", "NO_COLOR", "TERM=dumb"],
)
def test_where_no_colour_is_wanted_nothing_moves_the_cursor(
    words: list[str], env: dict[str, str], workspace: Workspace
) -> None:
    workspace.serve("docs", tools=[tool("search")], delay=0.3)
    workspace.ok("install", "--yes")
    workspace.serve("docs", tools=[tool("search", WIDE)], delay=0.3)

    screen = in_terminal(["check", *words], cwd=workspace.root, env={**workspace.environ(), **env})

    assert screen.code == 1
    assert "docs/search" in screen.text
    assert "\x1b" not in screen.text
    assert "\r" not in screen.text


def test_servers_that_failed_are_named_in_the_same_order_each_time(workspace: Workspace) -> None:
    for name in ("z", "b", "a", "y"):
        workspace.serve(name).write_text("no JSON", encoding="utf-8")
    for _ in range(4):
        verdict = workspace.run("install", "--yes").out.splitlines()[-1]
        assert verdict.endswith("nothing written of a, b, y, z")
