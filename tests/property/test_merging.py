"""Random merges: no approval that neither side gave, no entry lost, a readable result."""

import random
from dataclasses import replace

import pytest

from mcplock.canonical import hash_value
from mcplock.lockfile import format_lock, read_lock
from mcplock.merging import merge_locks
from mcplock.model import Entry, Kind, Lock, LockedServer, State
from mcplock.naming import entries_of

MERGES = 2_000
_TEXTS = ("one", "two", "three")


def random_lock(dice: random.Random) -> Lock:
    return Lock({name: random_server(dice) for name in "ab" if dice.random() < 0.9})


def random_server(dice: random.Random) -> LockedServer:
    tools = {name: random_entry(dice, name) for name in "xyz" if dice.random() < 0.8}
    source = {"type": "stdio", "command": dice.choice(_TEXTS)}
    return LockedServer(
        source=decided(dice, Entry(hash_value(source), source)),
        definitions={Kind.TOOL: tools} if tools else {},
    )


def random_entry(dice: random.Random, name: str) -> Entry:
    content = {"name": name, "description": dice.choice(_TEXTS)}
    entry = decided(dice, Entry(hash_value(content), content))
    absent = entry.denied is not None and dice.random() < 0.3
    return replace(entry, confirm=dice.choice([None, "never"]), absent=absent)


def decided(dice: random.Random, entry: Entry) -> Entry:
    approved = dice.choice([None, entry.hash, hash_value(dice.choice(_TEXTS))])
    denied = dice.choice([None, None, None, "no"])
    return Entry(
        entry.hash,
        entry.content,
        approved=approved,
        denied=denied,
        note=dice.choice([None, "why"]) if approved else None,
    )


def branch(dice: random.Random, base: Lock) -> Lock:
    """A side: the base with some of its servers and entries as another lock has them."""
    other = random_lock(dice)
    servers = {}
    for name in sorted({*base.servers, *other.servers}):
        mine, foreign = base.servers.get(name), other.servers.get(name)
        if mine is None or foreign is None:
            chosen = dice.choice([mine, foreign])
            if chosen:
                servers[name] = chosen
            continue
        keys = {(kind, entry): e for kind, entry, e in mine.entries()}
        theirs = {(kind, entry): e for kind, entry, e in foreign.entries()}
        for key in keys.keys() | theirs.keys():
            if dice.random() < 0.4 and key in theirs:
                keys[key] = theirs[key]
        servers[name] = mine.having(keys)
    return Lock(servers)


def trust(entry: Entry) -> int:
    order = (State.DENIED, State.INVALID, State.NEW, State.CHANGED, State.APPROVED)
    return order.index(entry.state)


@pytest.mark.parametrize("based", [True, False], ids=["base known", "markers alone"])
def test_random_merges(based: bool) -> None:
    dice = random.Random(20_26)
    approvals = decisions_lost = 0
    for _ in range(MERGES):
        base = random_lock(dice)
        ours, theirs = branch(dice, base), branch(dice, base)

        merged = merge_locks(base if based else None, ours, theirs)

        data = format_lock(merged.lock).encode()
        assert read_lock(data, "mcp.lock") == (merged.lock, True)
        sides = [{n.key: n.entry for n in entries_of(side)} for side in (ours, theirs)]
        now = {named.key: named.entry for named in entries_of(merged.lock)}
        assert now.keys() == sides[0].keys() | sides[1].keys()
        for key, entry in now.items():
            had = [side[key] for side in sides if key in side]
            if entry.state is State.APPROVED:
                approvals += 1
                assert any(entry.hash == side.approved for side in had)
            if len(had) == 2 and not based:
                assert trust(entry) <= max(map(trust, had))
        decisions_lost += len(merged.lost)
    assert approvals > MERGES
    assert decisions_lost > 100
    print(f"{MERGES:,} merges: {approvals:,} approvals, each given by a side")


def test_merging_a_lock_with_itself_changes_nothing() -> None:
    dice = random.Random(7)
    for _ in range(200):
        lock = random_lock(dice)
        merged = merge_locks(random_lock(dice), lock, lock)
        assert merged.lock == lock
        assert not merged.lost


def test_only_one_side_decided_so_its_decision_holds() -> None:
    dice = random.Random(11)
    for _ in range(500):
        base, side = random_lock(dice), random_lock(dice)
        both = {name: server for name, server in side.servers.items() if name in base.servers}
        merged = merge_locks(base, base, Lock(both))
        now = {named.key: named.entry for named in entries_of(merged.lock)}
        assert all(now[named.key] == named.entry for named in entries_of(Lock(both)))
