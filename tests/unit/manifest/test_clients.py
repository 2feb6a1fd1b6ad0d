"""Other programs' files: every spelling of a server gives the same source."""

import json

import pytest

from mcplock.manifest import Manifest
from mcplock.model import Source, Transport
from tests.unit.manifest.projects import Project

STDIO = Source(Transport.STDIO, command="npx", args=("-y", "x"), env={"A": "1"}, cwd="d")
HTTP = Source(Transport.HTTP, url="https://h/mcp", headers={"X-A": "1"})
SSE = Source(Transport.SSE, url="https://h/sse")
LOCAL = {"command": "npx", "args": ["-y", "x"], "env": {"A": "1"}, "cwd": "d"}
REMOTE = {"url": "https://h/mcp", "headers": {"X-A": "1"}}


def wrap(root: str, entry: object, name: str = "a") -> str:
    value: object = {name: entry}
    for key in reversed(root.split("/") if root else []):
        value = {key: value}
    return json.dumps(value)


def source(project: Project, entry: object, name: str = "f.json") -> Source:
    manifest: Manifest = project.load(wrap("mcpServers", entry), name)
    assert manifest.servers["a"].refused is None
    return manifest.servers["a"].source


@pytest.mark.parametrize(
    "root",
    [
        "mcpServers",
        "servers",
        "mcp/servers",
        "mcp.servers",
        "mcp",
        "context_servers",
        "mcp_servers",
        "",
    ],
)
@pytest.mark.parametrize("entry, expected", [(LOCAL, STDIO), (REMOTE, HTTP)])
def test_every_root_gives_the_same_source(
    project: Project, root: str, entry: object, expected: Source
) -> None:
    manifest = project.load(wrap(root, entry), "f.json")
    assert {name: server.source for name, server in manifest.servers.items()} == {"a": expected}


@pytest.mark.parametrize(
    "entry",
    [
        LOCAL,
        {**LOCAL, "type": "stdio"},
        {**LOCAL, "type": "local"},
        {**LOCAL, "type": "STDIO"},
        {**LOCAL, "transport": "stdio"},
        {**LOCAL, "transportType": "stdio"},
        {"transport": {"type": "stdio", **LOCAL}},
        {"command": ["npx", "-y", "x"], "environment": {"A": "1"}, "cwd": "d"},
        {"command": ["npx"], "args": ["-y", "x"], "envs": {"A": "1"}, "cwd": "d"},
        {"cmd": "npx", "args": ["-y", "x"], "env": {"A": "1"}, "working_directory": "d"},
        {**LOCAL, "command": "npx.cmd"},
        {**LOCAL, "command": "cmd", "args": ["/c", "npx", "-y", "x"]},
        {**LOCAL, "env": {"A": 1, "B": None}},
        {**LOCAL, "url": None, "headers": None, "type": None, "timeout": None},
        {**LOCAL, "tools": ["*"], "autoApprove": ["a"], "alwaysAllow": [], "disabledTools": ["b"]},
        {**LOCAL, "unknown": {"a": [1]}, "trust": True, "oauth": {"x": 1}, "requires": "=9"},
    ],
)
def test_every_spelling_of_a_local_server(project: Project, entry: object) -> None:
    assert source(project, entry) == STDIO


@pytest.mark.parametrize(
    "entry",
    [
        REMOTE,
        *({**REMOTE, "type": kind} for kind in ("http", "streamable-http", "streamableHttp")),
        *({**REMOTE, "transport": kind} for kind in ("streamable_http", "HTTP", "remote")),
        *(
            {key: "https://h/mcp", "headers": {"X-A": "1"}}
            for key in ("httpUrl", "serverUrl", "serverURL", "uri")
        ),
        {"url": "https://h/mcp", "http_headers": {"X-A": "1"}},
        {"url": "https://h/mcp", "requestOptions": {"headers": {"X-A": "1"}}},
        {"transport": {"type": "streamableHttp", **REMOTE}},
        {**REMOTE, "serverUrl": "https://h/mcp"},
    ],
)
def test_every_spelling_of_a_remote_server(project: Project, entry: object) -> None:
    assert source(project, entry) == HTTP


def test_sse_when_it_is_asked_for_or_the_client_means_it(project: Project) -> None:
    assert source(project, {"type": "sse", "url": "https://h/sse"}) == SSE
    assert source(project, {"url": "https://h/sse"}, "cline_mcp_settings.json") == SSE


