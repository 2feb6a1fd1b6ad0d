"""`add` and `remove` on a manifest that a person keeps."""

import json

import pytest

from mcplock.errors import FaultyFile, McplockError
from mcplock.manifest import edit
from mcplock.manifest.edit import add_server, remove_server

from .conftest import Project

TEXT = """\
# our servers

# where the wiki is
[servers.docs]
url = "https://h/mcp"  # not the old one
"""


def write(project: Project, text: str = TEXT, name: str = "mcp.toml") -> None:
    (project.root / name).write_text(text, encoding="utf-8")


def test_a_server_is_added_and_removed(project: Project) -> None:
    write(project)
    words = ["--env", "A=1=2", "--cwd", "d", "--", "uvx", "time", "--env", "x"]
    result = project.ok("add", "time", *words)

    assert result.out.startswith("+ time  mcp.toml:7\n")
    assert "`mcplock install`" in result.err
    assert (project.root / "mcp.toml").read_text() == TEXT + (
        '\n[servers.time]\ncommand = "uvx"\nargs = ["time", "--env", "x"]\ncwd = "d"\n'
        'env = {A = "1=2"}\n'
    )
    assert project.ok("remove", "time").out == "- time  mcp.toml:7\n"
    assert (project.root / "mcp.toml").read_text() == TEXT


def test_the_first_server_begins_the_manifest(project: Project) -> None:
    path = project.root / "mcp.toml"
    secret = "API_KEY=sk-0123456789abcdefghij"

    assert project.run("add", "time", "--env", secret, "--", "x").code == 2
    assert not path.exists()
    assert project.ok("add", "time", "--", "uvx", "time").out.startswith("+ time  mcp.toml:3\n")
    assert path.read_text() == (
        "# The MCP servers of this project; `mcplock install` locks what they say.\n"
        '\n[servers.time]\ncommand = "uvx"\nargs = ["time"]\n'
    )
    elsewhere = project.run("--manifest", "other.toml", "add", "x", "--", "y")
    assert elsewhere.code == 2
    assert not (project.root / "other.toml").exists()


def test_no_link_leads_a_change_out_of_the_project(project: Project) -> None:
    outside = project.home / "config.toml"
    outside.write_text(TEXT)
    (project.root / "mcp.toml").symlink_to(outside)

    for words in (["add", "time", "--", "uvx", "time"], ["remove", "docs"]):
        refused = project.run(*words)
        assert (refused.code, outside.read_text()) == (2, TEXT)
        assert refused.err.startswith("error: mcp.toml: is a link that leads out of the project\n")

    inside = project.root / "own.toml"
    outside.rename(inside)
    (project.root / "mcp.toml").unlink()
    (project.root / "mcp.toml").symlink_to("own.toml")
    project.ok("remove", "docs")
    assert "[servers.docs]" not in inside.read_text()


def test_a_comment_right_above_goes_with_its_server(project: Project) -> None:
    write(project)
    project.ok("add", "a.b", "--url", "https://h/x", "--header", "X-A: ${V}", "--transport", "sse")
    project.ok("remove", "docs")
    assert (project.root / "mcp.toml").read_text() == (
        '# our servers\n\n[servers."a.b"]\ntype = "sse"\nurl = "https://h/x"\n'
        'headers = {X-A = "${V}"}\n'
    )


@pytest.mark.parametrize(
    "words, told",
    [
        (["docs", "--", "x"], "docs is there already, at mcp.toml:4"),
        (["x"], "how is the server reached?"),
        (["x", "--url", "https://h", "--", "y"], "stands beside `command`"),
        (["x", "--url", "ftp://h", "--cwd", "d"], "begins with `ftp`"),
        (["a@sha256:b", "--", "y"], "which belongs to a hash"),
        (["x", "--env", "hunter2", "--", "y"], "`--env` takes KEY=VALUE"),
        (["x", "--header", "hunter2", "--url", "https://h"], "`--header` takes NAME: VALUE"),
        (["x", "--env", "A=1", "--env", "A=2", "--", "y"], "`--env` gives A twice"),
        (["x", "--env", "MY_TOKEN=hunter2", "--", "y"], "looks like a secret; write `${MY_TOKEN}`"),
    ],
)
def test_what_is_refused_leaves_the_file(project: Project, words: list[str], told: str) -> None:
    write(project)
    result = project.run("add", *words)

    assert result.code == 2
    assert told in result.err
    assert "hunter2" not in result.out + result.err
    assert (project.root / "mcp.toml").read_text() == TEXT


def test_a_name_that_is_not_there(project: Project) -> None:
    write(project)
    result = project.run("remove", "doc")
    assert result.code == 2
    assert "the manifest has no server doc; did you mean docs?" in result.err


