"""What waits for review, against what was approved."""

from collections.abc import Callable, Iterable, Sequence, Set
from contextlib import suppress
from itertools import groupby, islice
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
from mcplock.changes.denied import with_denied
from mcplock.changes.renames import with_renames, with_resemblances
from mcplock.errors import FaultyFile
from mcplock.history import Cache, Repository, old_contents
from mcplock.lockfile import read_lock
from mcplock.model import SECTIONS, Entry, Kind, Lock, LockedServer, State
from mcplock.naming import Named
from mcplock.workflow.project import Machine


def pending_changes(
    lock: Lock, entries: Iterable[Named], path: Path, machine: Machine
) -> list[Change]:
    """Those of `entries` that wait, each against what was approved of it.

    The approved text comes from this machine's cache or from the git history of the lock
    at `path`; where it is in neither, only its hash is known. What is like something that was
    decided on here, and is gone, says so: what was denied stays in the lock, what was approved
    git may have. So does what seems to differ with the machine alone.
    """
    waiting = [named for named in entries if named.entry.waits]
    hashes = {named.entry.approved for named in waiting if named.entry.approved}
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
    servers = {named.server for named in waiting if _may_be_renamed(named)}
    gone = _gone(lock, servers, repository, path)
    found = [
        change
        for server, own in groupby(told, lambda change: change.server)
        for change in _beside_gone(list(own), lock.servers[server], gone.get(server, {}))
    ]
    return with_denied(found, lock)


_Gone = dict[tuple[Kind, str], Entry]
_VERSIONS = 5  # of the lock: a rename is news when it came, not for ever
_SECTIONS = frozenset(section.kind for section in SECTIONS)


def _may_be_renamed(named: Named) -> bool:
    return named.kind in _SECTIONS and named.entry.state is State.NEW


def _gone(lock: Lock, servers: Set[str], repository: Repository, path: Path) -> dict[str, _Gone]:
    """By server, what was decided on in the last locks that git has, and is in `lock` no more."""
    found: dict[str, _Gone] = {}
    for data in islice(repository.versions(path.name), _VERSIONS) if servers else ():
        with suppress(FaultyFile):
            before, _ = read_lock(data, path.name)
            for server in servers & before.servers.keys():
                for kind, name, entry in before.servers[server].entries():
                    if _was_decided(kind, entry) and name not in lock.servers[server].of(kind):
                        found.setdefault(server, {}).setdefault((kind, name), entry)
    return found


def _was_decided(kind: Kind, entry: Entry) -> bool:
    return kind in _SECTIONS and entry.state in (State.APPROVED, State.DENIED)


def _beside_gone(changes: Sequence[Change], locked: LockedServer, gone: _Gone) -> list[Change]:
    """`changes` of one server, held against what it said before: what was denied above all."""
    server = changes[0].server
    denied = {(kind, name): entry for kind, name, entry in locked.entries() if entry.absent}
    told = _held_against(changes, _removals(server, denied), with_renames)
    # A commit is anybody's: what it had approved makes nothing "otherwise identical".
    return _held_against(told, _removals(server, gone), with_resemblances)


def _removals(server: str, gone: _Gone) -> list[Change]:
    return [
        compare_entries(server, kind, name, entry, None) for (kind, name), entry in gone.items()
    ]


def _held_against(
    changes: Sequence[Change],
    removals: Sequence[Change],
    compare: Callable[[Sequence[Change]], list[Change]],
) -> list[Change]:
    told = compare([*changes, *removals]) if removals else changes
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
