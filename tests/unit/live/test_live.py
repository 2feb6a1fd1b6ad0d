"""Calls of approved tools from asyncio."""

import asyncio
import json
import os
import signal
import threading
import time
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import pytest

import mcplock
from mcplock.lockfile import format_lock
from mcplock.lockfile import load as load_lock
from mcplock.model import Lock
from mcplock.session import orphans, tree
from tests.locks import entry
from tests.unit.live.conftest import COUNT, ECHO, SLOW, Project, called, definition, run


@pytest.mark.parametrize("name", ["demo/echo", "mcp__demo__echo"])
@pytest.mark.parametrize("era", ["handshake", "modern"])
def test_a_call_is_answered(serving: Callable[..., Project], name: str, era: str) -> None:
    result = called(serving(ECHO, era=era), name, {"n": 12345678901234567890123})
    assert result.structured == {"n": 12345678901234567890123}
    assert json.loads(result.text) == result.structured
    assert (result.server, result.tool, result.is_error) == ("demo", "echo", False)
    assert result.compared
    assert result.violations == [] == result.remarks


def test_a_server_is_started_at_its_first_call_and_shared(project: Project) -> None:
    project.serve(ECHO, SLOW)
    project.serve(ECHO, name="other")
    project.lock()

    async def main() -> None:
        async with project.connect() as live:
            assert project.heard("initialize") == []
            started = time.monotonic()
            calls = [live.call("demo/slow", {"seconds": 1, "n": n}) for n in range(5)]
            results = await asyncio.gather(*calls)
            assert [result.structured["n"] for result in results] == [0, 1, 2, 3, 4]
            assert time.monotonic() - started < 4  # five seconds, one after the other

    run(main())
    assert len(project.heard("initialize")) == 1 == len(project.heard("tools/list"))
    assert project.heard("initialize", "other") == []


def test_what_is_wrong_with_one_server_touches_no_other(project: Project) -> None:
    project.serve(definition("die"), ECHO)
    project.serve(ECHO, SLOW, name="other")
    project.lock()

    async def main() -> None:
        async with project.connect() as live:
            slow = asyncio.create_task(live.call("other/slow", {"seconds": 0.5}))
            with pytest.raises(mcplock.ServerTrouble, match="exited with code 4 before"):
                await live.call("demo/die")
            assert not (await slow).is_error
            assert (await live.call("demo/echo", {"again": 1})).structured == {"again": 1}

    run(main())
    assert len(project.heard("initialize")) == 2  # it was started again


def test_arguments_that_do_not_fit_are_listed_and_nothing_is_sent(
    serving: Callable[..., Project],
) -> None:
    project = serving(COUNT)
    with pytest.raises(mcplock.InvalidArguments) as caught:
        called(project, "demo/count", {"by": "x", "more": True})
    assert [pointer for pointer, _ in caught.value.violations] == ["/by", "/n", "/more"]
    assert "demo/count" in caught.value.message
    assert project.heard("initialize") == []


@pytest.mark.parametrize("given", [[("n", 1)], [], "", 0, False, [1], 5, "ab", (), {1}, object()])
def test_arguments_that_are_no_object_are_refused_and_nothing_is_sent(
    serving: Callable[..., Project], given: Any
) -> None:
    project = serving(ECHO)
    with pytest.raises(mcplock.InvalidArguments) as caught:
        called(project, arguments=given)
    assert caught.value.violations == (("", "must be an object"),)
    assert project.heard("tools/call") == []
    assert called(project, arguments=MappingProxyType({"a": 1})).structured == {"a": 1}


def test_what_is_sent_is_what_was_checked(serving: Callable[..., Project]) -> None:
    def confirm(tool: mcplock.Tool, arguments: dict[str, Any]) -> bool:
        arguments["n"] = "changed"
        given["n"] = "changed too"
        return True

    project = serving(COUNT)
    project.lock(confirm=None)
    given: dict[str, Any] = {"n": 1}
    assert called(project, "demo/count", given, confirm=confirm).structured == {"n": 1}


