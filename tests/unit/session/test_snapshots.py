import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcplock.manifest import Server
from mcplock.model import Invalid, Kind, Snapshot, Status
from mcplock.session import Target, fleet, snapshots
from mcplock.session.session import Session

Ask = Callable[..., Snapshot]
Catalog = Callable[..., str]


def tools(count: int) -> list[dict[str, object]]:
    return [{"name": f"tool{n:03}", "inputSchema": {"type": "object"}} for n in range(count)]


@pytest.mark.parametrize(
    ("era", "protocol"),
    [("handshake", "2025-11-25"), ("modern", "2026-07-28"), ("both", "2026-07-28")],
)
def test_lists_everything_in_either_era(
    ask: Ask, catalog: Catalog, era: str, protocol: str
) -> None:
    path = catalog(
        era=era,
        serverInfo={"name": "docs", "version": "7"},
        instructions="Read first.",
        tools=tools(3),
        prompts=[{"name": "greet"}],
        resourceTemplates=[{"uriTemplate": "x://{y}", "name": "x"}],
        resources=[{"uri": "x://1", "name": "one"}],
    )
    found = ask("catalog.py", path)
    assert found.failure is None
    assert (found.status, found.protocol) == (Status.OK, protocol)
    assert found.info and (found.info.name, found.info.version) == ("docs", "7")
    assert found.instructions and found.instructions.content == "Read first."
    assert list(found.of(Kind.TOOL)) == ["tool000", "tool001", "tool002"]
    assert list(found.of(Kind.PROMPT)) == ["greet"]
    assert list(found.of(Kind.TEMPLATE)) == ["x://{y}"]
    assert Kind.RESOURCE not in found.definitions
    assert not found.issues


def test_resources_are_listed_where_the_manifest_asks(ask: Ask, catalog: Catalog) -> None:
    path = catalog(resources=[{"uri": "x://1", "name": "one"}])
    assert list(ask("catalog.py", path, resources=True).of(Kind.RESOURCE)) == ["x://1"]


def test_follows_every_page(ask: Ask, catalog: Catalog) -> None:
    found = ask("catalog.py", catalog(tools=tools(101), page=50))
    assert len(found.of(Kind.TOOL)) == 101


@pytest.mark.parametrize("protocol", ["2024-11-05", "2025-06-18", "2026-07-28"])
def test_speaks_the_locked_revision(ask: Ask, catalog: Catalog, protocol: str) -> None:
    assert ask("catalog.py", catalog(era="both"), protocol=protocol).protocol == protocol


@pytest.mark.parametrize(
    ("era", "locked", "spoken"),
    [("modern", "2025-06-18", "2026-07-28"), ("handshake", "2026-07-28", "2025-11-25")],
)
def test_moves_to_the_other_era_where_the_locked_one_is_refused(
    ask: Ask, catalog: Catalog, era: str, locked: str, spoken: str
) -> None:
    found = ask("catalog.py", catalog(era=era, tools=tools(1)), protocol=locked)
    assert (found.failure, found.protocol) == (None, spoken)
    assert list(found.of(Kind.TOOL)) == ["tool000"]


def test_a_secret_that_is_inherited_goes_nowhere(ask: Ask, catalog: Catalog) -> None:
    told = {"name": "say", "description": "pip-password", "inputSchema": {"type": "object"}}
    path = catalog(serverInfo={"name": "x pip-password", "version": "pip-password"}, tools=[told])
    environ = {"PIP_INDEX_URL": "https://me:pip-password@h/simple"}
    found = ask("catalog.py", path, environ=environ)
    assert found.of(Kind.TOOL)["say"].invalid is Invalid.SECRET
    assert found.info and found.info.name == "x ${PIP_INDEX_URL}"
    assert "pip-password" not in repr(found)


@pytest.mark.parametrize(
    "other",
    [
        {"modern_tools": tools(2)},
        {"modern_instructions": "Send it to me."},
        {"modern_prompts": [{"name": "greet"}], "prompts": []},
    ],
    ids=list,
)
def test_what_agents_of_the_newer_protocol_get_is_what_counts(
    ask: Ask, catalog: Catalog, other: dict[str, object]
) -> None:
    common: dict[str, object] = {"era": "both", "instructions": "Read.", "tools": tools(1)}
    found = ask("catalog.py", catalog(**common, **other), protocol="2025-06-18")
    assert (found.status, found.protocol) == (Status.OK, "2026-07-28")
    assert found == ask("catalog.py", catalog(**common, **other))._replace(issues=found.issues)
    [issue] = found.issues
    assert issue.message == "lists something else in 2026-07-28 than in 2025-06-18"


def test_the_same_in_either_era_stays_as_it_is_locked(ask: Ask, catalog: Catalog) -> None:
    path = catalog(era="both", instructions="Read.", tools=tools(2), modern_prompts=[])
    found = ask("catalog.py", path, protocol="2025-06-18")
    assert (found.status, found.protocol, found.issues) == (Status.OK, "2025-06-18", [])


@pytest.mark.parametrize("broken", ["resolve", "start_process"])
def test_a_mistake_of_ours_before_there_is_a_session_leaves_the_others(
    servers: Callable[..., Server],
    catalog: Catalog,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    broken: str,
) -> None:
    works = getattr(fleet, broken)
    first = iter([True])

    def fails(*args: Any) -> Any:
        if next(first, False):
            raise KeyError("odd")
        return works(*args)

    monkeypatch.setattr(fleet, broken, fails)
    path = catalog(tools=tools(2))
    targets = [Target(servers("catalog.py", path, name=name)) for name in ("odd", "fine")]
    found = snapshots(targets, directory=tmp_path, environ={"PATH": os.environ["PATH"]})
    assert found["odd"].failure
    told = "mcplock cannot start it: KeyError; this is a bug in mcplock"
    assert found["odd"].failure.message == told
    assert isinstance(found["odd"].failure.bug, KeyError)
    assert found["fine"].failure is None


@pytest.mark.parametrize("broken", ["start", "__init__"])
def test_a_mistake_of_ours_with_one_server_leaves_the_others(
    servers: Callable[..., Server],
    catalog: Catalog,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    broken: str,
) -> None:
    works = getattr(Session, broken)

    def fails(self: Session, *args: Any) -> None:
        name = args[0].server.name if broken == "__init__" else self.server.name
        if name == "odd":
            raise KeyError("odd")
        works(self, *args)

    monkeypatch.setattr(Session, broken, fails)
    path = catalog(tools=tools(2))
    targets = [Target(servers("catalog.py", path, name=name)) for name in ("odd", "fine")]
    found = snapshots(targets, directory=tmp_path, environ={"PATH": os.environ["PATH"]})
    assert found["odd"].failure
    assert found["odd"].status is Status.UNREACHABLE
    told = "mcplock cannot start it: KeyError; this is a bug in mcplock"
    assert found["odd"].failure.message == told
    assert isinstance(found["odd"].failure.bug, KeyError)
    assert found["fine"].failure is None
    assert len(found["fine"].of(Kind.TOOL)) == 2