def test_a_server_of_an_included_file_stands_there(project: Project) -> None:
    write(project, '{"mcpServers": {"a": {"command": "x"}}}', ".mcp.json")
    write(project, 'include = [".mcp.json"]\n')
    result = project.run("remove", "a")
    assert result.code == 2
    assert "a stands in .mcp.json:1, which the manifest includes" in result.err
    again = project.run("add", "a", "--", "y")
    assert again.code == 2
    assert "a is there already, at .mcp.json:1" in again.err
    assert "hint: .mcp.json is included: change or remove it there" in again.err


def test_a_server_that_is_there_is_removed_by_the_command_that_is_told(project: Project) -> None:
    write(project, '["servers"."a b"]\ncommand = "x"\n')
    result = project.run("add", "a b", "--", "y")
    assert "hint: `mcplock remove 'a b'` removes it" in result.err


@pytest.mark.parametrize(
    "name, text",
    [
        ("mcp.toml", 'servers = { a = { command = "x" } }\n'),
        ("mcp.yaml", "servers: {a: {command: x}}\n"),
        (".mcp.json", '{"mcpServers": {"a": {"command": "x"}}}'),
    ],
)
@pytest.mark.parametrize("words", [["remove", "a"], ["add", "b", "--", "y"]])
def test_what_cannot_be_edited_is_said(
    project: Project, name: str, text: str, words: list[str]
) -> None:
    write(project, text, name)
    result = project.run(*words)
    assert result.code == 2
    assert "hint: edit" in result.err
    assert (project.root / name).read_text() == text


def test_an_anchor_that_others_need_is_not_removed(project: Project) -> None:
    text = "servers:\n  a: &a {command: x}\n  b: *a\n"
    write(project, text, "mcp.yaml")
    assert project.run("remove", "a").code == 2
    assert (project.root / "mcp.yaml").read_text() == text
    project.ok("remove", "b")
    assert (project.root / "mcp.yaml").read_text() == "servers:\n  a: &a {command: x}\n"


def test_yaml_keeps_its_comments(project: Project) -> None:
    write(project, "servers:\n    # first\n    a: {command: x}  # why\n# end\n", "mcp.yaml")
    project.ok("add", "b", "--", "uvx", "1.10", "on")
    assert (project.root / "mcp.yaml").read_text() == (
        "servers:\n    # first\n    a: {command: x}  # why\n"
        "    b:\n      command: uvx\n      args: ['1.10', 'on']\n# end\n"
    )


def test_a_file_that_changed_meanwhile_is_left(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project)
    path = project.root / "mcp.toml"
    real = edit.toml_addition

    def slowly(*given):
        write(project, TEXT + "# another editor\n")
        return real(*given)

    monkeypatch.setattr(edit, "toml_addition", slowly)
    with pytest.raises(McplockError, match="was changed meanwhile"):
        add_server(path, "b", {"command": "x"})
    assert path.read_text() == TEXT + "# another editor\n"


def test_a_clients_file_is_edited_by_hand_and_the_lines_are_told(project: Project) -> None:
    (project.root / ".vscode").mkdir()
    write(project, '{"servers": {}, /* ours */}', ".vscode/mcp.json")
    words = ["time", "--env", "A=${A}", "--", "uvx", "t"]
    result = project.run("add", "--manifest", ".vscode/mcp.json", *words)

    assert result.code == 2
    assert "below `servers` belongs" in result.err
    told = result.err.split("belongs\n")[1]
    entry = {"command": "uvx", "args": ["t"], "env": {"A": "${A}"}}
    assert json.loads("{" + told + "}") == {"time": entry}


def test_why_an_outcome_is_not_read_is_told(project: Project) -> None:
    text = "servers:\n  a: &a {command: x}\n  b: *a\n"
    write(project, text, "mcp.yaml")
    result = project.run("remove", "a")

    assert "mcp.yaml:2:6: an alias whose anchor is not above" in result.err
    with pytest.raises(McplockError) as caught:
        remove_server(project.root / "mcp.yaml", "a")
    assert isinstance(caught.value.__cause__, FaultyFile)


@pytest.mark.parametrize(
    "text", ["# ours\n", "include: []\n", "include: []", "include: []\n\n\n", "servers:\n"]
)
def test_yaml_without_servers_is_left_as_it_was(project: Project, text: str) -> None:
    write(project, text, "mcp.yaml")
    project.ok("add", "a", "--", "x")
    project.ok("remove", "a")
    assert (project.root / "mcp.yaml").read_text() == text