def test_values_of_env_as_clients_write_them(project: Project) -> None:
    env = {"I": 1, "F": 1.5, "W": 2.0, "T": True, "N": False, "S": "", "GONE": None}
    read = source(project, {"command": "x", "env": env})
    assert read.env == {"I": "1", "F": "1.5", "W": "2", "T": "true", "N": "false", "S": ""}


def test_variables_of_opencode(project: Project) -> None:
    entry = {
        "type": "remote",
        "url": "https://{env:HOST}/",
        "headers": {"A": "Bearer {env:T}", "B": "${env:T}"},
    }
    manifest = project.load(wrap("mcp", entry), "opencode.jsonc")
    assert manifest.servers["a"].source == Source(
        Transport.HTTP, url="https://${HOST}/", headers={"A": "Bearer ${T}", "B": "${env:T}"}
    )


def test_variables_that_codex_names(project: Project) -> None:
    text = """
[mcp_servers.a]
url = "https://h/mcp"
bearer_token_env_var = "T"
http_headers = { A = "1" }
env_http_headers = { B = "TEAM" }
[mcp_servers.b]
command = "x"
env = { A = "1" }
env_vars = ["TOKEN", { name = "CI", source = "local" }]
startup_timeout_sec = 300.0
enabled = false
"""
    manifest = project.load(text, ".codex/config.toml")
    a, b = manifest.servers.values()
    assert a.source.headers == {"A": "1", "Authorization": "Bearer ${T}", "B": "${TEAM}"}
    assert b.source.env == {"A": "1", "TOKEN": "${TOKEN}", "CI": "${CI}"}
    assert (b.timeout, b.disabled) == (300.0, True)


@pytest.mark.parametrize(
    "name, written, seconds",
    [
        (".roo/mcp.json", 60, 120),
        (".roo/mcp.json", 600, 600),
        ("cline_mcp_settings.json", 600, 600),
        (".gemini/settings.json", 600, 120),
        (".gemini/settings.json", 600_000, 600),
        (".mcp.json", 240_000, 240),
        ("opencode.json", 5000, 120),
        ("unknown.json", 600_000, 120),
    ],
)
def test_a_client_s_time_limit_only_lengthens_ours(
    project: Project, name: str, written: int, seconds: float
) -> None:
    entry = {"command": "x", "timeout": written}
    manifest = project.load(wrap("mcpServers", entry), name)
    assert manifest.servers["a"].timeout == seconds


@pytest.mark.parametrize("off", [{"disabled": True}, {"enabled": False}])
def test_a_server_that_is_switched_off_is_kept(project: Project, off: dict[str, bool]) -> None:
    manifest = project.load(wrap("mcpServers", {**LOCAL, **off}), ".mcp.json")
    assert manifest.servers["a"].disabled
    assert manifest.servers["a"].source == STDIO


def test_gemini_switches_servers_off_by_lists(project: Project) -> None:
    servers = dict.fromkeys(("a", "b", "c"), LOCAL)
    text = json.dumps({"mcp": {"allowed": ["a", "b"], "excluded": ["b"]}, "mcpServers": servers})
    manifest = project.load(text, ".gemini/settings.json")
    assert [server.disabled for server in manifest.servers.values()] == [False, True, True]


def test_an_entry_that_only_switches_off_is_left_out_and_told(project: Project) -> None:
    text = '{"mcp": {"a": {"enabled": false}, "b": {"command": "x"}}}'
    manifest = project.load(text, "opencode.json")
    assert list(manifest.servers) == ["b"]
    assert [str(warning) for warning in manifest.warnings] == [
        "opencode.json:1: mcp.a: is switched off and names neither a command nor a URL; left out"
    ]


def test_two_roots_that_share_no_name(project: Project) -> None:
    text = '{"mcpServers": {"a": {"command": "x"}}, "servers": {"b": {"command": "y"}}}'
    assert list(project.load(text, "f.json").servers) == ["a", "b"]


def test_two_roots_with_the_same_name(project: Project) -> None:
    text = '{"mcpServers": {"a": {"command": "x"}},\n"servers": {"a": {"command": "x"}}}'
    assert project.faults(text, "f.json") == [
        "f.json:2: servers.a: is there under another root too: mcpServers.a (f.json:1)"
    ]


