"""What waits for review, against what was approved."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from mcplock.audit import Finding, audit_lock, skeletons_of
from mcplock.changes import (
    Change,
    ChangeKind,
    Facts,
    compare_entries,
    compare_server,
    with_surroundings,
)
from mcplock.changes.renames import with_renames
from mcplock.history import Cache, Repository, old_contents
from mcplock.model import WAITING, Entry, Kind, Lock, LockedServer, State
from mcplock.naming import Named
from mcplock.workflow.project import Machine


def pending_changes(
    lock: Lock, entries: Iterable[Named], path: Path, machine: Machine
) -> list[Change]:
    """Those of `entries` that wait, each against what was approved of it.

    The approved text comes from this machine's cache or from the git history of the lock
    at `path`; where it is in neither, only its hash is known. What is like something that was
    denied here, and is gone, says so; so does what seems to differ with the machine alone.
    """
    waiting = [named for named in entries if named.entry.state in WAITING]
    hashes = {
        named.entry.approved
        for named in waiting
        if named.entry.state is State.CHANGED and named.entry.approved
    }
    cache = Cache(machine.state_dir)
    repository = Repository(path.parent, machine.environ)
    known = old_contents(hashes, path, cache, repository) if hashes else {}
    names = skeletons_of(lock)
    changes: list[Change] = []
    for named in waiting:
        approved = named.entry.approved
        old = Entry(approved, known.get(approved)) if approved in hashes else None
        changes.append(
            compare_entries(named.server, named.kind, named.name, old, named.entry, names)
        )
    facts = Facts.of(machine.environ, directory=str(path.parent.absolute()), host=machine.host)
    told = with_surroundings(changes, facts, {}, {})
    return [
        change
        for server, found in groupby(told, lambda change: change.server)
        for change in _beside_denied(list(found), lock.servers[server])
    ]


def _beside_denied(changes: Sequence[Change], locked: LockedServer) -> list[Change]:
    """`changes` of one server, held against what was denied of it and is gone."""
    ghosts = [
        compare_entries(changes[0].server, kind, name, entry, None)
        for kind, name, entry in locked.entries()
        if entry.absent
    ]
    told = with_renames([*changes, *ghosts]) if ghosts else changes
    return [change for change in told if change.kind is not ChangeKind.REMOVED]


Findings = dict[tuple[str, Kind, str], Sequence[Finding]]
"""By entry, as `Named.key` names it."""


def compared_findings(
    lock: Lock, entries: Sequence[Named], path: Path, machine: Machine
) -> Findings:
    """The findings of `entries`: in their texts, and of those that wait in what differs."""
    found: Findings = dict(audit_lock(lock, {named.key for named in entries}))
    for change in pending_changes(lock, entries, path, machine):
        found[change.server, Kind(change.what), change.name] = change.findings
    return found


def findings_of_renamed(before: Lock, after: Lock) -> Findings:
    """What comparison finds in servers that got another name: reached alike, new and gone."""
    found: Findings = {}
    gone = [old for name, old in before.servers.items() if name not in after.servers]
    for name, new in after.servers.items():
        for old in gone:
            if name not in before.servers and old.source.hash == new.source.hash:
                for change in compare_server(name, old, new):
                    found[name, Kind(change.what), change.name] = change.findings
    return found
