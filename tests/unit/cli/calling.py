"""Calls made by the program, in this process, in a project of servers that really run."""

from pathlib import Path

import pytest

from mcplock import cli
from tests.unit.cli.conftest import Result
from tests.unit.live.conftest import Project


class Caller(Project):
    """A project in which the program is run."""

    def __init__(self, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
        super().__init__(directory)
        self._capsys = capsys

    def call(self, *words: str) -> Result:
        return self.run("call", *words)

    def run(self, *words: str) -> Result:
        code = cli.run(words)
        captured = self._capsys.readouterr()
        return Result(code, captured.out, captured.err)


def caller(
    directory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Caller:
    """A project in `directory`, which is gone to, with a state of its own."""
    monkeypatch.chdir(directory)
    for name in ("HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(directory / "state"))
    return Caller(directory, capsys)
