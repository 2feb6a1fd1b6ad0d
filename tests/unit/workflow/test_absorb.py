"""What a server answers, into what the lock holds of it."""

import pytest

from mcplock.definitions import definition_entry
from mcplock.lockfile import format_lock
from mcplock.model import SECTIONS, Entry, Invalid, Kind, Lock, ServerInfo, Snapshot, State
from mcplock.workflow.absorb import absorb
from tests.locks import OTHER_HASH, SOURCE, entry, server, tool

SAME_SOURCE = entry(SOURCE)
OTHER_SOURCE = entry(SOURCE | {"args": ["-m", "evil"]})
DEEP = Entry(hash=OTHER_HASH, invalid=Invalid.DEPTH)


def snapshot(*tools: Entry, **more) -> Snapshot:
    more.setdefault("protocol", "2025-11-25")
    more.setdefault("info", ServerInfo("docs", "1.0"))
    definitions = {Kind.TOOL: {t.content["name"]: t for t in tools}} if tools else {}
    return Snapshot("docs", definitions=definitions | more.pop("definitions", {}), **more)


OLD = tool("t", "Old.")
NEW = tool("t", "New.")

# (what the lock has, what the server lists, what the lock gets, its state)
TABLE = {
    "new": (None, NEW, NEW, State.NEW),
    "equal, new": (OLD, OLD, OLD, State.NEW),
    "equal, approved": (
        tool("t", "Old.", approve=True, confirm="never", note="why"),
        OLD,
        tool("t", "Old.", approve=True, confirm="never", note="why"),
        State.APPROVED,
    ),
    "changed, new": (OLD, NEW, NEW, State.NEW),
    "changed, approved: the decisions stay, for the hash they name": (
        tool("t", "Old.", approve=True, confirm="never", note="why"),
        NEW,
        NEW._replace(approved=OLD.hash, confirm="never", note="why"),
        State.CHANGED,
    ),
    "changed back to what was approved": (
        NEW._replace(approved=OLD.hash, note="why"),
        OLD,
        tool("t", "Old.", approve=True, note="why"),
        State.APPROVED,
    ),
    "changed, denied": (
        tool("t", "Old.", denied="no"),
        NEW,
        NEW._replace(denied="no"),
        State.DENIED,
    ),
    "gone, new": (OLD, None, None, None),
    "gone, approved": (tool("t", approve=True), None, None, None),
    "gone, invalid": (tool("t", invalid=Invalid.SECRET), None, None, None),
    "gone, denied": (
        tool("t", denied="no"),
        None,
        tool("t", denied="no", absent=True),
        State.DENIED,
    ),
    "still gone": (
        tool("t", denied="no", absent=True),
        None,
        tool("t", denied="no", absent=True),
        State.DENIED,
    ),
    "back, denied, the same": (
        tool("t", denied="no", absent=True),
        tool("t"),
        tool("t", denied="no"),
        State.DENIED,
    ),
    "back, denied, with another text": (
        tool("t", "Old.", denied="no", absent=True),
        NEW,
        NEW._replace(denied="no"),
        State.DENIED,
    ),
    "approved, then invalid": (
        tool("t", approve=True),
        DEEP,
        DEEP._replace(approved=tool("t").hash),
        State.INVALID,
    ),
    "invalid, then as approved before": (
        DEEP._replace(approved=tool("t").hash),
        tool("t"),
        tool("t", approve=True),
        State.APPROVED,
    ),
    "invalid, then another text": (DEEP, NEW, NEW, State.NEW),
    "invalid, approved once, then another text": (
        DEEP._replace(approved=OLD.hash),
        NEW,
        NEW._replace(approved=OLD.hash),
        State.CHANGED,
    ),
    "invalid, denied, gone, and back valid": (
        DEEP._replace(denied="no", absent=True),
        NEW,
        NEW._replace(denied="no"),
        State.DENIED,
    ),
    "the same text, now known to hold a secret": (
        tool("t", approve=True),
        tool("t", invalid=Invalid.SECRET),
        tool("t", approve=True, invalid=Invalid.SECRET),
        State.INVALID,
    ),
    "the same text, no secret after all": (
        tool("t", invalid=Invalid.SECRET),
        tool("t"),
        tool("t"),
        State.NEW,
    ),
}


@pytest.mark.parametrize(("had", "listed", "gets", "state"), TABLE.values(), ids=TABLE)
def test_one_definition(had, listed, gets, state):
    def among(held, others):
        return {name: held for name in ("t",) if held} | others

    beside = {"other": tool("other", approve=True)}
    locked = server(definitions={Kind.TOOL: among(had, beside)})
    answer = snapshot(definitions={Kind.TOOL: among(listed, {"other": tool("other")})})

    after = absorb(locked, answer, SAME_SOURCE)

    assert after.of(Kind.TOOL).get("t") == gets
    assert state is (gets.state if gets else None)
    assert after.of(Kind.TOOL)["other"] == beside["other"]
    assert (after is locked) == (had == gets)


HI, HO = entry("Hi."), entry("Ho.")


@pytest.mark.parametrize(
    ("had", "said", "gets"),
    [
        (None, HI, HI),
        (HI, HI, HI),
        (entry("Hi.", approve=True), HI, entry("Hi.", approve=True)),
        (entry("Hi.", approve=True), HO, HO._replace(approved=HI.hash)),
        (HO._replace(approved=HI.hash), HI, entry("Hi.", approve=True)),
        (entry("Hi.", approve=True), None, None),
        (entry("Hi.", denied="no"), None, entry("Hi.", denied="no", absent=True)),
        (entry("Hi.", denied="no", absent=True), None, entry("Hi.", denied="no", absent=True)),
        (entry("Hi.", denied="no", absent=True), HO, HO._replace(denied="no")),
        (entry(""), HI, HI),
    ],
)
def test_instructions_are_decided_on_like_definitions(had, said, gets):
    locked = server(instructions=had)
    after = absorb(locked, snapshot(instructions=said), SAME_SOURCE)
    assert after.instructions == gets
    assert (after is locked) == (had == gets)


