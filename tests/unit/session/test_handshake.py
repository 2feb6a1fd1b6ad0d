"""Both protocol eras, what a server introduces itself with, and what it is told."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from mcplock.model import Kind, Snapshot, Source, Stage, Transport

Asking = Callable[..., Snapshot]


def described(found: Snapshot) -> Any:
    """The description of the tool `say`, which is JSON."""
    assert found.failure is None, found.failure
    return json.loads(found.of(Kind.TOOL)["say"].content["description"])


def test_a_server_that_dies_of_the_probe_is_started_without_it(misbehave: Asking) -> None:
    found = misbehave("dies-of-probe")
    assert (found.failure, found.protocol) == (None, "2025-11-25")


def test_a_server_that_ignores_the_probe_is_greeted(misbehave: Asking) -> None:
    found = misbehave("ignores-probe")
    assert (found.failure, found.protocol) == (None, "2025-11-25")


def test_what_is_answered_first_counts(misbehave: Asking) -> None:
    found = misbehave("slow-modern")
    assert (found.protocol, list(found.of(Kind.TOOL))) == ("2026-07-28", ["modern"])


def test_an_error_without_id_answers_the_probe(raw: Asking) -> None:
    error = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}'
    found = raw({"server/discover": error})
    assert found.failure is None and not found.issues


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-06-18"])
def test_a_refusal_that_names_revisions_is_obeyed(misbehave: Asking, revision: str) -> None:
    found = misbehave("other-revisions", revision)
    assert (found.failure, found.protocol) == (None, revision)
    assert misbehave("other-revisions", revision, protocol="2025-03-26").protocol == revision


def test_a_refusal_without_a_known_revision_is_a_failure(misbehave: Asking) -> None:
    found = misbehave("other-revisions", "1999-12-31")
    assert found.failure and found.failure.stage is Stage.CONNECT
    assert "Unsupported protocol version" in found.failure.message


def test_an_unknown_revision_is_read_as_the_newest(misbehave: Asking) -> None:
    found = misbehave("unknown-revision")
    assert (found.failure, found.protocol) == (None, "2025-11-25")
    [issue] = found.issues
    assert issue.stage is Stage.CONNECT and '"2031-01-01"' in issue.message


def test_a_locked_revision_that_nobody_knows_is_no_obstacle(misbehave: Asking) -> None:
    assert misbehave("polite", protocol="2031-01-01").protocol == "2025-11-25"


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        ("{}", "declares no `capabilities` object but null"),
        ('{"capabilities":[]}', "declares no `capabilities` object but a list"),
        ('{"capabilities":{},"instructions":7}', "`instructions` that are no text but 7"),
        ("7", "its `result` is no object"),
    ],
)
def test_an_introduction_of_the_wrong_form_is_a_failure(
    raw: Asking, result: str, reason: str
) -> None:
    found = raw({"initialize": f'{{"jsonrpc":"2.0","id":ID,"result":{result}}}'})
    assert found.failure and found.failure.stage is Stage.CONNECT
    assert reason in found.failure.message


@pytest.mark.parametrize(
    "result",
    [
        '{"capabilities":{"tools":{}},"serverInfo":null,"protocolVersion":null}',
        '{"capabilities":{"tools":true},"serverInfo":{"name":7},"protocolVersion":[]}',
        '{"capabilities":{"tools":{},"x":1e999},"protocolVersion":"2025-11-25"}',
    ],
)
def test_odd_information_is_no_obstacle(raw: Asking, result: str) -> None:
    found = raw({"initialize": f'{{"jsonrpc":"2.0","id":ID,"result":{result}}}'})
    assert found.failure is None and list(found.of(Kind.TOOL)) == ["say"]


def test_what_is_not_declared_is_not_asked_for(raw: Asking) -> None:
    result = '{"protocolVersion":"2025-11-25","capabilities":{"tools":null}}'
    introduction = f'{{"jsonrpc":"2.0","id":ID,"result":{result}}}'
    found = raw({"initialize": introduction, "tools/list": "would be noise"})
    assert found.failure is None and found.definitions == {} and not found.issues


def test_instructions_with_a_lone_surrogate_are_invalid(raw: Asking) -> None:
    result = '{"capabilities":{},"instructions":"a\\ud800"}'
    found = raw({"initialize": f'{{"jsonrpc":"2.0","id":ID,"result":{result}}}'})
    assert found.instructions and found.instructions.invalid == "surrogate"


def test_every_server_sees_one_face(misbehave: Asking) -> None:
    told = described(misbehave("faces"))
    assert told["clientInfo"]["name"] == "mcplock"
    assert told["capabilities"] == {}


def test_the_manifest_declares_capabilities(misbehave: Asking, servers: Callable[..., Any]) -> None:

    source = servers("misbehaving", "faces").source
    source = source._replace(capabilities=("roots", "sampling"))
    assert isinstance(source, Source) and source.type is Transport.STDIO
    told = described(misbehave("faces", source=source))
    assert told["capabilities"] == {"roots": {}, "sampling": {}}


def test_a_server_may_talk_back(misbehave: Asking) -> None:
    found = misbehave("talks-back")
    answers = {answer["id"]: answer for answer in described(found)}
    assert answers["s0"]["result"] == {}
    assert answers["s1"]["result"] == {"roots": []}
    assert "error" in answers["s2"] and "error" in answers["s3"]
    assert answers["s4"]["error"]["code"] == -32601
    [issue] = found.issues  # two answers to nothing that was asked
    assert issue.message.startswith("2 lines")


@pytest.mark.parametrize("mode", ["dies-of-probe", "ignores-probe", "polite"])
def test_nothing_is_owed_to_the_question_for_a_newer_era(misbehave: Asking, mode: str) -> None:
    found = misbehave(mode, protocol="2025-11-25")
    assert (found.failure, found.protocol, found.issues) == (None, "2025-11-25", [])
    assert list(found.of(Kind.TOOL)) == ["say"]
