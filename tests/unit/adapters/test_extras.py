"""The extras of pyproject.toml admit the releases that the adapters are tested with."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PINS = ROOT / "tests" / "real" / "frameworks"


@pytest.mark.parametrize("extra", ["langchain", "openai-agents", "pydantic-ai", "google-adk"])
def test_an_extra_and_all_that_mcplock_needs_are_as_tested(extra: str) -> None:
    lines = (PINS / f"{extra}.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.lower().split("==") for line in lines if "==" in line)
    needed = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"][extra]]
    for requirement in map(Requirement, needed):
        assert requirement.specifier.contains(pins[requirement.name]), requirement
    assert f"`{extra}`" in (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
