"""`check`: manifest = lock = upstream, and all of it reviewed. Never writes."""

from collections.abc import Collection, Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from mcplock.changes import Change
from mcplock.lockfile import LockFile
from mcplock.manifest import Server
from mcplock.model import Issue, Kind, Lock, LockedServer, Snapshot, Stage, State, Status
from mcplock.naming import label, typed
from mcplock.text import visible
from mcplock.workflow.absorb import absorb
from mcplock.workflow.contact import Answers, Contact, ask
from mcplock.workflow.form import form_notes
from mcplock.workflow.project import Project
from mcplock.workflow.report import Report, review_statuses, server_report, tool_count
from mcplock.workflow.review import invalid_because, waiting_entries
from mcplock.workflow.servers import lacks, source_changes

ONLINE = "locked, reviewed and unchanged"
OFFLINE = "locked and reviewed; no server was asked"


@dataclass(frozen=True, slots=True)
class Leniency:
    """What the gate is told to let pass.

    unreviewed: entries that nobody approved; unreachable: globs of servers that need not
    answer, be resolved or authorised.
    """

    unreviewed: bool = False
    unreachable: Collection[str] = ()

    def tolerated(self, server: str) -> frozenset[Status]:
        """The statuses of `server` that do not count."""
        passed = frozenset({Status.UNREVIEWED}) if self.unreviewed else frozenset()
        if any(fnmatchcase(server, pattern) for pattern in self.unreachable):
            passed |= {Status.UNREACHABLE, Status.UNRESOLVED}
        return passed


@dataclass(slots=True)
class _Judged:
    """What is found of one server while the run goes on."""

    statuses: set[Status] = field(default_factory=set)
    changes: list[Change] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Base:
    """A git revision to list the decisions since; frozen: each of them is a no."""

    revision: str
    frozen: bool = False


def check(
    project: Project, contact: Contact | None, leniency: Leniency, base: Base | None = None
) -> Report:
    """Judge the project; without a `contact` upstream is not asked.

    Raises `MissingFile` without a lock, `FaultyFile` for a broken one, `UsageError` for a
    revision that there is not.
    """
    file = project.lock()
    if base is None:
        return judge(project, file, contact, leniency)
    from mcplock.workflow.decisions import decisions_since

    decided = decisions_since(project, file.lock, base.revision)
    report = judge(project, file, contact, leniency)
    return replace(report, decisions=decided, since=base.revision, frozen=base.frozen)


def judge(
    project: Project,
    file: LockFile,
    contact: Contact | None,
    leniency: Leniency,
    *,
    only: Container[str] | None = None,
) -> Report:
    """Judge the project by the lock `file`; `only`: these servers."""
    lock = file.lock
    servers = project.manifest.servers
    names = sorted(name for name in {*servers, *lock.servers} if only is None or name in only)
    judged = {name: _local(name, lock.servers.get(name), servers.get(name)) for name in names}
    if contact:
        ready = [server for server in servers.values() if _to_ask(lock, server, judged)]
        _upstream(lock, ask(project, ready, lock, contact), judged)
    reports = {
        name: server_report(
            judged[name].statuses, tool_count(lock.servers.get(name)), leniency.tolerated(name)
        )
        for name in names
    }
    changes = [change for name in names for change in judged[name].changes]
    unreviewed = [name for name in names if Status.UNREVIEWED in judged[name].statuses]
    return Report(
        servers=reports,
        changes=changes,
        issues=[issue for name in names for issue in judged[name].issues],
        notes=form_notes(file),
        waiting=waiting_entries(lock, unreviewed),
        claim=ONLINE if contact else OFFLINE,
    )


def _local(name: str, locked: LockedServer | None, server: Server | None) -> _Judged:
    """What manifest and lock alone say of one server."""
    judged = _Judged()
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
        judged.issues += _invalid(name, locked)
    return judged


def _barred(name: str, locked: LockedServer) -> Issue:
    message = f"is not started, for its source is denied: {visible(locked.source.denied or '')}"
    return Issue(name, Stage.START, message, hint=f"`mcplock reset {typed(f'@{name}')}`")


def _invalid(name: str, locked: LockedServer) -> list[Issue]:
    """What nobody can approve; it is a warning, and the others are not affected."""
    return [
        Issue(
            name,
            Stage.TOOL,
            f"{visible(label(name, kind, definition))} is invalid: {invalid_because(entry)}",
            name=definition,
        )
        for kind, definition, entry in locked.entries()
        if entry.invalid and entry.state is State.INVALID
    ]


def _to_ask(lock: Lock, server: Server, judged: Container[str]) -> bool:
    locked = lock.servers.get(server.name)
    usable = server.name in judged and not server.disabled and not server.refused
    return usable and locked is not None and not locked.barred and not lacks(locked, server)


def _upstream(lock: Lock, answers: Answers, judged: Mapping[str, _Judged]) -> None:
    for issue in answers.issues:
        judged[issue.server].issues.append(issue)
    drifted: dict[str, Snapshot] = {}
    for name, snapshot in answers.snapshots.items():
        if snapshot.failure:
            judged[name].statuses.add(snapshot.status)
            continue
        locked = lock.servers[name]
        after = absorb(locked, snapshot, locked.source)
        if after is not locked:
            judged[name].statuses.add(Status.DRIFT)
            judged[name].issues += _misjudged(name, locked, after)
            drifted[name] = snapshot
    if drifted:
        _show(lock, answers, drifted, judged)


def _show(
    lock: Lock,
    answers: Answers,
    drifted: Mapping[str, Snapshot],
    judged: Mapping[str, _Judged],
) -> None:
    """What differs, told only where something does."""
    from mcplock.audit import skeletons_of
    from mcplock.changes import compare_server

    names = skeletons_of(lock, _listed(answers))
    for name, snapshot in drifted.items():
        judged[name].changes += compare_server(name, lock.servers[name], snapshot, names)


def _misjudged(server: str, locked: LockedServer, after: LockedServer) -> Iterator[Issue]:
    """Entries whose text is as locked, but not whether it may be approved: `invalid` was edited."""
    held = {(kind, name): entry for kind, name, entry in locked.entries()}
    for kind, name, entry in after.entries():
        old = held.get((kind, name))
        if old and old.hash == entry.hash and old.invalid != entry.invalid:
            said = f"is locked as {old.invalid or 'valid'} and is {entry.invalid or 'valid'}"
            message = f"{visible(label(server, kind, name))} {said}"
            yield Issue(server, Stage.TOOL, message, name, f"`mcplock update {visible(server)}`")


def _listed(answers: Answers) -> Iterator[str]:
    for snapshot in answers.snapshots.values():
        yield from snapshot.of(Kind.TOOL)
