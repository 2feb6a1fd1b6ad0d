"""What waits for review, against what was approved."""

from collections.abc import Iterable
from pathlib import Path

from mcplock.audit import skeletons_of
from mcplock.changes import Change, compare_entries
from mcplock.history import Cache, Repository, old_contents
from mcplock.model import WAITING, Entry, Lock, State
from mcplock.naming import Named
from mcplock.workflow.project import Machine


def pending_changes(
    lock: Lock, entries: Iterable[Named], path: Path, machine: Machine
) -> list[Change]:
    """Those of `entries` that wait, each against what was approved of it.

    The approved text comes from this machine's cache or from the git history of the lock
    at `path`; where it is in neither, only its hash is known.
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
    changes = []
    for named in waiting:
        approved = named.entry.approved
        old = Entry(approved, known.get(approved)) if approved in hashes else None
        changes.append(
            compare_entries(named.server, named.kind, named.name, old, named.entry, names)
        )
    return changes
