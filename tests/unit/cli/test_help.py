"""What the program says of itself is true: every command and option that it names exists."""

import ast
import re
import shlex
from pathlib import Path

import click
import pytest

import mcplock
from mcplock.cli.command import Command
from mcplock.cli.group import COMMANDS, group

from .conftest import Project

PACKAGE = Path(mcplock.__file__).parent
NAMES = [name for commands in COMMANDS.values() for name in commands]
TOLD = re.compile(r"`(mcplock(?: [^`]*)?)`")
PLACEHOLDER = "\ufffc"


def command_of(name: str) -> Command:
    command = group.get_command(click.Context(group), name)
    assert isinstance(command, Command)
    return command


def texts(path: Path) -> list[str]:
    """The string literals of a module, with something in place of what f-strings insert."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.JoinedStr(values):
                pieces = [v.value if isinstance(v, ast.Constant) else PLACEHOLDER for v in values]
                found.append("".join(map(str, pieces)))
            case ast.Constant(value=str() as text):
                found.append(text)
    return found


def told_lines() -> list[str]:
    lines = {
        re.sub(r"\s+", " ", hit[1])
        for path in PACKAGE.rglob("*.py")
        for text in texts(path)
        for hit in TOLD.finditer(text)
    }
    return sorted(lines | {line for name in NAMES for line in command_of(name).examples})


@pytest.mark.parametrize("line", told_lines())
def test_every_command_line_that_is_told_exists(line: str) -> None:
    _, *words = shlex.split(line)
    if not words or words[0].startswith(PLACEHOLDER) or words[0] == "COMMAND":
        return
    if words[0].startswith("-"):
        assert words[0] in {"--help", "--version"}
        return
    assert words[0] in NAMES, f"there is no `mcplock {words[0]}`"
    command = command_of(words[0])
    known = {option for param in command.params for option in (*param.opts, *param.secondary_opts)}
    given = {word.partition("=")[0] for word in words[1:] if word.startswith("-") and word != "--"}
    assert given <= known | {"--help", "-h"}


def test_the_lines_are_found() -> None:
    assert {"mcplock install", "mcplock trust"} <= set(told_lines())
    assert len(told_lines()) > 30


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_is_complete(project: Project, name: str, option: str) -> None:
    out = project.ok(name, option).out

    line = next(commands[name] for commands in COMMANDS.values() if name in commands)
    assert line.rstrip(".") in re.sub(r"\s+", " ", out)
    assert "Examples:" in out
    for word in ("--manifest", "--ca-file", "--no-color", "--no-input", "--quiet", "--verbose"):
        assert word in out.split("Options of all commands:")[1].split("Examples:")[0]
    assert max(map(len, out.splitlines())) <= 80
    for param in command_of(name).params:
        assert isinstance(param, click.Argument) or param.help, f"{param.name} has no help"


@pytest.mark.parametrize("name", NAMES)
def test_the_options_of_all_commands_stand_before_and_after(project: Project, name: str) -> None:
    options = ["--manifest", "nowhere", "-q", "-v", "--no-color", "--no-input"]
    for words in ([name, *options], [*options, name]):
        assert project.run(*words, "--help").code == 0


def test_a_command_that_is_not_there_is_named_with_the_nearest(project: Project) -> None:
    result = project.run("chek")

    assert result.code == 2
    assert "there is no command `chek`; did you mean check?" in result.err


@pytest.mark.parametrize(
    "words",
    [["check", "--ofline"], ["status", "extra"], ["approve"], ["export"], ["--nothing"],
     ["export", "--format", "x"], ["check", "--format", "xml"], ["diff", "--server"],
     ["-q", "call", "a/b", "--json"]],
    ids=" ".join,
)  # fmt: skip
def test_a_wrong_command_line_is_exit_2_with_the_help_to_ask_for(
    project: Project, words: list[str]
) -> None:
    result = project.run(*words)

    assert result.code == 2
    assert result.out == ""
    command = next((f" {word}" for word in words if not word.startswith("-")), "")
    assert f"hint: `mcplock{command} --help`" in result.err
    assert "Traceback" not in result.err


def test_the_version_is_told(project: Project) -> None:
    assert project.ok("--version").out == f"mcplock, version {mcplock.__version__}\n"