@pytest.mark.parametrize(
    "entry, message",
    [
        ({"type": "ws", "url": "ws://h"}, ".type: `ws` is not supported"),
        ({"url": "unix:///run/x.sock"}, ".url: begins with `unix`; it must be http or https"),
        ({"url": "pipe:///pipe/x"}, ".url: begins with `pipe`; it must be http or https"),
    ],
)
def test_what_cannot_be_done_refuses_that_server_alone(
    project: Project, entry: dict[str, str], message: str
) -> None:
    text = json.dumps({"mcpServers": {"a": entry, "b": LOCAL}})
    manifest = project.load(text, "f.json")
    refused = manifest.servers["a"].refused
    assert refused is not None
    assert refused.message.startswith(f"f.json:1: mcpServers.a{message}")
    assert manifest.servers["b"].refused is None


FILE_FAULTS = r"""
[] | f.json: must be an object, not a list
"x" | f.json: must be an object, not a string
null | f.json: must be an object, not null
{"mcpServers": null} | f.json:1: mcpServers: must be an object, not null
{"mcpServers": 1} | f.json:1: mcpServers: must be an object, not a number
{"servers": {"": {"command": "x"}}} | f.json:1: servers."": a server needs a name
{"a": {"command": "x"}, "b": {}} | f.json: names no servers: it has none of the keys
{"mcp": {"allowed": []}} | f.json: names no servers: it has none of the keys
{} | f.json: names no servers: it has none of the keys
"""
SERVER_FAULTS = r"""
null | must be an object, not null
"npx" | must be an object, not a string
{} | needs `command` or `url`
{"command": "x", "command": "y"} | command: is written twice
{"command": ["x", 1]} | command[1]: must be a string, not a number
{"command": [1]} | command[0]: must be a string, not a number
{"command": []} | command: must be a string, not a list
{"command": {}} | command: must be a string, not a table
{"command": NaN} | command: NaN is not a JSON number
{"command": "x", "args": "y"} | args: must be a list of strings, not a string
{"command": "x", "args": [null]} | args[0]: must be a string, not null
{"command": "x", "env": {"A": []}} | env.A: must be a string, not a list
{"command": "x", "env": {"A": "\ud800"}} | env.A: holds a lone surrogate
{"command": "x", "cwd": 1} | cwd: must be a string, not a number
{"command": "x", "disabled": "no"} | disabled: must be true or false, not a string
{"command": "x", "enabled": 0} | enabled: must be true or false, not a number
{"command": "x", "env_vars": [1]} | env_vars[0]: must be the name of a variable
{"command": "x", "env_vars": [{"name": "A B"}]} | env_vars[0]: must be the name of a variable
{"url": "http://h", "headers": {"A": 1}} | headers.A: must be a string, not a number
{"url": "http://h", "uri": "http://i"} | uri: says otherwise than servers.a.url
{"url": "http://h", "command": "x"} | url: stands beside `command`: a server has one of them
{"type": "http", "command": "x"} | is of type http and needs `url`
{"type": "stdio", "url": "http://h"} | is of type stdio and needs `command`
"""


def rows(table: str) -> list[list[str]]:
    return [line.split(" | ") for line in table.strip().splitlines()]


@pytest.mark.parametrize("text, fault", rows(FILE_FAULTS))
def test_a_fault_of_a_client_s_file(project: Project, text: str, fault: str) -> None:
    [only] = project.faults(text, "f.json")
    assert only.startswith(fault)


@pytest.mark.parametrize("entry, fault", rows(SERVER_FAULTS))
def test_a_fault_of_a_client_s_server(project: Project, entry: str, fault: str) -> None:
    first = project.faults(f'{{"servers": {{"a": {entry}}}}}', "f.json")[0]
    assert first in (f"f.json:1: servers.a.{fault}", f"f.json:1: servers.a: {fault}")


def test_a_name_that_no_encoding_can_carry_is_refused(project: Project) -> None:
    assert project.faults('{"servers": {"\\ud800": {"command": "x"}}}', "f.json") == [
        'f.json:1: servers."⟨U+D800⟩": the name holds a character that does not show, ⟨U+D800⟩'
    ]


def test_faults_of_one_file_are_told_at_once(project: Project) -> None:
    text = """{
  // a comment
  "mcpServers": {
    "a": {"command": 1,
          "args": {}},
    "b": {"url": "http://h", "headers": {"A": null}},
    "b": {},
    "c": {"disabled": 1, "command": "x"},
  },
}"""
    assert project.faults(text, ".mcp.json") == [
        ".mcp.json:4: mcpServers.a.command: must be a string, not a number",
        ".mcp.json:5: mcpServers.a.args: must be a list of strings, not a table",
        ".mcp.json:6: mcpServers.b: is written twice (again on line 7)",
        ".mcp.json:6: mcpServers.b.headers.A: must be a string, not null",
        ".mcp.json:8: mcpServers.c.disabled: must be true or false, not a number",
    ]


