"""What stands on stdout and stderr of a server."""

import json
from collections.abc import Callable

import pytest

from mcplock.model import Invalid, Kind, Snapshot, Stage, Status

Asking = Callable[..., Snapshot]


@pytest.mark.parametrize(
    "mode",
    ["polite", "split", "crlf", "joined", "batch", "unterminated", "byte-order-mark"],
)
def test_frames_in_any_form_are_read(misbehave: Asking, mode: str) -> None:
    found = misbehave(mode)
    assert found.failure is None
    assert found.of(Kind.TOOL)["say"].content["description"] == "Says ✓"
    assert not found.issues


def test_text_that_is_no_message_is_skipped_and_told(misbehave: Asking) -> None:
    found = misbehave("banner")
    assert found.failure is None and list(found.of(Kind.TOOL)) == ["say"]
    [issue] = found.issues
    assert issue.stage in (Stage.CONNECT, Stage.LIST)
    assert issue.message.startswith("7 lines of its output are no protocol message")
    assert "Server v1 started" in issue.message and "{not json" in issue.message


def test_a_byte_that_is_no_utf8_makes_one_tool_invalid(misbehave: Asking) -> None:
    hashes = set()
    for byte in ("92", "93"):
        tools = misbehave("bad-utf8", byte).of(Kind.TOOL)
        assert tools["say"].invalid is None
        assert tools["bad"].invalid is Invalid.SURROGATE
        assert tools["bad"].content is None
        hashes.add(tools["bad"].hash)
    assert len(hashes) == 2


@pytest.mark.parametrize(
    ("mode", "words"),
    [("flood", "floods its output"), ("endless-line", "a line of more than 64 MiB")],
)
def test_a_flood_on_stdout_is_a_failure(misbehave: Asking, mode: str, words: str) -> None:
    found = misbehave(mode, timeout=60.0)
    assert found.failure and found.failure.stage is Stage.CONNECT
    assert words in found.failure.message


@pytest.mark.parametrize("mode", ["endless-notices", "deaf"])
def test_a_server_that_never_stops_talking_has_its_time_only(misbehave: Asking, mode: str) -> None:
    found = misbehave(mode, timeout=1.0)
    assert found.failure and found.status is Status.UNREACHABLE
    assert "1 seconds" in found.failure.hint


def test_a_megabyte_on_stderr_blocks_nobody(misbehave: Asking) -> None:
    assert misbehave("noisy-stderr").failure is None


@pytest.mark.parametrize("size", [10_000_000, 64 << 20])
def test_messages_of_up_to_64_mib_are_read(misbehave: Asking, size: int) -> None:
    found = misbehave("big", str(size), timeout=60.0)
    assert found.failure is None
    assert len(found.of(Kind.TOOL)["say"].content["description"]) > size - 1_000


def test_a_longer_message_is_a_failure(misbehave: Asking) -> None:
    found = misbehave("big", str((64 << 20) + 1), timeout=60.0)
    assert found.failure and found.failure.stage is Stage.LIST
    assert "more than 64 MiB" in found.failure.message


def test_the_end_of_stderr_and_the_exit_code_are_told(misbehave: Asking) -> None:
    found = misbehave("exits", "SETTING")
    assert found.failure and found.failure.stage is Stage.CONNECT
    first, *rest = found.failure.message.split("\n")
    assert first == "exited with code 3 before it answered `initialize`"
    assert rest[-1] == "  | KeyError: no SETTING in the environment"
    assert len(rest) == 21
    assert "\x1b" not in found.failure.message


def test_the_signal_that_ends_a_server_is_named(misbehave: Asking) -> None:
    found = misbehave("dies-listing")
    assert found.failure and found.failure.stage is Stage.LIST
    assert found.failure.message == "was killed by SIGSEGV before it answered `tools/list`"


def test_a_server_that_closes_its_output_is_not_said_to_have_exited(misbehave: Asking) -> None:
    found = misbehave("closes-stdout", protocol="2025-11-25")
    assert found.failure
    assert found.failure.message.startswith("closed its output before it answered")


@pytest.mark.parametrize(
    ("mode", "stage", "method"),
    [("silent", Stage.CONNECT, "initialize"), ("never-lists", Stage.LIST, "tools/list")],
)
def test_a_silent_server_names_the_phase_and_how_to_wait_longer(
    misbehave: Asking, mode: str, stage: Stage, method: str
) -> None:
    found = misbehave(mode, timeout=1.0, protocol="2025-11-25")
    assert found.failure and found.failure.stage is stage
    assert found.failure.message == f"did not answer `{method}` in time"
    assert "npx or uvx" in found.failure.hint
    assert "timeout = 300" in found.failure.hint and "[servers.demo]" in found.failure.hint


def test_slow_starts_are_waited_for(misbehave: Asking) -> None:
    assert misbehave("slow", "1.2").failure is None


