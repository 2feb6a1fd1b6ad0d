"""One source for the spellings of Windows."""

import pytest

from mcplock.manifest.launchers import normalised


@pytest.mark.parametrize(
    "command, args",
    [
        ("npx", ["-y", "x"]),
        ("npx.cmd", ["-y", "x"]),
        ("NPX.CMD", ["-y", "x"]),
        ("npx.exe", ["-y", "x"]),
        ("cmd", ["/c", "npx", "-y", "x"]),
        ("cmd.exe", ["/C", "npx.cmd", "-y", "x"]),
        ("CMD", ["/d", "/s", "/c", "npx", "-y", "x"]),
        ("C:\\Windows\\System32\\cmd.exe", ["/c", "npx", "-y", "x"]),
    ],
)
def test_every_spelling_is_the_same(command: str, args: list[str]) -> None:
    assert normalised(command, args) == ("npx", ("-y", "x"))


@pytest.mark.parametrize(
    "command, args",
    [
        ("cmd", ["/c", "del", "x"]),
        ("cmd", ["/c"]),
        ("cmd", ["/k", "npx", "x"]),
        ("cmd", ["npx", "/c"]),
        ("cmd", []),
        ("sh", ["-c", "npx x"]),
        ("./npx.cmd", ["x"]),
        ("C:\\tools\\npx.cmd", ["x"]),
        ("server.exe", []),
        ("NPX", []),
        ("python3.12", ["-m", "x"]),
        ("", []),
    ],
)
def test_what_is_something_else_stays(command: str, args: list[str]) -> None:
    assert normalised(command, args) == (command, tuple(args))
