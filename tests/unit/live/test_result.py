"""Results as servers may send them, and what becomes of what no reader could take."""

import json
from typing import Any

import pytest

import mcplock
from mcplock.live.result import read_result
from mcplock.render.call import call_document, result_texts
from tests.unit.live.conftest import definition

TOOL = mcplock.Tool("demo", "echo", "sha256:0", True, definition("echo"))


def answer(result: str) -> str:
    return '{"jsonrpc": "2.0", "id": 1, "result": ' + result + "}"


def read(result: str, **secrets: str) -> mcplock.Result:
    return mcplock.Result("demo", "echo", read_result(TOOL, answer(result), secrets))


@pytest.mark.parametrize("depth", [190, 198])
def test_what_nests_is_told_whole(depth: int) -> None:
    deep = "[" * depth + "]" * depth
    result = read('{"structuredContent": ' + deep + "}")
    assert json.loads("".join(result_texts(result))) == json.loads(deep)
    assert json.loads(call_document(result, []))["result"]["structuredContent"] == json.loads(deep)


@pytest.mark.parametrize("depth", [199, 900, 100_000])
def test_what_nests_too_deep_is_the_server_s_trouble(depth: int) -> None:
    with pytest.raises(mcplock.ServerTrouble, match="demo/echo: the answer nests too deep"):
        read('{"structuredContent": ' + "[" * depth + "]" * depth + "}")


@pytest.mark.parametrize("value", ["{}", "0"])
def test_what_holds_too_many_values_is_the_server_s_trouble(value: str) -> None:
    with pytest.raises(mcplock.ServerTrouble, match="holds more than 2,000,000 values"):
        read('{"structuredContent": [' + f"{value}," * 2_000_001 + "0]}")


def test_a_number_of_too_many_digits_is_the_server_s_trouble() -> None:
    with pytest.raises(mcplock.ServerTrouble, match="cannot be read"):
        read('{"structuredContent": ' + "9" * 5000 + "}")


def test_a_number_that_is_none_is_null_in_the_document() -> None:
    result = read('{"structuredContent": {"n": [NaN, -Infinity, 1.5]}}')
    assert result.structured["n"][2] == 1.5
    document = json.loads(call_document(result, []))
    assert document["result"] == {"structuredContent": {"n": [None, None, 1.5]}}


def test_a_lone_surrogate_is_kept() -> None:
    result = read('{"content": [{"type": "text", "text": "a\\ud800"}]}')
    assert result.text == "a\ud800"
    assert json.loads(call_document(result, []))["result"] == result.wire


def test_secrets_go_from_keys_and_values() -> None:
    sent = {"s3cret-value": "is s3cret-value", "n": 12345678}
    secrets = {"s3cret-value": "${KEY}", "12345678": "${PIN}"}
    wire = read_result(TOOL, answer(json.dumps({"structuredContent": sent})), secrets)
    assert wire["structuredContent"] == {"${KEY}": "is ${KEY}", "n": "${PIN}"}
    twice = json.dumps({"structuredContent": {"s3cret-value": 1, "${KEY}": 2}})
    with pytest.raises(mcplock.ServerTrouble, match="cannot be cleaned of secrets"):
        read_result(TOOL, answer(twice), secrets)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([], ""),
        ("text", ""),
        (
            [{"type": "text", "text": "a"}, 7, {"type": "text"}, {"type": "text", "text": "b"}],
            "a\nb",
        ),
    ],
)
def test_content_of_any_form_is_read(content: Any, text: str) -> None:
    result = read(json.dumps({"content": content, "_meta": []}))
    assert result.text == text
    assert result.meta == {}
    list(result_texts(result))