def test_secrets_are_scrubbed_from_what_a_server_says(misbehave: Asking) -> None:
    found = misbehave("exits", "${PASSWORD}", environ={"PASSWORD": "hunter2hunter2"})
    assert found.failure
    assert "hunter2" not in found.failure.message
    assert "no ${PASSWORD} in the environment" in found.failure.message


def test_passwords_in_urls_are_scrubbed_too(misbehave: Asking) -> None:
    found = misbehave("exits", "https://me:hunter2@index.example.com/simple")
    assert found.failure
    assert "no https://***@index.example.com/simple in the" in found.failure.message


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"jsonrpc":"2.0","id":ID,"result":null}', "its `result` is no object"),
        ('{"jsonrpc":"2.0","id":ID,"result":[]}', "its `result` is no object"),
        ('{"jsonrpc":"2.0","id":ID,"result":{},"result":{}}', 'key "result" is in it twice'),
        (
            '{"jsonrpc":"2.0","id":ID,"result":{"tools":[],"tools":[]}}',
            'the key "tools" is in it twice',
        ),
        ('{"jsonrpc":"2.0","id":ID,"error":"no"}', 'error 0: "no"'),
        ('{"jsonrpc":"2.0","id":ID,"error":{"code":7,"message":null}}', "error 7: no reason given"),
        ('{"jsonrpc":"2.0","id":ID,"error":{"code":7,"message":"a\\u001bb"}}', "a⟨U+001B⟩b"),
        ('{"jsonrpc":"2.0","id":ID,"result":{}}', "page 1 of `tools/list` has no list"),
        ('{"jsonrpc":"2.0","id":ID,"result":{"tools":{}}}', "has no list under `tools`"),
        ('{"jsonrpc":"2.0","id":ID,"result":{"tools":"x"}}', "has no list under `tools`"),
        (
            '{"jsonrpc":"2.0","id":ID,"result":{"tools":[],"nextCursor":7}}',
            "has a `nextCursor` that is no text",
        ),
    ],
)
def test_an_answer_of_the_wrong_form_is_a_failure_that_says_so(
    raw: Asking, text: str, reason: str
) -> None:
    found = raw({"tools/list": text}, protocol="2025-11-25")
    assert found.failure and found.failure.stage is Stage.LIST
    assert reason in found.failure.message


def test_null_for_a_list_is_read_as_empty_and_told(raw: Asking) -> None:
    found = raw({"tools/list": '{"jsonrpc":"2.0","id":ID,"result":{"tools":null}}'})
    assert found.failure is None and found.of(Kind.TOOL) == {}
    assert [issue.message for issue in found.issues] == [
        "`tools/list` gives null for `tools`; it is read as empty"
    ]


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ('{"name":"bad","name":"bad"}', Invalid.DUPLICATE_KEY),
        ('{"name":"bad","x":1e999}', Invalid.NUMBER),
        ('{"name":"bad","x":NaN}', Invalid.NUMBER),
        ('{"name":"bad","x":' + "9" * 5_000 + "}", Invalid.NUMBER),
        ('{"name":"bad","x":"\\ud800"}', Invalid.SURROGATE),
        ('{"name":"bad","x":' + "[" * 50_000 + "]" * 50_000 + "}", Invalid.DEPTH),
        ('{"name":"bad","inputSchema":null}', Invalid.SCHEMA),
    ],
)
def test_one_broken_tool_never_loses_its_page(raw: Asking, bad: str, code: Invalid) -> None:
    tools = '{"name":"first"},%s,{"name":"last"}'
    page = '{"jsonrpc":"2.0","id":ID,"result":{"tools":[%s],"nextCursor":"2"}}' % (tools % bad)
    found = raw({"tools/list": page.replace(',"nextCursor":"2"', "")})
    assert found.failure is None
    assert found.of(Kind.TOOL)["bad"].invalid is code
    assert found.of(Kind.TOOL)["first"].invalid is found.of(Kind.TOOL)["last"].invalid is None


def test_a_broken_tool_does_not_hide_that_a_page_repeats(raw: Asking) -> None:
    bad = '{"name":"bad","x":' + "[" * 5_000 + "]" * 5_000 + "}"
    page = f'{{"jsonrpc":"2.0","id":ID,"result":{{"tools":[{bad}],"nextCursor":"2"}}}}'
    found = raw({"tools/list": page})
    assert found.failure and "page 2 of `tools/list` adds nothing" in found.failure.message


def test_wrong_types_beside_the_list_do_no_harm(raw: Asking) -> None:
    answer = {
        "jsonrpc": "2.0",
        "id": "ID",
        "result": {"tools": [None, 7, "x", [], {"name": 7}, {"name": "good"}], "_meta": 7},
    }
    text = json.dumps(answer).replace('"ID"', "ID")
    found = raw({"tools/list": text})
    assert found.failure is None and list(found.of(Kind.TOOL)) == ["good"]
    assert len([issue for issue in found.issues if issue.stage is Stage.TOOL]) == 5
