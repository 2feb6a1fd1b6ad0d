"""Two branches that decide and update, merged by git line by line.

Whatever lines git puts together, no text is approved that neither branch approved, and what a
branch denied is denied, or gone from its place: never approved there.
"""

import random
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from mcplock.errors import FaultyFile
from mcplock.lockfile import format_lock, read_lock
from mcplock.model import Entry, Kind, Lock, LockedServer, Snapshot, State
from mcplock.naming import Named, entries_of
from mcplock.workflow.absorb import absorb
from mcplock.workflow.decide import LeftOut, Verdict, approval, deny, reset, with_entries
from tests.locks import SOURCE, entry, tool

PAIRS = 600
NAMES = ["add", "fetch", "list", "read", "remove", "search", "send", "write"]
SERVERS = ["calendar", "docs", "web"]
# Few texts, so that blocks look alike and git is led astray.
TEXTS = ["Does it.", "Does it well.", "Does it.\nAnd more.", "Does it.\nAnd more.\nAnd yet more."]


class Branch:
    """A lock on which somebody works, by the functions that the commands call."""

    def __init__(self, chance: random.Random, lock: Lock) -> None:
        self.chance = chance
        self.lock = lock

    def work(self, steps: int) -> Lock:
        """Do something `steps` times."""
        does = [self.approve, self.approve, self.deny, self.reset, self.change, self.change]
        does += [self.add_tool, self.remove_tool, self.add_server, self.remove_server]
        for _ in range(steps):
            self.chance.choice(does)()
        return self.lock

    def decide(self, judge) -> None:
        named = self.chance.choice(list(entries_of(self.lock)) or [None])
        if named is None:
            return
        after = judge(named, False, ())
        if not isinstance(after, LeftOut):
            self.lock = with_entries(self.lock, [Verdict(named, after)])

    def approve(self) -> None:
        self.decide(approval(note=self.chance.choice([None, "seen"])))

    def deny(self) -> None:
        self.decide(deny(self.chance.choice(["no", "not this one"])))

    def reset(self) -> None:
        self.decide(reset)

    def change(self) -> None:
        """A server says something else of some of its tools, or of itself."""

        def said(tools: dict[str, Entry]) -> dict[str, Entry]:
            name = self.chance.choice(NAMES)
            return tools | {name: tool(name, self.chance.choice(TEXTS))}

        self.answer(said)

    def add_tool(self) -> None:
        self.change()

    def remove_tool(self) -> None:
        def said(tools: dict[str, Entry]) -> dict[str, Entry]:
            gone = self.chance.choice([*tools, ""])
            return {name: held for name, held in tools.items() if name != gone}

        self.answer(said)

    def answer(self, said) -> None:
        if not self.lock.servers:
            return
        name = self.chance.choice(sorted(self.lock.servers))
        locked = self.lock.servers[name]
        present = {
            tool_name: entry(held.content)
            for tool_name, held in locked.of(Kind.TOOL).items()
            if not held.absent
        }
        snapshot = Snapshot(
            name,
            protocol=locked.protocol,
            instructions=entry(self.chance.choice(TEXTS)),
            definitions={Kind.TOOL: said(present)},
        )
        source = entry(SOURCE | {"args": [self.chance.choice(["-m", "-u"]), name]})
        self.put(name, absorb(locked, snapshot, source))

    def add_server(self) -> None:
        name = self.chance.choice(SERVERS)
        if name not in self.lock.servers:
            names = self.chance.sample(NAMES, 3)
            tools = {kept: tool(kept, self.chance.choice(TEXTS)) for kept in sorted(names)}
            source = entry(SOURCE | {"args": ["-m", name]})
            self.put(name, LockedServer(source, protocol="1", definitions={Kind.TOOL: tools}))

    def remove_server(self) -> None:
        servers = dict(self.lock.servers)
        servers.pop(self.chance.choice(SERVERS), None)
        self.lock = Lock(servers)

    def put(self, name: str, server: LockedServer) -> None:
        servers = {**self.lock.servers, name: server}
        self.lock = self.lock._replace(servers={key: servers[key] for key in sorted(servers)})


def base_lock(chance: random.Random) -> Lock:
    branch = Branch(chance, Lock())
    for _ in SERVERS:
        branch.add_server()
    return branch.work(chance.randint(0, 12))


def merged(directory: Path, base: Lock, ours: Lock, theirs: Lock) -> bytes | None:
    """What git makes of both, or None where it finds a conflict."""
    paths = []
    for name, lock in (("ours", ours), ("base", base), ("theirs", theirs)):
        paths.append(directory / name)
        paths[-1].write_bytes(format_lock(lock).encode())
    done = subprocess.run(
        ["git", "merge-file", "-p", "-q", *paths], capture_output=True, check=False
    )
    assert 0 <= done.returncode < 128, done
    return None if done.returncode else done.stdout


def entries(lock: Lock) -> dict[tuple[str, Kind, str], Named]:
    return {named.key: named for named in entries_of(lock)}


def approvals(lock: Lock) -> dict[tuple[str, Kind, str], str]:
    return {key: named.entry.approved for key, named in entries(lock).items()}


def denied(lock: Lock) -> set[tuple[str, Kind, str]]:
    return {key for key, named in entries(lock).items() if named.entry.denied is not None}


def moved(base: Lock, ours: Lock, theirs: Lock, both: Lock) -> bool:
    """Whether git took an entry for that of another server, whose text is the same.

    Fails where the merged lock trusts a text that nobody approved, or one that is denied.
    """
    given = approvals(ours).items() | approvals(theirs).items()
    held = entries(both)
    trusted = {key: named for key, named in held.items() if named.entry.state is State.APPROVED}
    assert {named.entry.hash for named in trusted.values()} <= {text for _, text in given}
    refused = denied(ours) & denied(theirs) | (denied(ours) | denied(theirs)) - denied(base)
    assert not refused & trusted.keys()
    strayed = any((key, named.entry.hash) not in given for key, named in trusted.items())
    return strayed or not refused <= denied(both)


def pair(chance: random.Random, directory: Path) -> str:
    base = base_lock(chance)
    ours = Branch(chance, base).work(chance.randint(1, 4))
    theirs = Branch(chance, base).work(chance.randint(1, 4))
    data = merged(directory, base, ours, theirs)
    if data is None:
        return "conflict"
    try:
        both, canonical = read_lock(data, "mcp.lock")
    except FaultyFile as error:
        assert str(error).startswith("mcp.lock:")
        return "fault"
    if moved(base, ours, theirs, both):
        return "clean, an entry under another server"
    if not canonical:
        return "clean, not canonical"
    return "clean, both changed" if base not in (ours, theirs) and ours != theirs else "clean"


def test_random_pairs_of_branches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts = Counter(pair(random.Random(seed), tmp_path) for seed in range(PAIRS))
    with capsys.disabled():
        print(f"\n{PAIRS} merges: {dict(counts.most_common())}")
    assert counts["conflict"] > PAIRS / 20
    assert counts["clean, both changed"] > PAIRS / 5
