"""Literal secrets in a manifest: refused with what to write, or kept as a hash."""

import hashlib
import json
import traceback

import pytest

from mcplock.errors import McplockError
from mcplock.manifest import Unresolved, resolve
from tests.unit.manifest.projects import Project

SECRET = "hunter2hunter2"


def digest(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def refusal(project: Project, body: str) -> list[str]:
    server = project.load(f"[servers.docs]\n{body}").servers["docs"]
    assert server.refused is not None
    assert server.refused.hint == (
        "set the variable where mcplock runs, or `allow_literal_secrets = true` on the server"
    )
    assert server.literals == {}
    return server.refused.message.split("\n")


@pytest.mark.parametrize(
    "body, place, instead",
    [
        (
            'url = "https://h"\nheaders = { Authorization = "Bearer hunter2hunter2" }',
            "3: servers.docs.headers.Authorization",
            "Bearer ${DOCS_TOKEN}",
        ),
        (
            'url = "https://h"\nheaders.X-Api-Key = "hunter2hunter2"',
            "3: servers.docs.headers.X-Api-Key",
            "${DOCS_API_KEY}",
        ),
        (
            'url = "https://me:hunter2hunter2@h/mcp"',
            "2: servers.docs.url",
            "https://${DOCS_USER}:${DOCS_PASSWORD}@h/mcp",
        ),
        (
            'url = "https://${HOST}/mcp?a=1&api_key=hunter2hunter2"',
            "2: servers.docs.url",
            "https://${HOST}/mcp?a=1&api_key=${DOCS_API_KEY}",
        ),
        (
            'command = "x"\nenv = { API_KEY = "hunter2hunter2" }',
            "3: servers.docs.env.API_KEY",
            "${API_KEY}",
        ),
        (
            'command = "x"\nenv = { API_KEY = "${API_KEY:-hunter2hunter2}" }',
            "3: servers.docs.env.API_KEY",
            "${API_KEY}",
        ),
        (
            'command = "x"\nenv = { V = "${env:API_KEY:-hunter2hunter2}" }',
            "3: servers.docs.env.V",
            "${API_KEY}",
        ),
        (
            'command = "x"\nenv = { API_KEY = "${A:-${B:-hunter2hunter2}}" }',
            "3: servers.docs.env.API_KEY",
            "${A}",
        ),
        (
            'command = "x"\nenv = { API_KEY = "${API_KEY:=hunter2hunter2}" }',
            "3: servers.docs.env.API_KEY",
            "${API_KEY}",
        ),
        (
            'command = "x"\nenv = { DB = "pg://u:hunter2hunter2@h/${NAME}" }',
            "3: servers.docs.env.DB",
            "pg://u:${DOCS_PASSWORD}@h/${NAME}",
        ),
        (
            'command = "x"\nargs = [\n"--api-key",\n"hunter2hunter2"]',
            "5: servers.docs.args[1]",
            "${DOCS_API_KEY}",
        ),
        (
            'command = "x"\nargs = ["--header", "Authorization:Bearer hunter2hunter2"]',
            "3: servers.docs.args[1]",
            "Authorization:Bearer ${DOCS_TOKEN}",
        ),
        (
            'command = "x"\nargs = ["-e", "DOCS_TOKEN=hunter2hunter2"]',
            "3: servers.docs.args[1]",
            "DOCS_TOKEN=${DOCS_TOKEN}",
        ),
        (
            'command = "x"\ncwd = "/x?token=hunter2hunter2"',
            "3: servers.docs.cwd",
            "/x?token=${DOCS_TOKEN}",
        ),
        (
            'command = "x --token=hunter2hunter2"',
            "2: servers.docs.command",
            "x --token=${DOCS_TOKEN}",
        ),
    ],
)
def test_a_literal_secret_refuses_the_server_with_what_to_write(
    project: Project, body: str, place: str, instead: str
) -> None:
    assert refusal(project, body) == [f"mcp.toml:{place}: looks like a secret; write `{instead}`"]


def test_all_of_them_are_told_and_get_names_of_their_own(project: Project) -> None:
    body = 'command = "x"\nargs = ["--token=first1", "--token=second2", "--token=first1"]'
    assert refusal(project, body) == [
        "mcp.toml:3: servers.docs.args[0]: looks like a secret; write `--token=${DOCS_TOKEN}`",
        "mcp.toml:3: servers.docs.args[1]: looks like a secret; write `--token=${DOCS_TOKEN_2}`",
        "mcp.toml:3: servers.docs.args[2]: looks like a secret; write `--token=${DOCS_TOKEN}`",
    ]


def test_the_others_are_not_refused(project: Project) -> None:
    manifest = project.load(
        '[servers.a]\ncommand = "x"\nenv.TOKEN = "hunter2"\n[servers.b]\ncommand = "x"\n'
    )
    assert manifest.servers["b"].refused is None
    with pytest.raises(Unresolved) as caught:
        resolve(manifest.servers["a"], project.root, {})
    assert caught.value.issue is manifest.servers["a"].refused


def test_odd_server_names_give_names_of_variables(project: Project) -> None:
    for name, variable in [("7-zip", "MCP_7_ZIP"), ("名", "MCP"), ("@s/myDocs", "S_MY_DOCS")]:
        manifest = project.load(f"[servers.'{name}']\nurl = 'https://h?token=abcdef'")
        refused = manifest.servers[name].refused
        assert refused is not None
        assert refused.message.endswith(f"write `https://h?token=${{{variable}_TOKEN}}`")


def test_an_allowed_literal_is_a_hash_in_the_source_and_itself_at_start(project: Project) -> None:
    text = """
[servers.a]
command = "x"
args = ["--url", "pg://u:hunter2$${x@h", "--key", "${KEY:-${K:-sk_live_abcdefghij0123456789}}"]
env = { API_KEY = "hunter2hunter2", B = "plain" }
allow_literal_secrets = true
"""
    server = project.load(text).servers["a"]
    assert server.refused is None
    assert server.source.env == {"API_KEY": digest(SECRET), "B": "plain"}
    assert server.source.args == (
        "--url",
        f"pg://u:{digest('hunter2${x')}@h",
        "--key",
        "${KEY:-${K:-" + digest("sk_live_abcdefghij0123456789") + "}}",
    )
    launch = resolve(server, project.root, {})
    assert launch.env == {"API_KEY": SECRET, "B": "plain"}
    assert launch.args == (
        "--url",
        "pg://u:hunter2${x@h",
        "--key",
        "sk_live_abcdefghij0123456789",
    )
    assert launch.secrets[SECRET] == digest(SECRET)
    assert resolve(server, project.root, {"K": "k"}).args[3] == "k"


def test_a_client_s_file_may_allow_them_too(project: Project) -> None:
    entry = {"command": "x", "env": {"API_KEY": SECRET}, "allow_literal_secrets": True}
    server = project.load(json.dumps({"mcpServers": {"a": entry}}), ".mcp.json").servers["a"]
    assert server.refused is None
    assert server.literals == {digest(SECRET): SECRET}


def test_a_warning_shows_no_part_of_a_secret(project: Project) -> None:
    manifest = project.load(
        '[servers.a]\ncommand = "x"\nenv = { PASSWORD = "pa$sw0rdx", B = "$b" }'
    )
    [warning] = manifest.warnings
    assert warning.key == "servers.a.env.B"


PLACES = [
    ("mcp.toml", '[servers.a]\ncommand = "x"\nenv.API_KEY = "hunter2hunter2"\n'),
    ("mcp.toml", '[servers.a]\nurl = "https://u:hunter2hunter2@h"\n'),
    ("mcp.toml", '[servers.a]\ncommand = "x"\nenv.API_KEY = "hunter2hunter2\n'),
    ("mcp.toml", '[servers.a]\ncommand = "x"\nenv.API_KEY = hunter2hunter2\n'),
    ("mcp.toml", '[servers.a]\ncommand = "x"\nenv.API_KEY "hunter2hunter2"\n'),
    ("mcp.toml", '[servers.a]\ncommand = "x"\nenv = ["API_KEY", "hunter2hunter2"]\n'),
    ("mcp.toml", '[servers.a]\ncommand = "x"\nenv.API_KEY = ["hunter2hunter2"]\n'),
    ("mcp.toml", '[servers.a]\ncommand = "x"\nenv.API_KEY = "hunter2hunter2\\u0000"\n'),
    ("mcp.toml", '[servers.a]\ncommand = "x"\nenv.API_KEY = "${API_KEY hunter2hunter2"\n'),
    ("mcp.toml", '[servers.a]\nurl = "https://h"\nheaders.Cookie = "hunter2hunter2é"\n'),
    (
        "mcp.toml",
        '[servers.a]\nurl = "hunter2hunter2://x"\nheaders.A = "1"\nurl = "hunter2hunter2"',
    ),
    ("mcp.toml", '[servers.a]\ntype = "stdio"\nurl = "https://u:hunter2hunter2@h"\n'),
    (".mcp.json", '{"mcpServers": {"a": {"command": "x", "env": {"T": "x" "hunter2hunter2"}}}}'),
    (".mcp.json", '{"mcpServers": {"a": {"command": "x", "env": {"TOKEN" "hunter2hunter2"}}}}'),
    (".mcp.json", '{"mcpServers": {"a": {"command": "x", "env": {"TOKEN": "hunter2hunter2}}}}'),
    (".mcp.json", '{"mcpServers": {"a": {"command": "x", "env": {"TOKEN": hunter2hunter2}}}}'),
    (".mcp.json", '{"mcpServers": {"a": {"command": "x", "env": {"TOKEN": "hunter2hunter2"}}}}'),
    (".mcp.json", '{"mcpServers": {"a": {"type": "ws", "url": "ws://u:hunter2hunter2@h"}}}'),
    (".mcp.json", '{"mcpServers": {"a": {"url": "u:hunter2hunter2@h"}}}'),
]


@pytest.mark.parametrize("name, text", PLACES)
def test_no_message_no_trace_and_no_repr_holds_a_secret(
    project: Project, name: str, text: str
) -> None:
    try:
        manifest = project.load(text, name)
    except McplockError as error:
        told = repr(error) + str(error) + repr(vars(error)) + traceback.format_exc()
        assert SECRET not in told.replace(text, "")
        return
    assert SECRET not in repr(manifest)
    server = manifest.servers["a"]
    with pytest.raises(Unresolved) as caught:
        resolve(server, project.root, {})
    assert SECRET not in repr(caught.value) + repr(caught.value.issue)


def test_the_refusal_of_a_client_file_is_told_as_that_file_is_written(project: Project) -> None:
    hub = {"url": "https://h/mcp", "headers": {"Authorization": f"Bearer {SECRET}"}}
    text = json.dumps({"mcpServers": {"hub": hub}})

    refused = project.load(text, ".mcp.json").servers["hub"].refused

    assert refused is not None
    assert "mcpServers.hub.headers.Authorization: looks like a secret" in refused.message
    assert 'write `"Bearer ${HUB_TOKEN}"`' in refused.message
    assert "`${VAR}` into that file, then set VAR" in refused.hint
    assert '`"allow_literal_secrets": true`' in refused.hint
