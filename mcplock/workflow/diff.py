"""`diff`: the lock against upstream, against another state of it, against what was approved."""

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from mcplock.changes import Change, compare_locks
from mcplock.errors import MissingFile, UnknownName, UsageError
from mcplock.history import Repository, lock_at
from mcplock.lockfile import load
from mcplock.model import Lock, Status
from mcplock.naming import entries_of, nearest
from mcplock.text import visible
from mcplock.workflow.check import judge
from mcplock.workflow.contact import Contact
from mcplock.workflow.local import Leniency
from mcplock.workflow.pending import pending_changes
from mcplock.workflow.project import Machine, Project
from mcplock.workflow.report import Report, ServerReport, server_report, tool_count


def lock_of(word: str, path: Path, machine: Machine) -> Lock:
    """The lock that `word` names: a file, else the lock at `path` in a git revision."""
    file = Path(word)
    if file.is_file():
        return load(file).lock
    try:
        return lock_at(Repository(path.parent, machine.environ), word, path.name)
    except (MissingFile, UsageError) as error:
        raise UsageError(f"{error.message}, and no such file either") from None


def diff_upstream(project: Project, contact: Contact, globs: Sequence[str]) -> Report:
    """The lock against what the servers say now."""
    file = project.lock()
    names = matching(globs, [*project.manifest.servers, *file.lock.servers])
    found = judge(project, file, contact, Leniency(), only=names)
    return Report(
        servers={name: _content_only(server) for name, server in found.servers.items()},
        changes=found.changes,
        issues=found.issues,
    )


def _content_only(server: ServerReport) -> ServerReport:
    """What is to be said of a server apart from review."""
    return server_report(set(server.statuses) - {Status.UNREVIEWED, Status.OK}, server.tools)


def diff_locks(old: Lock, new: Lock, globs: Sequence[str]) -> Report:
    """One state of a lock against another: contents and decisions."""
    names = matching(globs, [*old.servers, *new.servers])
    changes = [change for change in compare_locks(old, new) if change.server in names]
    return _report(changes, new)


def diff_unreviewed(path: Path, machine: Machine, globs: Sequence[str]) -> Report:
    """What waits in the lock at `path`, against what was approved of it."""
    lock = load(path).lock
    names = matching(globs, lock.servers)
    entries = [named for named in entries_of(lock) if named.server in names]
    return _report(pending_changes(lock, entries, path, machine), lock)


def _report(changes: Sequence[Change], lock: Lock) -> Report:
    names = dict.fromkeys(change.server for change in changes)
    return Report(
        servers={
            name: server_report({Status.DRIFT}, tool_count(lock.servers.get(name)))
            for name in names
        },
        changes=changes,
    )


def matching(globs: Sequence[str], names: Collection[str]) -> set[str]:
    """Those of `names` that a glob fits, all without any; `UsageError` for one that fits none."""
    found: set[str] = set()
    for glob in globs:
        fitting = {glob} if glob in names else {n for n in names if fnmatchcase(n, glob)}
        if not fitting:
            near = nearest(glob, names)
            message = f"no server is called {visible(glob)}"
            raise UnknownName(f"{message}; {near}" if near else message, glob)
        found |= fitting
    return found if globs else set(names)
