"""Secrets where a name, a type or a file's name belongs: refused, and nowhere repeated."""

import json

import pytest

from mcplock.errors import FaultyFile
from mcplock.manifest.load import load
from tests.unit.manifest.projects import Project

TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
RANDOM = "aB3xK9mQ2pL7vR5tY1wZ8nC4"
MASK = "⟨a secret⟩"


def told(project: Project, body: str, name: str = "mcp.toml") -> str:
    """All that is said of a manifest, by faults or of its servers; without the secrets."""
    try:
        manifest = load(project.write(name, body))
    except FaultyFile as error:
        said = f"{error}\n{error.hint}"
    else:
        refused = [server.refused for server in manifest.servers.values()]
        said = "\n".join(issue.message for issue in refused if issue)
        assert said, "it is refused"
        sources = [server.source.content() for server in manifest.servers.values()]
        assert TOKEN not in repr(sources) and RANDOM not in repr(sources)
        assert not [fault for fault in manifest.warnings if TOKEN in str(fault)]
    assert TOKEN not in said and RANDOM not in said
    return said


@pytest.mark.parametrize("secret", [TOKEN, RANDOM])
@pytest.mark.parametrize(
    "body",
    [
        'command = "x"\nenv = { SECRET = "1" }',
        'command = "x"\nenv = { "SECRET=1" = "1" }',
        'command = "x"\nallow_literal_secrets = true\nenv.SECRET = "1"',
        'url = "https://h/"\nheaders = { SECRET = "1" }',
        'url = "https://h/"\nheaders = { SECRET = 1 }',
        'command = "x"\nSECRET = 1',
        'url = "https://h/"\noauth = { SECRET = "1" }',
    ],
)
def test_a_key_that_looks_like_a_secret_is_refused_and_masked(
    project: Project, body: str, secret: str
) -> None:
    said = told(project, f"[servers.docs]\n{body}\n".replace("SECRET", secret))
    assert "servers.docs." in said and MASK in said


@pytest.mark.parametrize("kind", ["env", "headers"])
def test_in_a_clients_file_the_server_alone_is_refused(project: Project, kind: str) -> None:
    reached = {"command": "x"} if kind == "env" else {"url": "https://h/"}
    servers = {"docs": {**reached, kind: {TOKEN: "1", "A": "b"}}, "other": {"command": "y"}}
    body = json.dumps({"mcpServers": servers})
    assert f"docs.{kind}.{MASK}: a name that looks like a secret" in told(
        project, body, ".mcp.json"
    )
    assert project.load(body, ".mcp.json").servers["other"].refused is None


def test_the_type_is_not_repeated_where_it_looks_like_a_secret(project: Project) -> None:
    said = told(project, f'[servers.docs]\ntype = "{TOKEN}"\ncommand = "x"\n')
    assert f"`{MASK}` is not supported" in said
    entry = {"mcpServers": {"docs": {"type": TOKEN, "command": "x"}}}
    assert f"`{MASK}` is not supported" in told(project, json.dumps(entry), ".mcp.json")


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("mcp.toml", f'[servers.docs]\ncommand="x"\n[servers.docs.env]\n{TOKEN}="1"\n{TOKEN}="2"'),
        (".mcp.json", f'{{"mcpServers": {{"docs": {{"{TOKEN}": 1, "{TOKEN}": 2}}}}}}'),
        ("mcp.yaml", f"servers:\n  docs:\n    command: x\n    {TOKEN}: 1\n    {TOKEN}: 2\n"),
    ],
)
def test_keys_written_twice_are_masked(project: Project, name: str, body: str) -> None:
    assert f"{MASK}: is written twice" in told(project, body, name)


def test_the_line_of_a_syntax_fault_does_not_show_a_secret_key(project: Project) -> None:
    said = told(project, f'[servers.docs]\n{TOKEN} = "1" "2"\n')
    assert "mcp.toml:2" in said and "^" in said
    assert "not YAML" not in told(project, f"servers: *{TOKEN}\n", "mcp.yaml")


def test_an_include_that_looks_like_a_secret_is_masked(project: Project) -> None:
    assert f"include[0]: {MASK}.json: no such file" in told(project, f'include = ["{TOKEN}.json"]')


def test_a_server_is_not_named_by_a_secret(project: Project) -> None:
    said = told(project, f'[servers.{TOKEN}]\ncommand = "x"\n')
    assert f"servers.{MASK}: the name looks like a secret" in said
    entry = {"mcpServers": {TOKEN: {"command": "x"}}}
    assert "the name looks like a secret" in told(project, json.dumps(entry), ".mcp.json")


def test_a_secret_in_the_place_of_a_variables_name_is_one(project: Project) -> None:
    body = f'[servers.docs]\nurl = "https://h/"\nheaders.Authorization = "Bearer ${{{TOKEN}}}"\n'
    assert "looks like a secret; write `Bearer ${DOCS_TOKEN}`" in told(project, body)
    codex = f'[mcp_servers.docs]\nurl = "https://h/"\nbearer_token_env_var = "{TOKEN}"\n'
    assert "looks like a secret" in told(project, codex, "config.toml")
    passed = json.dumps({"mcpServers": {"docs": {"command": "x", "env_vars": [TOKEN]}}})
    assert "a name that looks like a secret" in told(project, passed, ".mcp.json")


@pytest.mark.parametrize(
    "name",
    [
        "AWS_SECRET_ACCESS_KEY_FOR_PRODUCTION_2",
        "NPM_CONFIG_//REGISTRY.NPMJS.ORG/:_AUTHTOKEN",
        "npm_config_registry_of_the_company_1",
        "GITHUB_PERSONAL_ACCESS_TOKEN",
        "OPENAPI_MCP_HEADERS",
    ],
)
def test_names_that_people_write_are_none(project: Project, name: str) -> None:
    server = project.load(f"[servers.docs]\ncommand='x'\n[servers.docs.env]\n'{name}'='1'")
    assert list(server.servers["docs"].source.env) == [name]
