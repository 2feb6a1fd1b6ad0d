"""Servers taken from other files."""

from pathlib import Path

import pytest

from mcplock.errors import FaultyFile, MissingFile
from mcplock.manifest import find, load
from tests.unit.manifest.projects import Project

CLIENT = '{\n"mcpServers": {\n"b": {"command": "y"}}}'


def test_servers_come_from_every_file_with_their_places(project: Project) -> None:
    project.write(".mcp.json", CLIENT)
    project.write("sub/more.toml", 'include = ["../x.jsonc"]\n[servers.c]\ncommand = "z"\n')
    project.write("x.jsonc", '{"servers": {"d": {"url": "http://localhost"}}}')
    manifest = project.load(
        'include = [".mcp.json", "sub/more.toml"]\n[servers.a]\ncommand = "x"\n'
    )
    places = {name: str(server.place) for name, server in manifest.servers.items()}
    assert places == {
        "a": "mcp.toml:2",
        "b": ".mcp.json:3",
        "c": "sub/more.toml:2",
        "d": "x.jsonc:1",
    }


def test_a_missing_include_is_a_fault_and_the_rest_is_told_too(project: Project) -> None:
    text = 'include = [\n"gone.json",\n".",\n"broken.json",\n]\n[servers.a]\n'
    project.write("broken.json", '{"mcpServers": {"b": {"command": 1}}')
    assert project.faults(text) == [
        "mcp.toml:2: include[0]: gone.json: no such file",
        "mcp.toml:3: include[1]: .: is a directory; a manifest is a file",
        "mcp.toml:6: servers.a: needs `command` or `url`",
        "broken.json:1:37: the text ends too early\n"
        '   {"mcpServers": {"b": {"command": ·}}\n'
        "                                       ^",
    ]


def test_faults_of_an_include_are_told(project: Project) -> None:
    project.write(".mcp.json", '{"mcpServers": {\n"b": {"command": 1}}}')
    assert project.faults('include = [".mcp.json"]') == [
        ".mcp.json:2: mcpServers.b.command: must be a string, not a number"
    ]


@pytest.mark.parametrize(
    "written", ["../out.json", "{root}/../out.json", "link.json", "dir/out.json"]
)
def test_an_include_outside_of_the_project_is_not_read(project: Project, written: str) -> None:
    (project.root.parent / "out.json").write_text(CLIENT)
    (project.root / "link.json").symlink_to("../out.json")
    (project.root / "dir").symlink_to("..")
    written = written.format(root=project.root)
    advice = "; write it relative to this file" if Path(written).is_absolute() else ""
    assert project.faults(f'include = ["{written}"]') == [
        f"mcp.toml:1: include[0]: leads out of the project{advice}"
    ]


def test_a_project_that_is_reached_by_a_link_is_inside_itself(project: Project) -> None:
    project.write(".mcp.json", CLIENT)
    project.write("mcp.toml", 'include = [".mcp.json"]')
    link = project.root.parent / "link"
    link.symlink_to("project")
    manifest = load(link / "mcp.toml")
    assert list(manifest.servers) == ["b"]
    assert manifest.path == link / "mcp.toml"


def test_a_name_in_two_files_is_a_fault_with_both_places(project: Project) -> None:
    project.write(".mcp.json", CLIENT)
    project.write("c.json", CLIENT)
    text = 'include = [".mcp.json", "c.json"]\n[servers.b]\ncommand = "x"\n'
    assert project.faults(text) == [
        ".mcp.json:3: servers.b: is there already, at mcp.toml:2, and differs",
        "c.json:3: servers.b: is there already, at mcp.toml:2, and differs",
    ]


def test_what_two_files_say_alike_is_taken_once(project: Project) -> None:
    project.write(".mcp.json", CLIENT)
    project.write(
        "c.json", '{"servers": {"b": {"type": "stdio", "command": "y"}, "e": {"url": "http://h"}}}'
    )
    manifest = project.load('include = [".mcp.json", "c.json"]\n[servers.b]\ncommand = "y"\n')
    assert {name: str(one.place) for name, one in manifest.servers.items()} == {
        "b": "mcp.toml:2",
        "e": "c.json:1",
    }
    assert [str(one.place) for one in manifest.again] == [".mcp.json:3", "c.json:1"]
    assert manifest.warnings == ()


@pytest.mark.parametrize("more", ['"args": ["-v"]', '"disabled": true', '"env": {"A": "b"}'])
def test_what_differs_in_one_key_is_no_repetition(project: Project, more: str) -> None:
    project.write(".mcp.json", CLIENT)
    project.write("c.json", f'{{"servers": {{"b": {{"command": "y", {more}}}}}}}')
    assert project.faults('include = [".mcp.json", "c.json"]') == [
        "c.json:1: servers.b: is there already, at .mcp.json:3, and differs"
    ]


def test_a_refused_server_that_is_said_twice_is_taken_once(project: Project) -> None:
    secret = '{"mcpServers": {"b": {"command": "y", "env": {"API_KEY": "abcd1234efgh"}}}}'
    project.write("a.json", secret)
    project.write("b.json", secret)
    project.write("c.json", secret.replace("1234", "5678"))
    manifest = project.load('include = ["a.json", "b.json"]')
    assert manifest.servers["b"].refused
    assert len(manifest.again) == 1
    assert "and differs" in project.faults('include = ["a.json", "c.json"]')[0]


