"""What is denied in a lock is known again elsewhere in it."""

import pytest

from mcplock.audit import audit_lock
from mcplock.changes import compare_entries, compare_locks
from mcplock.changes.denied import with_denied
from mcplock.model import Entry, Invalid, Kind, Lock, LockedServer
from tests import locks

DENIED = locks.tool("b", "Deletes it.", denied="no")
ELSEWHERE = locks.entry({"type": "stdio", "command": "other"}, approve=True)


def told(**servers: LockedServer) -> dict[tuple[str, str], str]:
    """By server and name, what is said of each entry that was denied before."""
    found = audit_lock(Lock(servers))
    return {
        (server, name): finding.message
        for (server, _, name), findings in found.items()
        for finding in findings
        if (finding.rule, finding.severity) == ("denied-before", "high")
    }


def bare(name: str, **head) -> Entry:
    return locks.entry({"name": name, "inputSchema": {"type": "object"}}, **head)


def test_the_same_text_is_known_at_any_server() -> None:
    other = locks.server(locks.tool("b", "Deletes it."), source=ELSEWHERE)
    assert told(s=locks.server(DENIED), t=other) == {("t", "b"): "the very same was denied as s/b"}


def test_the_same_name_is_known_at_a_server_that_is_reached_alike() -> None:
    reworded = locks.tool("b", "Removes it.")
    assert told(s=locks.server(DENIED), t=locks.server(reworded)).keys() == {("t", "b")}
    assert told(s=locks.server(DENIED), t=locks.server(reworded, source=ELSEWHERE)) == {}


def test_the_same_definition_is_known_under_another_name() -> None:
    renamed = locks.tool("b2", "Deletes it.")
    gone = DENIED._replace(absent=True)
    other = locks.server(renamed, source=ELSEWHERE)
    assert told(s=locks.server(gone, renamed), t=other).keys() == {("s", "b2"), ("t", "b2")}
    assert told(s=locks.server(DENIED, renamed), t=other).keys() == {("t", "b2")}, "s lists two"


def test_what_describes_nothing_is_told_only_where_its_name_may_have_been_taken_over() -> None:
    there, gone = bare("x", denied="no"), bare("x", denied="no", absent=True)
    assert told(s=locks.server(there, bare("y"))) == {}
    assert told(s=locks.server(gone, bare("y")), t=locks.server(bare("z"))).keys() == {
        ("s", "y"),
        ("t", "z"),
    }
    assert told(s=locks.server(gone), t=locks.server(bare("z"), source=ELSEWHERE)) == {}


def test_a_source_and_instructions_are_known_too() -> None:
    refused = locks.entry(locks.SOURCE, denied="no")
    waiting = locks.entry(locks.SOURCE)
    said = told(s=locks.server(source=refused), t=locks.server(source=waiting))
    assert said == {("t", ""): "the very same was denied as @s"}
    brief, long = locks.entry("Be brief.", denied="no"), locks.entry("Be long.")
    servers = {"s": locks.server(instructions=brief), "t": locks.server(instructions=long)}
    assert told(**servers).keys() == {("t", "")}


@pytest.mark.parametrize(
    "settled",
    [
        locks.tool("b", "Deletes it.", approve=True),
        locks.tool("b", "Deletes it.", denied="nor this"),
        locks.tool("b", "Deletes it.")._replace(content=None, invalid=Invalid.NUMBER),
    ],
)
def test_what_waits_for_nobody_is_not_told(settled: Entry) -> None:
    t = LockedServer(ELSEWHERE, definitions={Kind.TOOL: {"b": settled}})
    assert told(s=locks.server(DENIED), t=t) == {}


def test_what_changed_into_a_denied_text_is_told() -> None:
    changed = locks.tool("b", "Deletes it.", approved=locks.OTHER_HASH)
    other = locks.server(changed, source=ELSEWHERE)
    assert told(s=locks.server(DENIED), t=other).keys() == {("t", "b")}


def test_another_kind_is_another_thing() -> None:
    prompt = {Kind.PROMPT: {"b": locks.tool("b", "Deletes it.")}}
    assert told(s=locks.server(DENIED), t=locks.server(definitions=prompt)) == {}


def test_a_name_that_does_not_show_is_shown() -> None:
    hidden = locks.server(locks.tool("b\u200b{}", "Deletes it.", denied="no"))
    said = told(s=hidden, t=locks.server(locks.tool("c", "Deletes it.")))
    assert "s/b⟨U+200B⟩{}" in said["t", "c"]


def test_a_change_is_told_once() -> None:
    lock = Lock({"s": locks.server(DENIED)})
    change = compare_entries("t", Kind.TOOL, "b", None, locks.tool("b", "Deletes it."))
    twice = with_denied(with_denied([change], lock), lock)
    assert [finding.rule for finding in twice[0].findings] == ["denied-before"]
    after = Lock({"s": locks.server(DENIED), "t": locks.server(locks.tool("b", "Deletes it."))})
    [tool] = [change for change in compare_locks(lock, after) if change.name]
    assert [finding.rule for finding in tool.findings] == ["denied-before"]
