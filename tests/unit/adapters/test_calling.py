"""What all adapters share, without a framework."""

import asyncio
import subprocess
import sys
from collections.abc import Callable

import pytest

import mcplock
from mcplock.adapters.calling import caller, reason, said
from mcplock.jsontext import Json
from tests.unit.live.conftest import Project, definition

TEXT = {"type": "text", "text": "a"}


def test_a_catalog_makes_a_connection_for_each_call(serving: Callable[..., Project]) -> None:
    project = serving(definition("echo"))
    catalog, call = caller(project.catalog(), {"environ": project.environ})
    for number in (1, 2):
        result = asyncio.run(call(catalog["demo/echo"], {"n": number}))
        assert result.structured == {"n": number}
    assert len(project.heard("initialize")) == 2


def test_a_connection_is_shared_and_stays_its_owner_s(serving: Callable[..., Project]) -> None:
    project = serving(definition("echo"))

    async def twice() -> None:
        async with project.connect() as live:
            catalog, call = caller(live, {})
            for _ in range(2):
                await call(catalog["demo/echo"], {})

    asyncio.run(twice())
    assert len(project.heard("initialize")) == 1


def test_a_connection_that_is_made_takes_no_options(serving: Callable[..., Project]) -> None:
    live = serving(definition("echo")).connect()
    with pytest.raises(mcplock.UsageError, match="trust_lock: the connection is made already"):
        caller(live, {"trust_lock": True})


@pytest.mark.parametrize(
    ("wire", "expected"),
    [
        ({"content": [TEXT, TEXT]}, "a\na"),
        ({"content": [TEXT], "structuredContent": {"b": 1}}, "a"),
        ({"structuredContent": {"ö": [1]}}, '{"ö": [1]}'),
        ({"content": []}, ""),
        ({"toolResult": {"ö": 1}}, '{"ö": 1}'),
        ({"toolResult": "as it is"}, "as it is"),
        ({"content": [TEXT], "toolResult": [1]}, "a\n[1]"),
        (
            {"content": [{"type": "image", "data": "", "mimeType": "image/png"}]},
            "[image: image/png]",
        ),
        ({"content": [{"type": "resource", "resource": {"uri": "a:b", "text": "c"}}]}, "c"),
        ({"content": [{"type": "resource_link", "uri": "a:b", "name": "c"}]}, "[link: a:b]"),
        ({"content": ["odd"]}, "[content that is no text]"),
    ],
)
def test_what_a_model_reads_of_a_result(wire: dict[str, Json], expected: str) -> None:
    assert said(mcplock.Result("demo", "echo", wire)) == expected


def test_a_model_is_given_no_command_to_run() -> None:
    error = mcplock.Untrusted("demo was not started", hint="`mcplock trust demo`")
    assert reason(error) == "demo was not started"


def test_mcplock_alone_loads_no_adapter() -> None:
    words = "import sys, mcplock; mcplock.load; print([m for m in sys.modules if 'adapters' in m])"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
