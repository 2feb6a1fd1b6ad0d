"""The first manifest of a project."""

import json
from pathlib import Path

import pytest

from mcplock.manifest import load
from mcplock.manifest.begin import users_files

from .conftest import Project


def write(project: Project, name: str, value: object) -> None:
    path = project.root / name
    path.parent.mkdir(exist_ok=True, parents=True)
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


def test_a_server_that_two_clients_share_drops_no_file(project: Project) -> None:
    notes = {"command": "notes"}
    write(project, ".mcp.json", {"mcpServers": {"notes": notes}})
    write(project, ".cursor/mcp.json", {"mcpServers": {"notes": notes, "evil": {"command": "e"}}})
    result = project.ok("init", "--yes")
    assert "mcp.toml written: 2 servers" in result.out
    assert "left out" not in result.err
    assert "notes  as in a file before it" in result.err
    assert "warning" not in project.ok("status").err


def test_a_file_that_two_clients_share_by_a_link_is_one(project: Project) -> None:
    clients(project)
    (project.root / ".roo").mkdir()
    (project.root / ".roo/mcp.json").symlink_to("../.cursor/mcp.json")
    result = project.ok("init", "--yes")
    assert included(project) == [".mcp.json", ".cursor/mcp.json"]
    assert ".roo" not in result.err
    assert "warning" not in project.ok("status").err


def test_the_servers_that_are_not_covered_are_named_at_the_end(project: Project) -> None:
    write(project, ".mcp.json", {"mcpServers": {"notes": {"command": "notes"}}})
    others = {"notes": {"command": "other"}, "evil": {"command": "e"}}
    write(project, ".cursor/mcp.json", {"mcpServers": others})
    result = project.ok("init", "--yes")
    told = (
        "`.cursor/mcp.json` names 1 server that the manifest does not have: evil; "
        "1 server that the manifest has otherwise: notes"
    )
    assert f"warning: {told}\n" in result.err
    way = "rename notes in one of the two files, then name .cursor/mcp.json in `include`"
    assert result.err.splitlines()[-1] == f"hint: {way}"
    for words in (["status"], ["check", "--offline"], ["status", "--json"]):
        assert f"warning: {told}\n" in project.run(*words).err


@pytest.mark.parametrize("manifest", ["mcp.toml", ".mcp.json"])
def test_a_clients_file_that_came_later_is_told(project: Project, manifest: str) -> None:
    write(project, ".mcp.json", {"mcpServers": {"notes": {"command": "notes"}}})
    if manifest == "mcp.toml":
        project.ok("init", "--yes")
    assert "warning" not in project.ok("status").err
    write(project, ".vscode/mcp.json", {"servers": {"notes": {"command": "notes"}}})
    write(project, ".continue/mcpServers/x.yaml", "name: x\n")
    assert "warning" not in project.ok("status").err
    write(project, ".vscode/mcp.json", {"servers": {"evil": {"command": "e"}}})
    told = "`.vscode/mcp.json` names 1 server that the manifest does not have: evil\n"
    assert told in project.ok("status").err
    assert told not in project.run("--user", "status").err
    write(project, ".vscode/mcp.json", '{"servers": {')
    assert "`.vscode/mcp.json` is not included and cannot be read" in project.ok("status").err


def test_a_users_clients_that_are_not_covered_are_named(project: Project) -> None:
    at_home(project, ".cursor/mcp.json", of_client("x.json", "a"))
    others = {"a": {"command": "y"}, "b": {"command": "z"}}
    at_home(project, ".cline/mcp.json", json.dumps({"mcpServers": others}))
    result = project.ok("init", "--user", "--yes")
    assert "names 1 server that the manifest does not have: b; " in result.err


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


def at_home(project: Project, name: str, text: str) -> None:
    path = project.home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def of_client(name: str, server: str) -> str:
    """A file of a client, in the format that its name tells."""
    match Path(name).suffix:
        case ".toml":
            return f'[mcp_servers.{server}]\ncommand = "x"\n'
        case ".yaml" if "goose" in name:
            return f"extensions:\n  {server}: {{type: stdio, cmd: x, enabled: true}}\n"
        case ".yaml":
            return f"mcpServers:\n  - name: {server}\n    command: x\n"
        case _:
            return json.dumps({"mcpServers": {server: {"command": "x"}}})


