"""The page on calls, run as it stands."""

import doctest
from pathlib import Path

import pytest

import mcplock.live.result
from tests.unit.live.conftest import Project, definition

PAGE = Path(__file__).parents[3] / "docs" / "calls.md"


def test_the_page_on_calls_runs(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    }
    answer = {
        "content": [{"type": "text", "text": "Oslo: rain"}],
        "structuredContent": {"rain": True},
    }
    tool = definition("forecast", inputSchema=schema)
    project.serve(tool, name="weather", results={"forecast": answer})
    project.lock()
    monkeypatch.chdir(project.directory)
    for name, value in project.environ.items():
        monkeypatch.setenv(name, value)

    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert (result.failed, result.attempted) == (0, 9)


def test_the_examples_in_the_code_run() -> None:
    result = doctest.testmod(mcplock.live.result)
    assert (result.failed, result.attempted) == (0, 2)