def test_circles_are_faults(project: Project) -> None:
    project.write("b.toml", 'include = ["mcp.toml"]')
    project.write("c.toml", 'include = ["c.toml"]')
    assert project.faults('include = ["b.toml", "./mcp.toml", "c.toml"]') == [
        "mcp.toml:1: include[1]: includes itself",
        "b.toml:1: include[0]: includes in a circle",
        "c.toml:1: include[0]: includes in a circle",
    ]


def test_a_file_is_included_once(project: Project) -> None:
    project.write(".mcp.json", CLIENT)
    assert project.faults('include = [".mcp.json", "./.mcp.json"]') == [
        "mcp.toml:1: include[1]: is included already"
    ]


def test_only_our_own_format_includes(project: Project) -> None:
    manifest = project.load('{"include": ["gone.toml"], "mcpServers": {}}', ".mcp.json")
    assert manifest.servers == {}


def test_an_included_policy_does_not_count_and_is_told(project: Project) -> None:
    project.write("b.toml", 'client_name = "x"\n[policy]\nconfirm = "none"')
    manifest = project.load('include = ["b.toml"]')
    assert (manifest.confirm, manifest.client_name) == ("all", "mcplock")
    assert [str(warning) for warning in manifest.warnings] == [
        "b.toml:1: client_name: does not count: the file is included by another one",
        "b.toml:2: policy: does not count: the file is included by another one",
    ]


def test_the_nearest_manifest_counts(project: Project) -> None:
    outer = project.write("mcp.toml", "# ")
    inner = project.write("a/.mcp.json", "{}")
    (project.root / "a/b/c").mkdir(parents=True)
    assert find(project.root / "a/b/c") == inner
    assert find(project.root) == outer
    own = project.write("a/mcp.toml", "# ")
    assert find(project.root / "a/b") == own


def test_nothing_above_the_repository_is_looked_at(project: Project) -> None:
    (project.root.parent / "mcp.toml").write_text("# ")
    (project.root / "a").mkdir()
    with pytest.raises(MissingFile) as caught:
        find(project.root / "a")
    assert caught.value.message == (
        "no manifest: none of `mcp.toml`, `mcp.yaml`, `pyproject.toml` with `[tool.mcplock]`, "
        "`.mcp.json` in a and above, up to ."
    )
    assert caught.value.hint.startswith("`mcplock init` writes an `mcp.toml`")


def test_without_a_repository_only_here(tmp_path: Path) -> None:
    (tmp_path / "mcp.toml").write_text("# ")
    (tmp_path / "a").mkdir()
    with pytest.raises(MissingFile):
        find(tmp_path / "a")


def test_a_broken_manifest_never_gives_way_to_another(project: Project) -> None:
    project.write(".mcp.json", CLIENT)
    (project.root / "mcp.toml").symlink_to("gone")
    assert find(project.root) == project.root / "mcp.toml"


def test_an_explicit_manifest(project: Project) -> None:
    path = project.write("x/some.json", CLIENT)
    assert find(project.root, Path("x/some.json")) == path
    assert find(Path("/"), path) == path
    with pytest.raises(MissingFile, match=r"^x/none\.json: no such file$"):
        find(project.root, Path("x/none.json"))


def test_the_faults_of_the_manifest_come_first(project: Project) -> None:
    project.write("b.toml", "a = x")
    with pytest.raises(FaultyFile) as caught:
        project.load('include = ["b.toml"]\n[x]')
    assert [fault.file for fault in caught.value.faults] == ["mcp.toml", "b.toml"]


def test_a_chain_of_includes_has_an_end(tmp_path: Path) -> None:
    content = b'include = ["a/mcp.toml"]\n'
    with pytest.raises(FaultyFile, match="more than 20 levels deep"):
        load(tmp_path / "mcp.toml", read=lambda _: content)


def test_a_clients_file_that_lies_unread_is_told(project: Project) -> None:
    project.write(".mcp.json", CLIENT)
    told = [str(warning) for warning in project.load("# ours").warnings]
    assert told == [".mcp.json: is not read: mcp.toml is; `include` takes its servers too"]
    assert project.load('include = [".mcp.json"]').warnings == ()
    assert project.load(CLIENT, ".mcp.json").warnings == ()


@pytest.mark.parametrize("name", ["mcp.toml", "mcp.yaml"])
def test_a_second_manifest_of_ours_is_told(project: Project, name: str) -> None:
    table = "[tool.mcplock.servers.a]\ncommand = 'x'\n"
    project.write("pyproject.toml", f"[project]\nname = 'x'\n{table}")
    project.write("mcp.yml", "servers: {}\n")
    assert [str(warning) for warning in project.load("# ours\n", name).warnings] == [
        f"mcp.yml: is not read beside {name}",
        f"pyproject.toml: has `[tool.mcplock]`, which is not read beside {name}",
    ]
    project.write("pyproject.toml", "[project]\ndependencies = ['mcplock']\n[tool.mcplock-x]\n")
    assert len(project.load("# ours\n", name).warnings) == 1
    (project.root / "mcp.yaml").unlink(missing_ok=True)
    assert project.load('include = ["mcp.yml"]\n').warnings == ()


def test_a_path_in_include_is_told_so_that_it_is_seen(project: Project) -> None:
    assert project.faults('include = ["/etc/x.toml", "a\\nb.toml"]') == [
        "mcp.toml:1: include[0]: leads out of the project; write it relative to this file",
        "mcp.toml:1: include[1]: a⟨U+000A⟩b.toml: no such file",
    ]
