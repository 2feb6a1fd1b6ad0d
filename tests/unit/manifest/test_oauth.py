"""The table `oauth` of a server."""

from pathlib import Path

import pytest

from mcplock.manifest import Unresolved, resolve
from mcplock.manifest.oauth import KEYS
from tests.unit.manifest.projects import Project

SERVER = '[servers.docs]\nurl = "https://h/mcp"\n[servers.docs.oauth]\n'
FULL = f"""{SERVER}
grant = "client_credentials"
client_id = "ci"
client_secret = "${{DOCS_SECRET}}"
issuer = "https://login"
scopes = ["read", "write"]
auth_method = "client_secret_post"
redirect_port = 8914
"""


def test_it_is_part_of_the_source(project: Project) -> None:
    server = project.load(FULL).servers["docs"]
    assert server.redirect_port == 8914
    assert server.source.content() == {
        "type": "http",
        "url": "https://h/mcp",
        "oauth": {
            "grant": "client_credentials",
            "client_id": "ci",
            "client_secret": "${DOCS_SECRET}",
            "auth_method": "client_secret_post",
            "issuer": "https://login",
            "scope": "read write",
        },
    }
    launch = resolve(server, Path(), {"DOCS_SECRET": "open sesame"})
    assert launch.oauth["client_secret"] == "open sesame"
    assert launch.secrets == {"open sesame": "${DOCS_SECRET}", "open%20sesame": "${DOCS_SECRET}"}
    assert "sesame" not in repr(launch)


def test_what_is_as_by_default_moves_no_lock(project: Project) -> None:
    plain = project.load('[servers.docs]\nurl = "https://h/mcp"\n').servers["docs"]
    usual = 'grant = "authorization_code"\nredirect_port = 1\nauth_method = "client_secret_basic"\n'
    assert project.load(SERVER).servers["docs"].source == plain.source
    assert project.load(SERVER + usual).servers["docs"].source == plain.source
    assert "oauth" not in plain.source.content()


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ('client = "x"', "mcp.toml:4: servers.docs.oauth.client: unknown key; did you mean"),
        ('grant = "password"', 'oauth.grant: must be "authorization_code" or "client_credentials"'),
        ('grant = "client_credentials"', "needs `client_id` and `client_secret`"),
        ('client_secret = "${X}"\nissuer = "https://i"', "needs its `client_id`"),
        ('client_id = "x"\nclient_secret = "${X}"', "needs the `issuer`"),
        ('issuer = "ftp://x"', "oauth.issuer: begins with `ftp`"),
        ('scopes = "read"', "oauth.scopes: must be a list of strings"),
        ('scopes = ["read write"]', "oauth.scopes[0]: must be one scope"),
        ("redirect_port = 70000", "oauth.redirect_port: must be a port"),
        ("redirect_port = true", "oauth.redirect_port: must be a port"),
    ],
)
def test_faults_are_told_with_their_place(project: Project, written: str, fault: str) -> None:
    (told,) = project.faults(SERVER + written)
    assert fault in told


def test_it_is_a_table_and_goes_with_a_url(project: Project) -> None:
    (told,) = project.faults('[servers.docs]\nurl = "https://h"\noauth = true\n')
    assert told == "mcp.toml:3: servers.docs.oauth: must be a table, not a boolean"
    told, *_ = project.faults('[servers.docs]\ncommand = "x"\noauth = {}\n')
    assert told == "mcp.toml:3: servers.docs.oauth: does not go with a server of type stdio"


def test_a_written_secret_is_refused(project: Project) -> None:
    text = f'{SERVER}client_id = "ci"\nclient_secret = "open-sesame-1"\nissuer = "https://i"\n'
    refused = project.load(text).servers["docs"].refused
    assert refused
    assert "servers.docs.oauth.client_secret" in refused.message
    assert "write `${DOCS_CLIENT_SECRET}`" in refused.message
    assert "sesame" not in refused.message


def test_a_header_that_wins_is_told(project: Project) -> None:
    headers = 'headers = { Authorization = "Bearer ${T}" }\n[servers.docs.oauth]'
    manifest = project.load(SERVER.replace("[servers.docs.oauth]", headers))
    assert [str(warning) for warning in manifest.warnings] == [
        "mcp.toml:4: servers.docs.oauth: does not count: the header `Authorization` is sent as it "
        "is written"
    ]


def test_an_empty_variable_makes_the_server_unresolved(project: Project) -> None:
    server = project.load(f'{SERVER}client_id = "${{ID}}"\nissuer = "${{ISSUER}}"\n').servers[
        "docs"
    ]
    with pytest.raises(Unresolved) as caught:
        resolve(server, Path(), {"ID": "", "ISSUER": "ftp://x"})
    assert "servers.docs.oauth.client_id: is empty" in caught.value.issue.message
    assert "servers.docs.oauth.issuer: begins with `ftp`" in caught.value.issue.message


def test_every_key_is_documented() -> None:
    text = (Path(__file__).parents[3] / "docs" / "hosted.md").read_text(encoding="utf-8")
    assert [key for key in KEYS if f"| `{key}` |" not in text] == []
