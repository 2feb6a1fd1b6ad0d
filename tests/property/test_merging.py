"""Random merges: no approval that neither side gave, no entry lost, a readable result."""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcplock.canonical import hash_value
from mcplock.lockfile import format_lock, read_lock
from mcplock.merging import merge_locks
from mcplock.model import Entry, Kind, Lock, LockedServer, State
from mcplock.naming import entries_of
from mcplock.workflow.git_setup import Git, install
from mcplock.workflow.resolve import Resolved, merge_files

MERGES = 2_000
BY_GIT = 24
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
    return entry._replace(confirm=dice.choice([None, "never"]), absent=absent)


def decided(dice: random.Random, entry: Entry) -> Entry:
    approved = dice.choice([None, entry.hash, hash_value(dice.choice(_TEXTS))])
    denied = dice.choice([None, None, None, "no"])
    return Entry(
        entry.hash,
        entry.content,
        approved=approved,
        denied=denied,
        note=dice.choice([None, "why", "checked"]) if approved else None,
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


def entries(lock: Lock) -> dict[object, Entry]:
    return {named.key: named.entry for named in entries_of(lock)}


def trusts_no_more(merged: Lock, ours: Lock, theirs: Lock) -> int:
    """Assert that no entry is lost and no approval made up; how many approvals there are."""
    sides = [entries(ours), entries(theirs)]
    now = entries(merged)
    assert now.keys() == sides[0].keys() | sides[1].keys()
    approved = {key: entry for key, entry in now.items() if entry.state is State.APPROVED}
    for key, entry in approved.items():
        assert any(entry.hash == side[key].approved for side in sides if key in side)
    return len(approved)


def notes_kept(merged: Lock, ours: Lock, theirs: Lock) -> int:
    """Assert that each approval has the notes that sides gave it; how many have two."""
    sides = [entries(ours), entries(theirs)]
    joined = 0
    for key, entry in entries(merged).items():
        if entry.approved is None:
            continue
        had = [side[key] for side in sides if key in side]
        notes = {side.note for side in had if side.approved == entry.approved and side.note}
        assert set((entry.note or "").split("; ")) == (notes or {""})
        joined += len(notes) > 1
    return joined


@pytest.mark.parametrize("based", [True, False], ids=["base known", "markers alone"])
def test_random_merges(based: bool) -> None:
    dice = random.Random(20_26)
    approvals = decisions_lost = joined = 0
    for _ in range(MERGES):
        base = random_lock(dice)
        ours, theirs = branch(dice, base), branch(dice, base)

        merged = merge_locks(base if based else None, ours, theirs)

        data = format_lock(merged.lock).encode()
        assert read_lock(data, "mcp.lock") == (merged.lock, True)
        approvals += trusts_no_more(merged.lock, ours, theirs)
        if not based:
            joined += notes_kept(merged.lock, ours, theirs)
            sides = [entries(side) for side in (ours, theirs)]
            for key, entry in entries(merged.lock).items():
                had = [side[key] for side in sides if key in side]
                assert len(had) < 2 or trust(entry) <= max(map(trust, had))
        decisions_lost += len(merged.lost)
    assert approvals > MERGES
    assert decisions_lost > 100
    assert based or joined > 50
    print(f"{MERGES:,} merges: {approvals:,} approvals, each given by a side")


def triples(number: int, seed: int) -> Iterator[tuple[Lock, Lock, Lock]]:
    dice = random.Random(seed)
    for _ in range(number):
        base = random_lock(dice)
        yield base, branch(dice, base), branch(dice, base)


def disagree(base: Lock, ours: Lock, theirs: Lock, merged: Lock) -> bool:
    """Whether a person is to look: told from the four locks alone."""
    before, left, right, now = map(entries, (base, ours, theirs, merged))
    for key in left.keys() | right.keys():
        if key not in left or key not in right:
            if key in before:
                return True
            continue
        if left[key] == right[key] or before.get(key) in (left[key], right[key]):
            continue
        sides = (left[key], right[key])
        waits = now[key].state in (State.NEW, State.CHANGED)
        lost = any(s.state is State.APPROVED for s in sides) and now[key].state != State.APPROVED
        was = before.get(key)
        lifted = was and was.denied is not None and any(s.denied is None for s in sides)
        lifted = lifted and now[key].denied is not None
        asked = not any(s.state is State.DENIED for s in sides) and now[key].confirm is None
        if waits or lost or lifted or (asked and any(s.confirm for s in sides)):
            return True
    return False


def test_random_merges_through_the_driver(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("base", "ours", "theirs")]
    clean = 0
    for locks in triples(MERGES, 5):
        for path, lock in zip(files, locks, strict=True):
            path.write_bytes(format_lock(lock).encode())

        resolved = merge_files(*files, "mcp.lock")

        merged, canonical = read_lock(files[1].read_bytes(), "mcp.lock")
        assert canonical
        trusts_no_more(merged, *locks[1:])
        assert resolved.clean == (not disagree(*locks, merged))
        clean += resolved.clean
    assert MERGES / 20 < clean < MERGES * 19 / 20
    print(f"{MERGES:,} merges through the driver: {clean:,} without a word")


def test_merges_by_git_itself(tmp_path: Path) -> None:
    """The same through `git merge`: what git is told is what the function answers."""
    git = Repository(tmp_path)
    stopped = 0
    for base, ours, theirs in triples(BY_GIT, 3):
        git.commits(base, ours, theirs)
        expected = driven(tmp_path, base, ours, theirs)
        if ours in (base, theirs) or theirs == base:
            continue  # git asks no driver

        code = git.run("merge", "--quiet", "--no-edit", "theirs", check=False)

        assert code == (0 if expected.clean else 1)
        merged, canonical = read_lock((tmp_path / "work" / "mcp.lock").read_bytes(), "mcp.lock")
        assert canonical
        trusts_no_more(merged, ours, theirs)
        stopped += code
    assert 0 < stopped < BY_GIT


def driven(directory: Path, *locks: Lock) -> Resolved:
    files = [directory / name for name in ("base", "ours", "theirs")]
    for path, lock in zip(files, locks, strict=True):
        path.write_bytes(format_lock(lock).encode())
    return merge_files(*files, "mcp.lock")


class Repository:
    """A repository that was set up, and whose branches are made anew for each merge."""

    def __init__(self, directory: Path) -> None:
        self._root = directory / "work"
        self._root.mkdir()
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self._environ = {**os.environ, "PATH": path, "HOME": str(directory)}
        self._environ |= {"GIT_CONFIG_NOSYSTEM": "1", "XDG_CONFIG_HOME": str(directory)}
        self.run("init", "--quiet", "--initial-branch=ours")
        self.run("config", "user.name", "n")
        self.run("config", "user.email", "e@example.com")
        install(Git(self._root, self._environ, everywhere=False))

    def run(self, *words: str, given: bytes = b"", check: bool = True) -> int:
        return subprocess.run(
            ["git", *words],
            cwd=self._root,
            env=self._environ,
            input=given,
            capture_output=True,
            check=check,
        ).returncode

    def commits(self, base: Lock, ours: Lock, theirs: Lock) -> None:
        """Let `ours` and `theirs` be branches that begin at a commit of `base`."""
        attributes = (self._root / ".gitattributes").read_bytes()
        stream = b"".join(
            [
                _commit("base", "", {".gitattributes": attributes, "mcp.lock": _text(base)}),
                _commit("ours", "refs/heads/base", {"mcp.lock": _text(ours)}),
                _commit("theirs", "refs/heads/base", {"mcp.lock": _text(theirs)}),
            ]
        )
        self.run("fast-import", "--quiet", "--force", given=stream)
        self.run("reset", "--quiet", "--hard", "ours")


def _text(lock: Lock) -> bytes:
    return format_lock(lock).encode()


def _commit(name: str, parent: str, files: dict[str, bytes]) -> bytes:
    """A commit on the branch `name`, as `git fast-import` reads it."""
    head = f"reset refs/heads/{name}\ncommit refs/heads/{name}\n"
    head += "committer n <e@example.com> 1700000000 +0000\ndata 1\nx\n"
    head += f"from {parent}\n" if parent else ""
    body = b"".join(
        b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(data), data)
        for path, data in files.items()
    )
    return head.encode() + body


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