def test_a_list_that_changed_is_compared_again(serving: Callable[..., Project]) -> None:
    project = serving(ECHO, say=["notifications/tools/list_changed"])

    async def main() -> None:
        async with project.connect() as live:
            first = await live.call("demo/echo")
            assert not first.compared  # the news came before the answer
            project.change(tools=[definition("echo", title="Other")])
            with pytest.raises(mcplock.Changed):
                await live.call("demo/echo")

    run(main())
    assert len(project.heard("tools/call")) == 1


def test_a_comparison_counts_for_a_while_only(
    serving: Callable[..., Project], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = serving(ECHO)

    async def main() -> None:
        async with project.connect() as live:
            assert (await live.call("demo/echo")).compared
            assert (await live.call("demo/echo")).compared
            monkeypatch.setattr("mcplock.live.line._FRESH", 0.0)
            project.change(tools=[definition("echo", title="Other")])
            with pytest.raises(mcplock.Changed):
                await live.call("demo/echo")

    run(main())
    assert len(project.heard("tools/call")) == 2


def test_what_of_a_schema_cannot_be_checked_is_told(serving: Callable[..., Project]) -> None:
    schema = {
        "type": "object",
        "patternProperties": {r"^(x)\1$": {}},
        "additionalProperties": False,
    }
    tool = definition("echo", inputSchema=schema, outputSchema=schema)
    project = serving(tool, results={"echo": {"content": [], "structuredContent": {"evil": 1}}})

    arguments, result = called(project, arguments={"evil": 1}).remarks[0::2]

    assert arguments.startswith("the arguments could not wholly be checked: /")
    assert result.startswith("the result could not wholly be checked: /")


def test_a_call_that_takes_too_long_is_taken_back(serving: Callable[..., Project]) -> None:
    project = serving(SLOW, ECHO)

    async def main() -> None:
        async with project.connect() as live:
            with pytest.raises(mcplock.ServerTrouble, match=r"within 0\.2 seconds"):
                await live.call("demo/slow", {"seconds": 20}, timeout=0.2)
            assert (await live.call("demo/echo", {"n": 1})).structured == {"n": 1}

    run(main())
    assert [p["reason"] for p in project.heard("notifications/cancelled")] == ["it took too long"]


def test_a_cancelled_task_cancels_the_call(serving: Callable[..., Project]) -> None:
    project = serving(SLOW, ECHO)

    async def main() -> None:
        async with project.connect() as live:
            await live.call("demo/echo")
            task = asyncio.create_task(live.call("demo/slow", {"seconds": 20}))
            await asyncio.sleep(0.2)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await live.call("demo/echo", {"n": 1})).structured == {"n": 1}

    run(main())
    assert len(project.heard("notifications/cancelled")) == 1


def test_progress_is_told(serving: Callable[..., Project]) -> None:
    project = serving(SLOW)

    async def main() -> None:
        async with project.connect() as live:
            await live.call("demo/slow", {"seconds": 0.1}, progress=found.append)

    found: list[Any] = []
    run(main())
    assert found[0] == (0, 4, "busy")
    assert [progress for progress, *_ in found] == [0, 1, 2, 3]


def test_what_the_server_wants_besides_is_refused_and_told(
    serving: Callable[..., Project],
) -> None:
    result = called(serving(definition("ask")), "demo/ask")
    [remark] = result.remarks
    assert remark.startswith("its server asked for a person's input (`elicitation/create`)")


def test_input_that_is_required_is_an_error(serving: Callable[..., Project]) -> None:
    wanted = {
        "a": {"method": "elicitation/create", "params": {}},
        "b": {"method": {"no": 1}},
        "c": {"method": ["text"]},
    }
    results = {"echo": {"resultType": "input_required", "inputRequests": wanted}}
    with pytest.raises(mcplock.InputRequired, match=r"wants input.*`elicitation/create`"):
        called(serving(ECHO, results=results))


