"""Results as servers may send them, and what becomes of what no reader could take."""

import json
from typing import Any

import pytest

import mcplock
from mcplock.adapters.calling import said
from mcplock.live.checks import OutputCheck
from mcplock.live.result import read_result
from mcplock.render.call import call_document, result_texts
from tests.unit.live.conftest import definition

TOOL = mcplock.Tool("demo", "echo", "sha256:0", True, definition("echo"))


def answer(result: str) -> str:
    return '{"jsonrpc": "2.0", "id": 1, "result": ' + result + "}"


def read(result: str, **secrets: str) -> mcplock.Result:
    wire, remarks = read_result(TOOL, answer(result), secrets)
    return mcplock.Result("demo", "echo", wire, remarks=remarks)


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
    assert result.remarks == [
        "the number NaN is no JSON; `mcplock call` prints null",
        "the number -Infinity is no JSON; `mcplock call` prints null",
    ]


NUMBERS = ["1e400", "-1E+400", "12345678901234567890.5", "0.1000000000000000055511151231", "1e-400"]
BEYOND = "1" + "0" * 30 + ".5e999999999999999999999"


@pytest.mark.parametrize("number", [*NUMBERS, BEYOND])
@pytest.mark.parametrize("secrets", [{}, {"s3cret-value": "${KEY}"}])
def test_a_number_that_no_float_holds_is_printed_as_it_was_sent(
    number: str, secrets: dict[str, str]
) -> None:
    given = f'{{"structuredContent": {{"n": [{number}, 0.1, 1.50]}}, "toolResult": {number}}}'
    result = read(given, **secrets)
    assert result.structured["n"] == [float(number), 0.1, 1.5]
    assert result.structured["n"][0].text == number
    structured, legacy = result_texts(result)
    assert structured == f'{{\n  "n": [\n    {number},\n    0.1,\n    1.5\n  ]\n}}'
    assert legacy == said(result).splitlines()[-1] == number
    assert f"    {number},\n" in call_document(result, [])
    assert bool(result.remarks) is (abs(float(number)) == float("inf"))


@pytest.mark.parametrize(
    "schema",
    [
        {"enum": [1]},
        {"const": [1]},
        {"items": {"multipleOf": 2}},
        {"uniqueItems": True},
        {"items": {"minimum": 1, "type": "integer"}},
    ],
)
@pytest.mark.parametrize("odd", ["1e400", "NaN", '"\\ud800"'])
def test_what_has_no_canonical_form_is_judged_without_a_crash(schema: Any, odd: str) -> None:
    tool = mcplock.Tool("demo", "echo", "sha256:0", True, {"outputSchema": schema})
    wire, _ = read_result(tool, answer(f'{{"structuredContent": [{odd}]}}'), {})
    for _, message in OutputCheck(tool).judge(wire)[0]:
        assert message


def test_a_lone_surrogate_is_kept() -> None:
    result = read('{"content": [{"type": "text", "text": "a\\ud800"}]}')
    assert result.text == "a\ud800"
    assert json.loads(call_document(result, []))["result"] == result.wire


def test_secrets_go_from_keys_and_values() -> None:
    sent = {"s3cret-value": "is s3cret-value", "n": 12345678}
    secrets = {"s3cret-value": "${KEY}", "12345678": "${PIN}"}
    wire, _ = read_result(TOOL, answer(json.dumps({"structuredContent": sent})), secrets)
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
