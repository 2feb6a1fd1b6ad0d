"""`mcp.yaml`: the keys of `mcp.toml`, and none of YAML's surprises."""

from pathlib import Path

import pytest

from mcplock.manifest import find
from mcplock.manifest.encoding import MAX_CHARACTERS
from mcplock.manifest.yaml import read
from tests.unit.manifest.projects import Project

TOML = """\
requires = ">=0.1"
client_name = "c"
[policy]
confirm = "writes"
[servers.a]
command = "npx"
args = ["-y", "x"]
env = { A = "1" }
timeout = 9.5
lock = ["resources"]
[servers.b]
url = "https://h/mcp"
disabled = true
"""
YAML = """\
# ours
requires: ">=0.1"
client_name: c
policy: { confirm: writes }
SERVERS:
  a:
    command: npx
    args: [-y, x]
    env:
      A: "1"
    timeout: 9.5
    lock: [resources]
  b: {url: https://h/mcp, disabled: true}
"""


def warnings(text: str) -> list[str]:
    return [str(warning) for warning in read(text, "f").warnings]


@pytest.mark.parametrize("key", ["servers", "mcp_servers"])
@pytest.mark.parametrize("name", ["mcp.yaml", "mcp.yml", "other.yaml"])
def test_the_same_keys_give_the_same_manifest(project: Project, name: str, key: str) -> None:
    ours, theirs = project.load(YAML.replace("SERVERS", key), name), project.load(TOML)

    def told(manifest):
        return [
            (s.name, s.source, s.timeout, s.disabled, s.resources)
            for s in manifest.servers.values()
        ]

    assert told(ours) == told(theirs)
    assert (ours.confirm, ours.client_name) == ("writes", "c")
    assert [s.place.line for s in ours.servers.values()] == [6, 13]


def test_every_fault_is_told_at_once_with_its_line(project: Project) -> None:
    text = """\
servers:
  a:
    comand: x
    args: [1.10, true, ~]
  b:
    command: x
    disabled: yes
    command: y
  3: {url: 7}
polcy: 1
"""
    assert project.faults(text, "mcp.yaml") == [
        "mcp.yaml:3: servers.a.comand: unknown key; did you mean `command`?",
        "mcp.yaml:4: servers.a.args[0]: must be a string, not a number; write it in quotes",
        "mcp.yaml:4: servers.a.args[1]: must be a string, not a boolean; write it in quotes",
        "mcp.yaml:4: servers.a.args[2]: must be a string, not null",
        "mcp.yaml:6: servers.b.command: is written twice (again on line 8)",
        "mcp.yaml:7: servers.b.disabled: must be true or false, not a string",
        "mcp.yaml:9: servers.3.url: must be a string, not a number; write it in quotes",
        "mcp.yaml:10: polcy: unknown key; did you mean `policy`?",
    ]


@pytest.mark.parametrize(
    "text, kind",
    [
        ("on", "true or false"),
        ("No", "true or false"),
        ("2026-01-31", "a date"),
        ("010", "a number"),
        ("0o17", "a number"),
        ("0x1F", "a number"),
        ("1_000", "a number"),
        ("12:30:45", "a number"),
    ],
)
def test_what_an_older_yaml_reads_otherwise_is_text_and_said(text: str, kind: str) -> None:
    document = read(f"args:\n- {text}\n", "f")

    assert document.value == {"args": [text]}
    assert warnings(f"args:\n- {text}\n") == [
        f"f:2: args[0]: is read as text; YAML 1.1 takes it for {kind}: write it in quotes"
    ]


@pytest.mark.parametrize(
    "text", ["1.2.3", '"on"', "'010'", "v1", "npx", "x@1.10", "!!str on", "|\n  on"]
)
def test_what_is_text_everywhere_is_not_remarked_on(text: str) -> None:
    assert warnings(f"a: {text}\n") == []
    assert isinstance(read(f"a: {text}\n", "f").value["a"], str)


def test_a_key_is_the_text_that_is_written() -> None:
    assert read("on: 1\n1.10: 2\n~: 3\n", "f").value == {"on": 1, "1.10": 2, "~": 3}


def test_merge_keys_and_aliases() -> None:
    text = """\
base: &base {command: npx, env: &env {A: x}}
servers:
  a: {<<: *base, args: [y]}
  b:
    command: uvx
    <<: [{cwd: d, env: {}}, *base]
  c: *base
  d: {"<<": 1}
"""
    document = read(text, "f")
    assert document.faults == []
    assert document.value["servers"] == {
        "a": {"command": "npx", "env": {"A": "x"}, "args": ["y"]},
        "b": {"command": "uvx", "cwd": "d", "env": {}},
        "c": {"command": "npx", "env": {"A": "x"}},
        "d": {"<<": 1},
    }
    assert document.place(("servers", "a", "command")).line == 3
    assert document.place(("servers", "b", "cwd")).line == 6


LAUGHS = "a0: &a0 [x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)


