"""The first manifest of a project."""

import json
from pathlib import Path

import pytest

from mcplock.manifest import load

from .conftest import Project


def write(project: Project, name: str, value: object) -> None:
    path = project.root / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")


def clients(project: Project) -> None:
    write(project, ".mcp.json", {"mcpServers": {"a": {"command": "x"}}})
    write(project, ".cursor/mcp.json", {"mcpServers": {"b": {"url": "https://h/mcp"}}})
    write(project, ".gemini/settings.json", {"theme": "dark"})


def included(project: Project) -> list[str]:
    manifest = load(project.root / "mcp.toml")
    return [server.place.file for server in manifest.servers.values()]


def test_without_clients_there_is_an_empty_manifest(project: Project) -> None:
    result = project.ok("init")
    assert result.out == "mcp.toml written: 0 servers\n"
    assert "`mcplock add NAME -- COMMAND`" in result.err
    project.ok("add", "a", "--", "x")
    assert "unlocked" in project.ok("status").out


def test_the_servers_of_clients_are_included(project: Project) -> None:
    clients(project)
    result = project.ok("init", "--yes")
    assert included(project) == [".mcp.json", ".cursor/mcp.json"]
    assert "https://h/mcp" in result.err
    assert ".gemini" not in result.err
    assert "`mcplock install`" in result.err


def test_where_nobody_can_be_asked_nothing_is_written(project: Project) -> None:
    clients(project)
    result = project.run("init")
    assert result.code == 2
    assert "`mcplock init --yes`" in result.err
    assert not (project.root / "mcp.toml").exists()


@pytest.mark.parametrize("answer, code", [("\n", 2), ("n\n", 2), ("y\n", 0)])
def test_a_person_is_asked(
    project: Project, answer: str, code: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    clients(project)
    typed = tmp_path / "typed"
    typed.write_text(answer)
    with typed.open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        monkeypatch.setattr(stdin, "isatty", lambda: True, raising=False)
        monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
        result = project.run("init")
    assert result.code == code
    assert "Write mcp.toml with these servers? [y/N]" in result.err
    assert (project.root / "mcp.toml").exists() is (code == 0)


def test_what_is_named_is_included_alone(project: Project) -> None:
    clients(project)
    project.ok("init", "--include", ".cursor/mcp.json")
    assert included(project) == [".cursor/mcp.json"]


def test_what_cannot_be_read_is_left_out_and_said(project: Project) -> None:
    clients(project)
    write(project, ".vscode/mcp.json", '{"servers": {')
    write(project, ".roo/mcp.json", {"mcpServers": {"a": {"command": "y"}}})
    result = project.ok("init", "--yes")
    assert included(project) == [".mcp.json", ".cursor/mcp.json"]
    assert "! .vscode/mcp.json  is left out:\n" in result.err
    assert "\n    .vscode/mcp.json:1:14: the text ends" in result.err
    assert "servers.a: is there already, at .mcp.json:1" in result.err


@pytest.mark.parametrize("name", [".vscode/mcp.json", "../outside.json", "nowhere.json"])
def test_what_is_named_and_cannot_be_included_is_an_error(project: Project, name: str) -> None:
    write(project, ".vscode/mcp.json", '{"servers": {')
    write(project, "../outside.json", {"mcpServers": {}})
    result = project.run("init", "--include", name)
    assert result.code == 2
    assert not (project.root / "mcp.toml").exists()


@pytest.mark.parametrize("name", ["mcp.toml", "mcp.yaml", "pyproject.toml"])
def test_nothing_is_overwritten(project: Project, name: str) -> None:
    text = "[tool.mcplock]\n" if name == "pyproject.toml" else "requires: '>=0.1'\n"
    write(project, name, text)
    result = project.run("init", "--yes")
    assert result.code == 2
    assert f"{name} is there already" in result.err
    assert [path.name for path in project.root.iterdir() if path.is_file()] == [name]
    assert (project.root / name).read_text() == text


@pytest.mark.parametrize("words", [["init", "--user"], ["add", "--user", "b", "--", "y"]])
def test_a_user_gets_a_manifest_of_his_own(project: Project, words: list[str]) -> None:
    clients(project)
    project.ok(*words)
    project.ok("add", "--user", "a", "--", "x")
    assert "a " in project.ok("status", "--user").out
    assert not (project.root / "mcp.toml").exists()


@pytest.mark.parametrize("words", [["status"], ["remove", "a"], ["install"]])
def test_where_there_is_no_manifest_it_is_the_first_step(
    project: Project, words: list[str]
) -> None:
    assert "hint: `mcplock init` writes" in project.run(*words).err
    assert "hint: `mcplock init --user` writes" in project.run("--user", *words).err