def test_what_another_program_takes_otherwise_is_told(project: Project) -> None:
    text = """{"mcpServers": {
"a": {"command": "npx -y x", "envFile": ".env", "env": {"K": "$KEY"}},
"b": {"url": "http://h", "headers": {"X": "$(id)"}, "headersHelper": "./h"}}}"""
    manifest = project.load(text, ".mcp.json")
    assert [str(warning) for warning in manifest.warnings] == [
        ".mcp.json:2: mcpServers.a.envFile: is not read; name variables in `env`",
        ".mcp.json:2: mcpServers.a.command: holds a space; arguments are written in `args`",
        ".mcp.json:2: mcpServers.a.env.K: `$KEY` is taken as it is written;"
        " `${KEY}` would be the variable",
        ".mcp.json:3: mcpServers.b.headersHelper: is not read; name variables in `env`",
        ".mcp.json:3: mcpServers.b.headers.X: `$(` is taken as it is written; nothing is run",
    ]


def test_goose(project: Project) -> None:
    manifest = project.load(
        """\
extensions:
  files:
    enabled: true
    type: stdio
    cmd: npx
    args: [-y, x]
    envs: { A: "1" }
    env_keys: [B_KEY]
    timeout: 300
    available_tools: [read_file]
  api: { type: streamable_http, uri: "https://h/mcp", headers: { X-A: "1" }, enabled: false }
  developer: { type: builtin, name: developer, enabled: true, timeout: 300 }
""",
        "goose/config.yaml",
    )
    files, api = manifest.servers.values()
    assert files.source == Source(
        Transport.STDIO, command="npx", args=("-y", "x"), env={"A": "1", "B_KEY": "${B_KEY}"}
    )
    assert (files.timeout, files.place.line) == (300, 2)
    assert api.source == HTTP
    assert api.disabled
    assert [str(warning) for warning in manifest.warnings] == [
        "goose/config.yaml:12: extensions.developer: is built into Goose and no server; left out"
    ]


def test_continue(project: Project) -> None:
    manifest = project.load(
        """\
name: Example
mcpServers:
  - name: db
    type: stdio
    command: npx
    args: [-y, x]
    connectionTimeout: 200000
  - { name: api, type: streamable-http, url: "https://h/mcp", apiKey: "${KEY}" }
""",
        ".continue/mcpServers/example.yaml",
    )
    db, api = manifest.servers.values()
    assert db.source == Source(Transport.STDIO, command="npx", args=("-y", "x"))
    assert (db.timeout, db.place.line) == (200, 3)
    assert api.source.headers == {"Authorization": "Bearer ${KEY}"}


@pytest.mark.parametrize(
    "text, told",
    [
        ("[{command: x}]", "f.yaml:1: mcpServers[0]: must be an object with a `name`"),
        (
            "[{name: a, command: x}, {name: a, command: y}]",
            "f.yaml:1: mcpServers[1]: has the same name as mcpServers[0] (f.yaml:1)",
        ),
    ],
)
def test_what_is_wrong_with_a_list_of_servers(project: Project, text: str, told: str) -> None:
    assert project.faults(f"mcpServers: {text}\n", "f.yaml") == [told]


def claude(project: Project, **projects: dict) -> dict[str, Source]:
    value = {"mcpServers": {"a": LOCAL}, "projects": {str(project.root): projects}}
    value["projects"]["/elsewhere"] = {"mcpServers": {"c": LOCAL}}
    manifest = project.load(json.dumps(value), ".claude.json")
    return {name: server.source for name, server in manifest.servers.items()}


def test_claude_codes_servers_of_this_project_replace_those_of_all(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert claude(project, mcpServers={"b": REMOTE}) == {"b": HTTP, "a": STDIO}
    assert claude(project, mcpServers={"a": REMOTE}) == {"a": HTTP}
    (project.root / "below").mkdir()
    monkeypatch.chdir(project.root / "below")
    assert claude(project, mcpServers={"b": REMOTE}) == {"b": HTTP, "a": STDIO}


def test_claude_code_may_have_none_for_this_project(project: Project) -> None:
    text = json.dumps({"projects": {"/elsewhere": {"mcpServers": {"c": LOCAL}}}})
    assert project.load(text, ".claude.json").servers == {}
