"""`mcplock call`: arguments and tools that are called something else."""

from pathlib import Path

import pytest

from tests.unit.cli.calling import Caller, caller
from tests.unit.live.conftest import definition


@pytest.fixture
def project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Caller:
    return caller(tmp_path, monkeypatch, capsys)


def test_an_argument_that_the_schema_allows_and_does_not_name_is_told(project: Caller) -> None:
    schema = {"type": "object", "properties": {"limit": {"type": "integer"}}}
    project.serve(definition("echo", inputSchema=schema))
    project.lock()

    result = project.call("demo/echo", "--arg", "limt=3")

    told = "! the schema names no argument limt and allows it, so it was sent; did you mean limit?"
    assert (result.code, result.err.splitlines()[0]) == (0, told)
    assert "names no argument" not in project.call("demo/echo", "--arg", "limit=3").err


def test_a_refusal_tells_of_the_names_that_the_schema_does_not_have(project: Caller) -> None:
    schema = {
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
    }
    closed = {**schema, "additionalProperties": False}
    project.serve(definition("echo", inputSchema=schema), definition("shut", inputSchema=closed))
    project.lock()

    err = project.call("demo/echo", "--arg", "qurey=hi", "--arg", "zeppelin=1").err

    assert "  /query: is required" in err
    assert "  /qurey: the schema names no such argument; did you mean query?\n" in err
    assert "  /zeppelin: the schema names no such argument\n" in err
    assert project.call("demo/shut", "--arg", "qurey=hi").err.count("/qurey") == 1


def test_a_tool_without_its_server_leads_to_its_name(project: Caller) -> None:
    project.serve(definition("echo"))
    project.lock()
    assert "did you mean demo/echo?" in project.call("echo").err