def test_the_files_of_a_users_clients_are_offered(project: Project) -> None:
    files = [pattern.replace("*", "one") for pattern in users_files()]
    for number, name in enumerate(files):
        at_home(project, name, of_client(name, f"s{number}"))
    write(project, ".mcp.json", {"mcpServers": {"ours": {"command": "y"}}})

    result = project.ok("init", "--user", "--yes")

    assert f"written: {len(files)} servers" in result.out
    text = (project.home / "mcplock" / "mcp.toml").read_text()
    assert text.startswith("# Your own MCP servers; `mcplock install --user`")
    assert json.loads(text.split("include = ")[1]) == [f"~/{name}" for name in files]
    assert "ours" not in project.ok("status", "--user").out


def test_a_file_of_home_is_named_by_its_path(project: Project, tmp_path: Path) -> None:
    at_home(project, ".cursor/mcp.json", of_client("x.json", "a"))
    project.ok("init", "--user", "--include", "../home/.cursor/mcp.json")
    assert '"~/.cursor/mcp.json"' in (project.home / "mcplock" / "mcp.toml").read_text()
    (project.home / "mcplock" / "mcp.toml").unlink()
    (tmp_path / "x.json").write_text(of_client("x.json", "a"))
    (project.home / "link.json").symlink_to(tmp_path / "x.json")
    for file in ("../x.json", "../home/link.json"):
        result = project.run("init", "--user", "--include", file)
        assert result.code == 2
        assert "leads out of your home directory" in result.err


def test_what_a_client_has_for_one_project_is_not_a_users(project: Project) -> None:
    here = {"mcpServers": {"of_project": {"command": "y"}}}
    value = {"mcpServers": {"own": {"command": "x"}}, "projects": {str(project.root): here}}
    at_home(project, ".claude.json", json.dumps(value))
    project.ok("init", "--user", "--yes")
    told = project.ok("status", "--user").out
    assert "own" in told and "of_project" not in told


@pytest.mark.parametrize("written", ["~/.cursor/mcp.json", "../home/.cursor/mcp.json"])
def test_no_manifest_of_a_project_reaches_home(project: Project, written: str) -> None:
    at_home(project, ".cursor/mcp.json", of_client("x.json", "a"))
    write(project, "mcp.toml", f'include = ["{written}"]\n')
    assert project.run("status").code == 2

    project.ok("init", "--user", "--yes")
    (project.home / "p" / ".git").mkdir(parents=True)
    at_home(project, "p/mcp.toml", 'include = ["../.cursor/mcp.json"]\n')
    at_home(project, "mcplock/mcp.toml", 'include = ["~/p/mcp.toml"]\n')
    result = project.run("status", "--user")
    assert result.code == 2
    assert "leads out of the project" in result.err
    at_home(project, "mcplock/mcp.toml", 'include = ["~/.cursor/mcp.json"]\n')
    assert "a " in project.ok("status", "--user").out


@pytest.mark.parametrize("words", [["status"], ["remove", "a"], ["install"]])
def test_where_there_is_no_manifest_it_is_the_first_step(
    project: Project, words: list[str]
) -> None:
    assert "hint: `mcplock init` writes" in project.run(*words).err
    assert "hint: `mcplock init --user` writes" in project.run("--user", *words).err


def test_what_cannot_be_included_is_not_hinted_at(project: Project) -> None:
    (project.root / "sub" / ".vscode").mkdir(parents=True)
    (project.root / ".cursor").mkdir()
    (project.root / ".cursor" / "mcp.json").write_text("{", encoding="utf-8")

    told = project.ok("init", "--yes").err

    assert ".cursor/mcp.json` is not included and cannot be read" in told
    assert "in `include`" not in told
