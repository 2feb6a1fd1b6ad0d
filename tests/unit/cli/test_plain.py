"""The command lines that are run without click mean what they mean to click."""

from collections.abc import Sequence

import click
import pytest

from mcplock.cli.command import GlobalOption, global_options
from mcplock.cli.group import group
from mcplock.cli.plain import OWN, SHARED, plainly
from tests.unit.cli.conftest import Project


def flags(params: Sequence[click.Parameter]) -> dict[str, str]:
    """Each spelling of a flag that click knows -> the name of what it sets."""
    found = [param for param in params if isinstance(param, click.Option) and param.is_flag]
    return {word: str(flag.name) for flag in found for word in flag.opts}


def test_the_flags_of_all_commands_are_those_of_click() -> None:
    assert flags(global_options()) == SHARED


@pytest.mark.parametrize("name", OWN)
def test_the_flags_of_a_command_are_those_of_click(name: str) -> None:
    command = group.get_command(click.Context(group), name)
    assert command
    own = [param for param in command.params if not isinstance(param, GlobalOption)]
    known = flags(own)

    assert {word: known.get(word) for word in OWN[name]} == OWN[name]


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["status", "--help"],
        ["status", "--jso"],
        ["check", "--base", "main"],
        ["check", "check"],
        ["--offline", "check", "--"],
        ["install"],
        [""],
    ],
    ids=" ".join,
)
def test_what_is_spelled_in_another_way_is_left_to_click(words: list[str]) -> None:
    assert plainly(words) is None


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["status"],
        ["-q"],
        ["-v", "status"],
        ["status", "--tokens", "--no-color"],
        ["status", "--json"],
        ["check", "--offline"],
        ["--quiet", "check", "--allow-unreviewed", "--offline"],
        ["check", "--offline", "-v"],
    ],
    ids=" ".join,
)
def test_it_answers_as_it_does_through_click(
    two_servers: Project, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = two_servers.run(*words)
    monkeypatch.setattr("mcplock.cli.plain.plainly", lambda words: None)

    assert two_servers.run(*words) == plain
    assert plain.out
