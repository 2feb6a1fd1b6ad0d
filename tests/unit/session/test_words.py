"""What messages never show: values of variables, and whatever looks like a secret."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcplock.manifest import Server
from mcplock.model import Kind, Snapshot
from mcplock.session.words import learn, shown, told

Serve = Callable[..., Any]
Asking = Callable[..., Snapshot]

VALUE = "NmQzTWU"
TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


def said(found: Snapshot) -> str:
    assert found.failure
    issues = [found.failure, *found.issues]
    return "\n".join(issue.message + "\n" + issue.hint for issue in issues)


@pytest.mark.parametrize(
    ("value", "shows"),
    [
        (VALUE, "/s/${ZAPIER_PATH}/mcp"),
        ("a/NmQz$e/b", "/s/${ZAPIER_PATH}/mcp"),
        ("Schlüssel", "/s/${ZAPIER_PATH}/mcp"),
        ("abc", "/s/abc/mcp"),
    ],
)
def test_a_value_in_the_path_of_a_url_is_told_by_its_name(
    serve: Serve, visit: Asking, value: str, shows: str
) -> None:
    url = serve("status", status=404, body="no /s/NmQzTWU/mcp").url
    url = url.replace("/mcp", "/s/${ZAPIER_PATH}/mcp")
    text = said(visit(url, environ={"ZAPIER_PATH": value}))
    assert shows in text
    if len(value) > 3:
        assert value not in text and "NmQz" not in text.replace("no /s/NmQzTWU/mcp", "")
        assert "%C3" not in text and "%24" not in text


def test_a_value_in_the_host_of_a_url_is_told_by_its_name(visit: Asking) -> None:
    text = said(visit("http://${TENANT}.invalid/mcp", environ={"TENANT": "MyTenant7"}))
    assert "http://${TENANT}.invalid/mcp" in text
    assert "mytenant7" not in text.lower()


def test_every_value_of_a_variable_is_scrubbed_from_what_is_printed(
    misbehave: Asking, servers: Callable[..., Server]
) -> None:
    source = servers("misbehaving", "exits", "SETTING").source
    source = source._replace(
        args=(*source.args[:-1], "${GREETING} and ${LETTERS}"), env={"OTHER": "${GREETING}"}
    )
    environ = {"GREETING": "plain words", "LETTERS": "-----\nabcdefghij\nklmnopqrst"}
    text = said(misbehave("exits", source=source, environ=environ))
    assert "no ${GREETING} and " in text
    assert not [part for part in ("plain words", "abcdefghij", "klmnopqrst") if part in text]


def test_only_secrets_are_looked_for_in_definitions(
    raw: Asking, servers: Callable[..., Server], tmp_path: Path
) -> None:
    """What makes a definition invalid is as it was: ordinary values stand in many texts."""
    tools = {"tools": [{"name": "say", "description": f"Says {VALUE}", "inputSchema": {}}]}
    answer = json.dumps({"jsonrpc": "2.0", "id": 0, "result": tools}).replace("0,", "ID,", 1)
    hello = (
        '{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"2025-11-25",'
        '"capabilities":{"tools":{}},"serverInfo":{"name":"NmQzTWU","version":"1"}}}'
    )
    source = servers("misbehaving", "raw", str(tmp_path / "answers.json")).source
    for env in ({}, {"WORD": "${WORD}"}):
        answers = {"initialize": hello, "tools/list": answer}
        source = source._replace(env=env)
        found = raw(answers, source=source, environ={"WORD": VALUE}, protocol="2025-11-25")
        assert found.failure is None and found.info and found.info.name == VALUE
        assert found.of(Kind.TOOL)["say"].invalid is None


def test_what_looks_like_a_secret_is_masked_wherever_a_server_speaks(
    misbehave: Asking, raw: Asking, serve: Serve, visit: Asking
) -> None:
    error = {"jsonrpc": "2.0", "id": 0, "error": {"code": -32000, "message": f"bad {TOKEN}"}}
    refusal = json.dumps(error).replace('"id": 0', '"id": ID')
    spoken = [
        misbehave("exits", f"token={TOKEN}"),
        raw({"server/discover": refusal, "initialize": refusal}),
        visit(serve("status", status=500, body=f"your key is {TOKEN}").url),
    ]
    for found in spoken:
        assert TOKEN not in said(found)
        assert "⟨a secret⟩" in said(found)


def test_a_line_is_masked_before_it_is_cut() -> None:
    text = shown("x" * 198 + f" {TOKEN} {TOKEN}", {})
    assert TOKEN[:12] not in text and text.endswith("⟨a secret⟩…")


def test_a_mask_that_a_server_writes_is_told_from_ours() -> None:
    assert shown(f"⟨a secret⟩ \ufdd0 {TOKEN}", {}) == "⟨U+27E8⟩a secret⟩ \ufffd ⟨a secret⟩".replace(
        "\ufffd", "⟨U+FFFD⟩"
    )


def test_short_values_count_where_they_stand_alone() -> None:
    values = {"production": "${STAGE}", "info": "${LEVEL}"}
    text = "info: information of production1, INFO, [info]"
    assert told(text, values) == "${LEVEL}: information of ${STAGE}1, INFO, [${LEVEL}]"


def test_the_name_that_stands_for_a_value_is_not_looked_into() -> None:
    values = {"TOKEN": "${WORD}", "hunter2hunter2": "${API_TOKEN}"}
    assert told("hunter2hunter2 of ${API_TOKEN}", values) == "${API_TOKEN} of ${API_TOKEN}"
    assert told("hunter2hunter2", {**values, "API_TOKEN": "${OTHER}"}) == "${API_TOKEN}"


def test_what_a_hint_says_to_write_is_no_secret() -> None:
    hint = 'put `headers = { Authorization = "Bearer ${TOKEN}" }` under [servers.a]; timeout = 300'
    assert told(hint, {}) == hint
    digest = "`Authorization` was sent as the manifest has it, `Bearer sha256:" + "ab12" * 16 + "`"
    assert told(digest, {}) == digest
    for address in ("http://127.0.0.1:1/token: invalid_client", "https://h/api-key: connection"):
        assert told(address, {}) == address


@pytest.mark.parametrize("secret", ["a-12-bcd\n", "a-12-é-b", 'ab-12"cd', "ab-12\\cd", " a-12-bcd"])
@pytest.mark.parametrize("quote", [repr, ascii, json.dumps, lambda text: repr(text.encode())])
def test_a_secret_is_known_however_it_is_quoted(secret: str, quote: Callable[[str], str]) -> None:
    secrets: dict[str, str] = {}
    learn(secrets, {secret: "${token}"})
    assert "12" not in told(f"Illegal value {quote(secret)}", secrets)
    assert "12" not in told(f"Illegal value {secret.strip()}", secrets)
