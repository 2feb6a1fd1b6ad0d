"""A session that stays open."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mcplock.manifest import Server, Unresolved
from mcplock.model import Kind, Source, Stage, Transport
from mcplock.session import Failed, Target, connected
from mcplock.session.session import Session


def test_a_session_lists_and_then_answers_as_often_as_it_is_asked(
    servers: Callable[..., Server], catalog: Callable[..., str], tmp_path: Path
) -> None:
    path = catalog(tools=[{"name": "echo", "inputSchema": {"type": "object"}}])
    target = Target(servers("catalog.py", path), "2025-06-18")
    with connected(target, directory=tmp_path, environ=dict(os.environ)) as session:
        assert session.introduction and session.introduction.revision == "2025-06-18"
        assert list(session.lists().definitions[Kind.TOOL]) == ["echo"]
        for number in range(3):
            params = {"name": "echo", "arguments": {"n": number}}
            answer = session.request("tools/call", params, 10)
            assert answer.result and answer.result["content"][0]["text"] == f'{{"n": {number}}}'


def test_what_goes_wrong_in_it_has_the_stage_call(
    servers: Callable[..., Server], tmp_path: Path
) -> None:
    target = Target(servers("misbehaving", "dies-calling"))
    with connected(target, directory=tmp_path, environ=dict(os.environ)) as session:
        with pytest.raises(Failed) as refused:
            session.request("who/knows", {}, 10)
        assert "error -32601" in refused.value.issue.message
        with pytest.raises(Failed) as silent:
            session.request("never/answered", {}, 0.1)
        assert silent.value.issue.message == "did not answer `never/answered` in time"
        with pytest.raises(Failed) as dead:
            session.request("tools/call", {}, 10)
    assert dead.value.issue.stage is Stage.CALL
    assert dead.value.issue.message.startswith("exited with code 4 before it answered")


def test_no_session_without_a_server(servers: Callable[..., Server], tmp_path: Path) -> None:
    with (
        pytest.raises(Failed) as failed,
        connected(Target(servers("misbehaving", "exits", "KEY")), directory=tmp_path, environ={}),
    ):
        pass
    assert failed.value.issue.stage is Stage.CONNECT
    unset = Target(servers("", source=Source(Transport.STDIO, command="${NOPE}")))
    with pytest.raises(Unresolved), connected(unset, directory=tmp_path, environ={}):
        pass


def test_a_mistake_of_ours_is_the_failure_of_one_server(
    servers: Callable[..., Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Session) -> None:
        raise KeyError("odd")

    monkeypatch.setattr(Session, "start", fail)
    target = Target(servers("catalog.py"))
    with (
        pytest.raises(Failed) as failed,
        connected(target, directory=tmp_path, environ={}),
    ):
        pass
    assert failed.value.issue.message == (
        "mcplock cannot begin a session: KeyError; this is a bug in mcplock"
    )
    assert isinstance(failed.value.issue.bug, KeyError)