@pytest.mark.parametrize(
    "name, text, left",
    [
        ("mcp.toml", '[servers.a]\ncommand = "x"\n', "[servers]\n"),
        ("mcp.toml", '[servers.a]\ncommand = "x"', "[servers]"),
        ("mcp.toml", '\n\n[servers.a]\ncommand = "x"\nenv.A = "1"\n\n', "\n\n[servers]\n\n"),
        ("mcp.toml", 'servers.a.command = "x"\nservers.a.cwd = "d"\n', "[servers]\n"),
        ("mcp.toml", '# ours\n\n[servers.a]\ncommand = "x"\n', "# ours\n"),
        ("mcp.toml", '[servers.a]\ncommand = "x"\n[servers.a.env]\nA = "1"\n', "[servers]\n"),
        ("pyproject.toml", '[tool.mcplock.servers.a]\ncommand = "x"\n', "[tool.mcplock.servers]\n"),
        (
            "pyproject.toml",
            "[project]\n\n# of ours\n[tool.mcplock.servers.a]\ncommand = 'x'\n\n[tool.z]\n",
            "[project]\n\n[tool.mcplock.servers]\n\n[tool.z]\n",
        ),
        (
            "pyproject.toml",
            '[tool.mcplock]\n\n[tool.mcplock.servers.a]\ncommand = "x"\n',
            "[tool.mcplock]\n",
        ),
        ("mcp.yaml", "servers:\n  a: {command: x}\n", "servers:\n"),
        ("mcp.yaml", "servers:\n  a: {command: x}", "servers:"),
        ("mcp.yaml", "\nservers:\n\n  a: {command: x}\n", "\nservers:\n\n"),
    ],
)
def test_the_only_server_leaves_a_manifest_behind(
    project: Project, name: str, text: str, left: str
) -> None:
    write(project, text, name)
    project.ok("remove", "a")
    assert (project.root / name).read_text() == left
    project.ok("add", "b", "--", "y")
    project.ok("remove", "b")
    assert (project.root / name).read_text() == left


def test_what_an_included_file_says_again_is_not_removed_by_half(project: Project) -> None:
    (project.root / ".mcp.json").write_text('{"mcpServers": {"a": {"command": "x"}}}')
    project.write_manifest({"a": "x"}, 'include = [".mcp.json"]\n')
    result = project.run("remove", "a")
    assert result.code == 2
    assert "a stands in .mcp.json:1 too, which the manifest includes" in result.err


def test_the_first_server_begins_the_table_of_a_pyproject(project: Project) -> None:
    path = project.root / "pyproject.toml"
    path.write_text("[project]\nname = 'x'  # ours\n\n[tool.ruff]\nfix = true\n")
    refused = project.run("--manifest", "pyproject.toml", "install")
    assert "`mcplock --manifest pyproject.toml add NAME -- COMMAND` begins it" in refused.err
    assert project.run("--manifest", "pyproject.toml", "remove", "a").code == 2
    project.ok("--manifest", "pyproject.toml", "add", "a", "--", "x")
    assert path.read_text() == (
        "[project]\nname = 'x'  # ours\n\n[tool.ruff]\nfix = true\n\n"
        '[tool.mcplock.servers.a]\ncommand = "x"\n'
    )
    assert "a " in project.ok("status").out


@pytest.mark.parametrize("text", ["[project\n", "tool = { ruff = 1 }\n", "[tool]\nmcplock = 1\n"])
def test_a_pyproject_that_takes_no_table_stays_as_it_is(project: Project, text: str) -> None:
    path = project.root / "pyproject.toml"
    path.write_text(text)
    result = project.run("--manifest", "pyproject.toml", "add", "a", "--", "x")
    assert result.code == 2
    assert "pyproject.toml" in result.err
    assert "bug" not in result.err
    assert path.read_text() == text


@pytest.mark.parametrize(
    "before, after",
    [
        ("servers: {}\n", "servers:\n  a: {command: x}\n"),
        ("servers: { }  # none yet\n", "servers:  # none yet\n  a: {command: x}\n"),
        ("servers: {}", "servers:\n  a: {command: x}"),
        ("servers:\n  {}\nrequires: '>=0.1'\n",
         "servers:\n  a: {command: x}\nrequires: '>=0.1'\n"),
    ],
)  # fmt: skip
def test_empty_braces_in_yaml_give_way_to_a_server(
    project: Project, before: str, after: str
) -> None:
    path = project.root / "mcp.yaml"
    path.write_text(before)
    project.ok("add", "a", "--", "x")
    assert path.read_text() == after


def test_only_what_is_locked_is_said_to_be_in_the_lock(two_servers: Project) -> None:
    two_servers.ok("add", "late", "--", "x")
    assert two_servers.ok("remove", "late").err == ""
    assert "`mcplock install` drops it" in two_servers.ok("remove", "docs").err
    two_servers.lock_path.write_text("broken")
    assert "`mcplock install` drops it" in two_servers.ok("remove", "mail").err
    two_servers.lock_path.unlink()
    two_servers.ok("add", "late", "--", "x")
    assert two_servers.ok("remove", "late").err == ""


def test_what_the_lints_say_of_a_new_source_is_shown_there(project: Project) -> None:
    told = project.ok("add", "web", "--", "npx", "-y", "some-server").out
    assert "medium unpinned: some-server is not pinned" in told
    told = project.ok("add", "docs", "--url", "http://docs.example.com/mcp").out
    assert "medium plain-http:" in told
    assert "!" not in project.ok("add", "time", "--", "uvx", "mcp-server-time@2026.1.26").out