def test_a_result_is_kept_whole_and_held_against_its_schema(
    serving: Callable[..., Project],
) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    sent = {
        "content": [{"type": "image", "data": "AA==", "mimeType": "image/png", "new": 1}],
        "structuredContent": {"n": "1"},
        "toolResult": 7,
        "_meta": {"mcplock/compared": False, "tokens": 12},
        "unheard": [None],
    }
    result = called(serving(definition("echo", outputSchema=schema), results={"echo": sent}))
    assert result.wire == sent
    assert result.meta == sent["_meta"]
    assert result.compared
    assert result.violations == [("/n", "must be integer, not string")]
    assert not result.is_error


def test_a_secret_that_comes_back_is_not_shown(project: Project) -> None:
    project.serve(
        ECHO, results={"echo": {"content": [{"type": "text", "text": "k=s3cret-value!"}]}}
    )
    project.lock(trusted=False)
    manifest = project.directory / "mcp.toml"
    manifest.write_text(manifest.read_text() + 'env = { API_KEY = "${API_KEY}" }\n')
    lock = project.directory / "mcp.lock"
    locked = load_lock(lock).lock.servers["demo"]
    source = entry({**locked.source.content, "env": {"API_KEY": "${API_KEY}"}}, approve=True)
    lock.write_text(format_lock(Lock({"demo": locked._replace(source=source)})))
    project.environ["API_KEY"] = "s3cret-value!"
    assert called(project, trust_sources=True).text == "k=${API_KEY}"


def test_nothing_stays_behind(serving: Callable[..., Project]) -> None:
    before = set(tree.children(os.getpid()))
    project = serving(ECHO)
    called(project)
    for thread in threading.enumerate():
        if thread.name.startswith("mcplock"):
            thread.join(5)
            assert not thread.is_alive()
    assert orphans._state.sessions == 0
    assert set(tree.children(os.getpid())) <= before


def test_a_call_that_is_open_when_the_context_ends_fails(serving: Callable[..., Project]) -> None:
    project = serving(SLOW, ECHO)

    async def main() -> None:
        async with project.connect() as live:
            await live.call("demo/echo")
            slow = asyncio.create_task(live.call("demo/slow", {"seconds": 20}))
            late = asyncio.create_task(live.call("demo/echo"))
            await asyncio.sleep(0.2)
        with pytest.raises(mcplock.ServerTrouble, match="closed"):
            await slow
        await late

    run(main())
    [taken_back] = project.heard("notifications/cancelled")
    assert taken_back["reason"] == "the client is closing"
    assert len(project.heard("initialize")) == 1


def test_nothing_is_started_once_the_context_has_ended(serving: Callable[..., Project]) -> None:
    project = serving(ECHO)

    async def main() -> None:
        async with project.connect() as live:
            late = asyncio.create_task(live.call("demo/echo"))
            await asyncio.sleep(0)
        with pytest.raises(mcplock.ServerTrouble):
            await late

    run(main())
    assert orphans._state.sessions == 0
    assert project.heard("tools/call") == []


def test_a_closed_connection_says_so(serving: Callable[..., Project]) -> None:
    live = serving(ECHO).connect()
    with pytest.raises(mcplock.UsageError, match="not open"):
        run(live.call("demo/echo"))


def test_a_script_needs_no_asyncio(serving: Callable[..., Project]) -> None:
    project = serving(ECHO, SLOW)
    with project.sync() as live:
        assert live.call("demo/echo", {"n": 1}).structured == {"n": 1}
        with pytest.raises(mcplock.Refused):
            live.call("demo/none")
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            live.call("demo/slow", {"seconds": 20})
        assert live.call("demo/echo", {"n": 2}).structured == {"n": 2}
    assert len(project.heard("notifications/cancelled")) == 1
    with pytest.raises(mcplock.UsageError, match="not open"):
        live.call("demo/echo")