@pytest.mark.parametrize(
    "text, told",
    [
        ("a: [", "f:1:"),
        ("a:\n\tb: 1\n", "f:2:1: a tab; YAML is indented by spaces"),
        ("a: b: c\n", "f:1:5: a second `: ` on the line; quotes make it text"),
        ("a: 1\n---\nb: 2\n", "f:2:1: a second document; a manifest is one"),
        ("a: *b\n", "f:1:4: an alias whose anchor is not above"),
        ("a: &b [*b]\n", "f:1:8: holds itself"),
        (LAUGHS, "f:6:"),
        ("[" * 60, "f:1:51: nests more than 50 levels deep"),
        ("- a\n", "f:1: must be a mapping of keys to values"),
        ("a\n", "f:1: must be a mapping of keys to values"),
        ("? [a]\n: b\n", "f:1:3: a key must be a text"),
        ("a: !!python/object:os.system x\n", "f:1: the tag `tag:yaml.org,2002:python/object:os"),
        ("a: \x01\n", "f:1:4: a character that no YAML may hold"),
        ("a: '" + "x" * MAX_CHARACTERS + "'", "f:1:1: has 262,149 characters; 262,144 are"),
    ],
)  # fmt: skip
def test_what_is_refused(text: str, told: str) -> None:
    faults = [str(fault) for fault in read(text, "f").faults]
    assert faults and faults[0].startswith(told), faults


def test_a_fault_of_the_syntax_shows_no_value() -> None:
    text = "servers:\n  a:\n    env: {TOKEN: hunter2, 'B\n"
    (fault,) = read(text, "f").faults
    assert "hunter2" not in str(fault)


@pytest.mark.parametrize("text", ["# nothing\n", "---\n", "servers:\npolicy:\n"])
def test_a_file_without_servers_has_none(project: Project, text: str) -> None:
    assert project.load(text, "mcp.yaml").servers == {}


def test_a_secret_is_refused(project: Project) -> None:
    text = "servers:\n  a:\n    url: https://h\n    headers: {Authorization: Bearer s3cr3t-1}\n"
    refused = project.load(text, "mcp.yaml").servers["a"].refused
    assert refused is not None
    assert refused.message == (
        "mcp.yaml:4: servers.a.headers.Authorization: looks like a secret; "
        "write `Bearer ${A_TOKEN}`"
    )


@pytest.mark.parametrize("name", ["mcp.toml", "mcp.yaml", "pyproject.toml"])
def test_a_version_that_is_too_old_is_told_to_upgrade(project: Project, name: str) -> None:
    from mcplock.errors import McplockError

    text = {
        "mcp.toml": 'requires = ">=99"',
        "mcp.yaml": 'requires: ">=99"\nwhat: {is: [this]}',
        "pyproject.toml": '[project]\nname = "x"\n[tool.mcplock]\nrequires = ">=99"',
    }[name]
    with pytest.raises(McplockError, match="requires mcplock >=99") as caught:
        project.load(text, name)
    assert "upgrade" in caught.value.hint
    line = 4 if name == "pyproject.toml" else 1
    assert caught.value.message.startswith(f"{name}:{line}:")


def test_pyproject_has_the_same_keys_in_its_table(project: Project) -> None:
    table = TOML.replace("[servers", "[tool.mcplock.servers").replace(
        "[policy", "[tool.mcplock.policy"
    )
    head = '[project]\nname = "x"\n\n[tool.other]\nservers = 1\n\n[tool.mcplock]\n'
    ours, theirs = project.load(head + table, "pyproject.toml"), project.load(TOML)

    assert [s.source for s in ours.servers.values()] == [s.source for s in theirs.servers.values()]
    assert ours.servers["a"].place.line == 12
    assert ours.confirm == "writes"


def test_faults_of_pyproject_are_told_from_its_root(project: Project) -> None:
    text = "[tool.mcplock]\nx = 1\n[tool.mcplock.servers.a]\ncommand = 1\n"
    assert project.faults(text, "pyproject.toml") == [
        "pyproject.toml:2: tool.mcplock.x: unknown key",
        "pyproject.toml:4: tool.mcplock.servers.a.command: must be a string, not a number",
    ]
    assert project.faults("[project]\n", "pyproject.toml") == [
        "pyproject.toml: has no table `[tool.mcplock]`"
    ]


@pytest.mark.parametrize(
    "text, taken",
    [
        ("[tool.mcplock]\n", True),
        ("[tool.mcplock.servers.a]\n", True),
        ("tool.mcplock = {}\n", True),
        ("[tool]\nmcplock = {}\n", True),
        ("[tool.mcplock]\nbroken", True),
        ("[project]\ndependencies = ['mcplock-cli']\n", False),
        ("[project]\ndependencies = ['mcplock-cli'\n", False),
        ("[tool.ruff]\n", False),
    ],
)
def test_a_pyproject_counts_with_the_table_alone(project: Project, text: str, taken: bool) -> None:
    project.write("pyproject.toml", text)
    project.write(".mcp.json", "{}")
    assert find(Path()).name == ("pyproject.toml" if taken else ".mcp.json")


def test_the_order_in_one_directory(project: Project) -> None:
    for name in (".mcp.json", "pyproject.toml", "mcp.yml", "mcp.yaml", "mcp.toml"):
        project.write(name, "[tool.mcplock]")
        assert find(Path()).name == name
