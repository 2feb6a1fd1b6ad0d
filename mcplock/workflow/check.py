"""`check`: manifest = lock = upstream, and all of it reviewed. Never writes."""

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from mcplock.lockfile import LockFile
from mcplock.manifest import Server
from mcplock.model import Issue, Kind, Lock, LockedServer, Snapshot, Stage, Status
from mcplock.records import NamedTuple
from mcplock.text import visible
from mcplock.workflow.local import Judged, Leniency, judge_offline, judged_locally, report_of
from mcplock.workflow.project import Project
from mcplock.workflow.report import Report
from mcplock.workflow.servers import lacks, named_in

if TYPE_CHECKING:  # `check --offline` loads nothing of what reaches a server
    from mcplock.workflow.contact import Answers, Contact

ONLINE = "locked, reviewed and unchanged"


class Base(NamedTuple):
    """A git revision to list the decisions since; frozen: each of them is a no."""

    revision: str
    frozen: bool = False


def check(
    project: Project,
    contact: "Contact | None",
    leniency: Leniency,
    base: Base | None = None,
    names: Sequence[str] = (),
) -> Report:
    """Judge the project, or the servers called `names`; without a `contact` upstream is not asked.

    Raises `MissingFile` without a lock, `FaultyFile` for a broken one, `UsageError` for a
    revision or a server that there is not.
    """
    file = project.lock()
    only = named_in(project, file.lock, names) if names else None
    if base is None:
        return _judged(project, file, contact, leniency, only)
    from mcplock.workflow.decisions import decisions_since

    decided = decisions_since(project, file.lock, base.revision)
    if only is not None:  # what is of no server, such as the policy, is of each
        decided = [change for change in decided if not change.server or change.server in only]
    report = _judged(project, file, contact, leniency, only)
    return report._replace(decisions=decided, since=base.revision, frozen=base.frozen)


def _judged(
    project: Project,
    file: LockFile,
    contact: "Contact | None",
    leniency: Leniency,
    only: Collection[str] | None,
) -> Report:
    report = judge(project, file, contact, leniency, only=only)
    if only is not None:
        report = report._replace(total=len({*project.manifest.servers, *file.lock.servers}))
    return _with_differences(project, file, report)


def _with_differences(project: Project, file: LockFile, report: Report) -> Report:
    """The report with what differs in entries that wait since their approval."""
    moved = [row.named for row in report.waiting if row.named.entry.approved]
    if not moved:
        return report
    from mcplock.workflow.pending import pending_changes

    found = pending_changes(file.lock, moved, file.path, project.machine)
    changes = {(change.server, change.what, change.name): change for change in found}
    waiting = [row._replace(change=changes.get(row.named.key)) for row in report.waiting]
    return report._replace(waiting=waiting)


def judge(
    project: Project,
    file: LockFile,
    contact: "Contact | None",
    leniency: Leniency,
    *,
    only: Container[str] | None = None,
) -> Report:
    """Judge the project by the lock `file`; `only`: these servers."""
    if contact is None:
        return judge_offline(project, file, leniency, only=only)
    from mcplock.workflow.contact import ask

    lock = file.lock
    judged = judged_locally(project, lock, only)
    ready = [s for s in project.manifest.servers.values() if _to_ask(lock, s, judged)]
    _upstream(project, lock, ask(project, ready, lock, contact), judged)
    return report_of(file, judged, leniency, ONLINE)


def _to_ask(lock: Lock, server: Server, judged: Container[str]) -> bool:
    locked = lock.servers.get(server.name)
    usable = server.name in judged and not server.disabled and not server.refused
    return usable and locked is not None and not locked.barred and not lacks(locked, server)


def _upstream(
    project: Project, lock: Lock, answers: "Answers", judged: Mapping[str, Judged]
) -> None:
    from mcplock.workflow.absorb import absorb

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
        _show(project, lock, answers, drifted, judged)


def _show(
    project: Project,
    lock: Lock,
    answers: "Answers",
    drifted: Mapping[str, Snapshot],
    judged: Mapping[str, Judged],
) -> None:
    """What differs, told only where something does."""
    from mcplock.audit import skeletons_of
    from mcplock.changes import compare_server, with_surroundings
    from mcplock.changes.denied import with_denied

    facts = project.facts()
    before = {name: locked.info for name, locked in lock.servers.items()}
    after = {name: snapshot.info for name, snapshot in drifted.items()}
    names = skeletons_of(lock, _listed(answers))
    for name, snapshot in drifted.items():
        changes = compare_server(name, lock.servers[name], snapshot, names)
        told = with_denied(changes, lock)
        judged[name].changes += with_surroundings(told, facts, before, after)


def _misjudged(server: str, locked: LockedServer, after: LockedServer) -> Iterator[Issue]:
    """Entries whose text is as locked, but not whether it may be approved: `invalid` was edited."""
    from mcplock.naming import label

    held = {(kind, name): entry for kind, name, entry in locked.entries()}
    for kind, name, entry in after.entries():
        old = held.get((kind, name))
        if old and old.hash == entry.hash and old.invalid != entry.invalid:
            said = f"is locked as {old.invalid or 'valid'} and is {entry.invalid or 'valid'}"
            message = f"{visible(label(server, kind, name))} {said}"
            yield Issue(server, Stage.TOOL, message, name, f"`mcplock update {visible(server)}`")


def _listed(answers: "Answers") -> Iterator[str]:
    for snapshot in answers.snapshots.values():
        yield from snapshot.of(Kind.TOOL)
