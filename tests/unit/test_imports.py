"""What the commands that must start fast do not load."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from mcplock.lockfile import format_lock
from tests.locks import entry, lock, server, tool

HEAVY = {
    "asyncio",
    "deepdiff",
    "httpx2",
    "jsonschema",
    "mcp",
    "pydantic",
    "rich",
    "tomlkit",
    "yaml",
}
CATALOG = Path(__file__).parents[2] / "fixtures" / "servers" / "catalog.py"
RUN = """
import sys
from mcplock.cli import run
code = run(sys.argv[1:])
print(code, *sorted(sys.modules), file=sys.stderr)
"""
"""Runs a command, then tells its exit code and every module that was loaded."""


def loaded(words: Sequence[str], directory: Path) -> set[str]:
    """The modules of an interpreter in which the command ran well."""
    environ = {
        "HOME": str(directory),
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    result = subprocess.run(
        [sys.executable, "-c", RUN, *words],
        cwd=directory,
        env=environ,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    code, *modules = result.stderr.splitlines()[-1].split()
    assert code == "0", result.stderr
    return set(modules)


def reviewed_project(directory: Path) -> None:
    """One server with one tool, locked and approved."""
    (directory / "mcp.toml").write_text('[servers.docs]\ncommand = "docs-server"\n')
    source = entry({"type": "stdio", "command": "docs-server"}, approve=True)
    docs = server(tool("search", approve=True), source=source)
    (directory / "mcp.lock").write_text(format_lock(lock(docs=docs)))


@pytest.mark.parametrize(
    "words",
    [["--help"], ["status"], ["check", "--offline"], ["export", "--format", "mcp"]],
    ids=" ".join,
)
def test_what_connects_to_nothing_loads_nothing_heavy(words: Sequence[str], tmp_path: Path) -> None:
    reviewed_project(tmp_path)

    modules = loaded(words, tmp_path)

    assert "mcplock" in modules
    assert not modules & HEAVY


@pytest.mark.parametrize("words", [["status"], ["check", "--offline"]], ids=" ".join)
def test_what_is_run_before_every_prompt_loads_no_parser(
    words: Sequence[str], tmp_path: Path
) -> None:
    reviewed_project(tmp_path)

    modules = loaded(words, tmp_path)

    assert not modules & {"click", "dataclasses", "inspect"}
    tellers = {"excerpt", "tomlfaults", "tomlkeys"}
    assert not modules & {f"mcplock.manifest.{name}" for name in tellers}


def test_a_check_that_finds_no_difference_loads_nothing_to_compare_with(tmp_path: Path) -> None:
    listing = tmp_path / "listing.json"
    definition = {"name": "search", "description": "Search.", "inputSchema": {"type": "object"}}
    listing.write_text(json.dumps({"tools": [definition]}))
    words = f"args = {json.dumps([str(CATALOG), str(listing)])}\n"
    (tmp_path / "mcp.toml").write_text(
        f"[servers.docs]\ncommand = {json.dumps(sys.executable)}\n{words}"
    )
    loaded(["install", "--yes", "--baseline"], tmp_path)

    modules = loaded(["check"], tmp_path)

    assert "subprocess" in modules  # it did start the server
    assert "deepdiff" not in modules
