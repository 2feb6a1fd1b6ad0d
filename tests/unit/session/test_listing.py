"""Pages, and lists that change while they are read."""

from collections.abc import Callable

import pytest

from mcplock.model import Kind, Snapshot, Stage, Status
from mcplock.session import listing

Asking = Callable[..., Snapshot]


@pytest.mark.parametrize(
    ("habit", "names"),
    [
        ("empty-is-end", ["a", "b"]),
        ("empty-is-refused", ["a", "b"]),
        ("empty-is-page", ["a", "b", "c"]),
        ("empty-last", ["a"]),
    ],
)
def test_an_empty_cursor_is_followed_once(misbehave: Asking, habit: str, names: list[str]) -> None:
    found = misbehave("pages", habit)
    assert found.failure is None
    assert list(found.of(Kind.TOOL)) == names
    assert not found.issues


@pytest.mark.parametrize(
    ("habit", "reason"),
    [
        ("same-cursor", "page 2 of `tools/list` names a next page that was read before"),
        ("no-progress", "page 2 of `tools/list` adds nothing and names a next page"),
        ("endless", "page 1000 of `tools/list` names yet another one"),
        ("breaks-off", "page 2 of `tools/list` breaks off: error -32602: Invalid cursor"),
        ("number", "page 1 of `tools/list` has a `nextCursor` that is no text"),
    ],
)
def test_a_list_without_an_end_is_a_failure(misbehave: Asking, habit: str, reason: str) -> None:
    found = misbehave("pages", habit)
    assert found.failure and found.status is Status.UNREACHABLE
    assert found.failure.stage is Stage.LIST
    assert found.failure.message.startswith(reason)
    assert found.definitions == {}


def test_a_list_that_is_too_long_is_a_failure(
    misbehave: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "_MOST_CHARACTERS", 1 << 10)
    found = misbehave("pages", "endless")
    assert found.failure and found.failure.stage is Stage.LIST
    assert "lists more than" in found.failure.message


def test_two_definitions_of_one_name_on_two_pages_are_seen(misbehave: Asking) -> None:
    tools = misbehave("pages", "duplicate-last").of(Kind.TOOL)
    assert (tools["a"].invalid, tools["b"].invalid) == ("duplicate-name", None)


@pytest.mark.parametrize("times", [1, 3])
def test_a_list_that_changes_is_read_again(misbehave: Asking, times: int) -> None:
    assert list(misbehave("changes", str(times)).of(Kind.TOOL)) == [f"v{times + 1}"]


def test_a_list_that_keeps_changing_is_a_failure(misbehave: Asking) -> None:
    found = misbehave("changes", "4")
    assert found.failure and found.failure.stage is Stage.LIST
    assert "changed 4 times while they were read" in found.failure.message


def test_a_server_that_always_says_changed_is_believed_once(misbehave: Asking) -> None:
    assert list(misbehave("always-changed").of(Kind.TOOL)) == ["say"]


def test_a_declared_method_that_is_missing_is_an_empty_list_and_told(raw: Asking) -> None:
    missing = '{"jsonrpc":"2.0","id":ID,"error":{"code":-32601,"message":"no"}}'
    found = raw({"tools/list": missing})
    assert found.failure is None and found.of(Kind.TOOL) == {}
    assert [issue.message for issue in found.issues] == ["declares `tools` but has no `tools/list`"]


def test_resources_without_templates_are_nothing_odd(raw: Asking) -> None:
    declared = '{"jsonrpc":"2.0","id":ID,"result":{"capabilities":{"resources":{}}}}'
    found = raw({"initialize": declared})
    assert found.failure is None
    assert all("unknown revision" in issue.message for issue in found.issues)
