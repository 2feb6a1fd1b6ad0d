"""A source and the environment."""

from pathlib import Path

import pytest

from mcplock.manifest import Server, Unresolved, resolve, variables
from mcplock.model import Place, Source, Transport

WHERE = Path("/project")


def stdio(**source: object) -> Server:
    return Server("a", Source(Transport.STDIO, **source), Place("mcp.toml"))  # type: ignore[arg-type]


def test_variables_are_expanded_in_every_field() -> None:
    server = stdio(
        command="${TOOL}",
        args=("--x=${X}", "$X", "$${X}", "${Y:-d}"),
        env={"E": "${env:X}"},
    )
    launch = resolve(server, WHERE, {"TOOL": "run", "X": "1"})
    assert launch.command == "run"
    assert launch.args == ("--x=1", "$X", "${X}", "d")
    assert launch.env == {"E": "1"}
    assert launch.cwd == WHERE
    assert variables(server.source) == ["TOOL", "X", "Y"]


def test_all_missing_variables_are_named_with_their_places() -> None:
    source = Source(
        Transport.HTTP, url="https://${HOST}/", headers={"Authorization": "${NOPE}", "X": "${HOST}"}
    )
    with pytest.raises(Unresolved) as caught:
        resolve(Server("a", source, Place("mcp.toml")), WHERE, {})
    assert caught.value.issue.message == (
        "not set: `HOST` (servers.a.url, servers.a.headers.X), "
        "`NOPE` (servers.a.headers.Authorization)"
    )


def test_a_relative_command_lies_below_the_manifest() -> None:
    assert resolve(stdio(command="./bin/srv"), WHERE, {}).command == "/project/bin/srv"
    assert resolve(stdio(command="srv"), WHERE, {}).command == "srv"
    assert resolve(stdio(command="~/srv"), WHERE, {"HOME": "/h"}).command == "/h/srv"
