"""What manifest and lock alone say: the part of the gate that asks no server."""

from collections.abc import Collection, Container, Iterable, Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from mcplock.lockfile import LockFile
from mcplock.manifest import Server
from mcplock.model import Issue, Lock, LockedServer, Stage, State, Status
from mcplock.records import NamedTuple
from mcplock.text import visible
from mcplock.workflow.form import form_notes
from mcplock.workflow.project import Project
from mcplock.workflow.report import (
    Report,
    denied_count,
    review_statuses,
    server_report,
    tool_count,
)
from mcplock.workflow.review import invalid_because, waiting_entries
from mcplock.workflow.servers import lacks, source_changes

if TYPE_CHECKING:  # where nothing differs, changes are not even loaded
    from mcplock.changes import Change

OFFLINE = "locked and reviewed; no server was asked"


class Leniency(NamedTuple):
    """What the gate is told to let pass.

    unreviewed: entries that nobody approved; unreachable: globs of servers that need not
    answer, be resolved or authorised.
    """

    unreviewed: bool = False
    unreachable: Collection[str] = ()

    def tolerated(self, server: str, issues: Iterable[Issue] = ()) -> frozenset[Status]:
        """The statuses of `server` that do not count; a bug of mcplock's is no outage of it."""
        passed = frozenset({Status.UNREVIEWED}) if self.unreviewed else frozenset()
        is_bug = any(issue.bug for issue in issues)
        if not is_bug and any(fnmatchcase(server, pattern) for pattern in self.unreachable):
            passed |= {Status.UNREACHABLE, Status.UNRESOLVED}
        return passed


class Judged:
    """What is found of one server while the run goes on."""

    def __init__(self) -> None:
        self.statuses: set[Status] = set()
        self.changes: list[Change] = []
        self.issues: list[Issue] = []
        self.invalid = 0


def judge_offline(
    project: Project, file: LockFile, leniency: Leniency, *, only: Container[str] | None = None
) -> Report:
    """Judge the project by the lock `file` and ask nobody; `only`: these servers."""
    judged = judged_locally(project, file.lock, only)
    return report_of(file, judged, leniency, OFFLINE)


def judged_locally(
    project: Project, lock: Lock, only: Container[str] | None = None
) -> dict[str, Judged]:
    """What manifest and lock say of each server, or of `only` these, in order of their names."""
    servers = project.manifest.servers
    names = sorted(name for name in {*servers, *lock.servers} if only is None or name in only)
    return {name: _judged(name, lock.servers.get(name), servers.get(name)) for name in names}


def report_of(
    file: LockFile, judged: Mapping[str, Judged], leniency: Leniency, claim: str
) -> Report:
    """The report on what is `judged`; claim: what `ok` means in it."""
    lock = file.lock
    reports = {
        name: server_report(
            of.statuses,
            tool_count(lock.servers.get(name)),
            leniency.tolerated(name, of.issues),
            denied_count(lock.servers.get(name)),
            of.invalid,
        )
        for name, of in judged.items()
    }
    unreviewed = [name for name, of in judged.items() if Status.UNREVIEWED in of.statuses]
    return Report(
        servers=reports,
        changes=[change for of in judged.values() for change in of.changes],
        issues=[issue for of in judged.values() for issue in of.issues],
        notes=form_notes(file),
        waiting=waiting_entries(lock, unreviewed),
        claim=claim,
    )


def _judged(name: str, locked: LockedServer | None, server: Server | None) -> Judged:
    """What manifest and lock alone say of one server."""
    judged = Judged()
    if server is None:
        from mcplock.changes import compare_server

        judged.statuses.add(Status.DRIFT)
        judged.changes += compare_server(name, locked, None)
        return judged
    if server.disabled:
        judged.statuses.add(Status.DISABLED)
        return judged
    if locked and locked.barred:
        judged.statuses.add(Status.DISABLED)
        judged.issues.append(_barred(name, locked))
        return judged
    if server.refused:
        judged.statuses.add(Status.UNRESOLVED)
        judged.issues.append(server.refused)
    elif locked is None:
        judged.statuses.add(Status.UNLOCKED)
    elif lacks(locked, server):
        judged.statuses.add(Status.DRIFT)
        judged.changes += source_changes(locked, server)
    if locked:
        judged.statuses |= review_statuses(locked)
        invalid = _invalid(name, locked)
        judged.issues += invalid
        judged.invalid = len(invalid)
    return judged


def _barred(name: str, locked: LockedServer) -> Issue:
    from mcplock.naming import typed

    message = f"is not started, for its source is denied: {visible(locked.source.denied or '')}"
    return Issue(name, Stage.START, message, hint=f"`mcplock reset {typed(f'@{name}')}`")


def _invalid(name: str, locked: LockedServer) -> list[Issue]:
    """What nobody can approve, as warnings; the others are not affected."""
    found = [row for row in locked.entries() if row[2].invalid and row[2].state is State.INVALID]
    if not found:
        return []
    from mcplock.naming import label

    return [
        Issue(
            name,
            Stage.TOOL,
            f"{visible(label(name, kind, definition))} is invalid: {invalid_because(entry)}",
            name=definition,
        )
        for kind, definition, entry in found
    ]