def test_a_server_that_the_lock_lacks():
    answer = snapshot(tool("t"), instructions=entry("Hi."), info=ServerInfo("x", "2"))
    after = absorb(None, answer, SAME_SOURCE)
    assert after == server(
        tool("t"), source=SAME_SOURCE, instructions=entry("Hi."), info=ServerInfo("x", "2")
    )
    assert absorb(after, answer, SAME_SOURCE) is after


@pytest.mark.parametrize(
    "answer",
    [
        snapshot(tool("b"), tool("a"), info=ServerInfo("docs", "2.0")),
        snapshot(tool("a"), tool("b"), info=ServerInfo("renamed", "1.0")),
        snapshot(tool("a"), tool("b"), info=None),
        snapshot(tool("a"), tool("b"), protocol="2026-07-28"),
    ],
)
def test_what_is_not_hashed_alone_changes_nothing(answer):
    locked = server(tool("a", approve=True), tool("b", denied="no"))
    assert absorb(locked, answer, SAME_SOURCE) is locked


def test_keys_in_another_order_leave_the_lock_as_it_is():
    locked = server(tool("t", approve=True, more={"title": "T", "annotations": {"a": 1, "b": 1.0}}))
    content = locked.of(Kind.TOOL)["t"].content
    text = '{"annotations": {"b": 1, "a": 1e0}, "title": "T", "inputSchema": '
    text += '{"properties": {"q": {"type": "string"}}, "type": "object"}, '
    text += '"description": "Does it.", "name": "t"}'
    _, listed = definition_entry(SECTIONS[0], text, {})
    assert list(listed.content) != list(content)
    after = absorb(locked, snapshot(listed), SAME_SOURCE)
    assert after is locked
    changed = absorb(locked, snapshot(listed, tool("u")), SAME_SOURCE)
    assert list(changed.of(Kind.TOOL)["t"].content) == list(content)


def test_what_else_the_server_says_is_taken_with_a_change():
    locked = server(tool("t"))
    answer = snapshot(NEW, protocol="2026-07-28", info=ServerInfo("docs", "2.0"))
    after = absorb(locked, answer, SAME_SOURCE)
    assert (after.protocol, after.info) == ("2026-07-28", ServerInfo("docs", "2.0"))


def test_a_renamed_tool_carries_no_approval():
    locked = server(tool("send_mail", approve=True, confirm="never"))
    after = absorb(locked, snapshot(tool("send_email")), SAME_SOURCE)
    assert after.of(Kind.TOOL) == {"send_email": tool("send_email")}


def test_a_denial_does_not_move_with_a_rename_nor_away():
    locked = server(tool("rm", denied="no"))
    after = absorb(locked, snapshot(tool("rm_rf")), SAME_SOURCE)
    assert after.of(Kind.TOOL) == {
        "rm": tool("rm", denied="no", absent=True),
        "rm_rf": tool("rm_rf"),
    }


def test_another_source_keeps_every_decision_and_is_itself_unapproved():
    locked = server(
        tool("a", approve=True),
        tool("b", denied="no"),
        instructions=entry("Hi.", approve=True),
    )
    answer = snapshot(tool("a"), tool("b"), instructions=entry("Hi."))
    after = absorb(locked, answer, OTHER_SOURCE)
    assert after.source == OTHER_SOURCE._replace(approved=SAME_SOURCE.hash)
    assert after.source.state is State.CHANGED
    assert after.definitions == locked.definitions
    assert after.instructions == locked.instructions
    assert not after.usable(after.of(Kind.TOOL)["a"])


def test_a_denied_source_stays_denied():
    locked = server(source=SAME_SOURCE._replace(denied="no"))
    assert absorb(locked, snapshot(), OTHER_SOURCE).source.state is State.DENIED


def test_every_kind_of_definition_is_absorbed():
    contents = {
        Kind.TOOL: {"name": "x", "inputSchema": {}},
        Kind.PROMPT: {"name": "x"},
        Kind.TEMPLATE: {"uriTemplate": "x"},
        Kind.RESOURCE: {"uri": "x"},
    }
    listed = {kind: {"x": entry(content)} for kind, content in contents.items()}
    after = absorb(server(), snapshot(definitions=listed), SAME_SOURCE)
    assert after.definitions == listed
    denied = server(definitions={k: {"x": e["x"]._replace(denied="no")} for k, e in listed.items()})
    gone = absorb(denied, snapshot(), SAME_SOURCE)
    assert [gone.of(kind)["x"].absent for kind in contents] == [True] * 4


def test_a_kind_without_entries_leaves_no_empty_section():
    after = absorb(server(tool("t")), snapshot(), SAME_SOURCE)
    assert after.definitions == {}
    assert '"tools"' not in format_lock(Lock({"docs": after}))


def test_package_and_reserved_keys_stay():
    locked = server(
        tool("t"), package=entry({"name": "p"}, approve=True), reserved={"varying": ["x"]}
    )
    after = absorb(locked, snapshot(NEW), SAME_SOURCE)
    assert (after.package, after.reserved) == (locked.package, locked.reserved)
