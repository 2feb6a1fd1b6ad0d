"""Answers of servers into the lock, in one write."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from mcplock.audit import audit_lock, skeletons_of
from mcplock.changes import Change, compare_server, with_surroundings
from mcplock.changes.denied import with_denied
from mcplock.errors import Exit
from mcplock.history import Cache
from mcplock.lockfile import edit
from mcplock.marks import Marks
from mcplock.model import Issue, Lock, LockedServer, Snapshot
from mcplock.naming import entries_of
from mcplock.workflow.absorb import absorb
from mcplock.workflow.contact import Answers
from mcplock.workflow.decide import LeftOut, Verdict, approval, with_entries
from mcplock.workflow.pending import Findings, findings_of_renamed
from mcplock.workflow.project import Project, source_entry
from mcplock.workflow.renamed import inherited
from mcplock.workflow.report import ServerReport, review_statuses, server_report, tool_count
from mcplock.workflow.review import Waiting, waiting_entries


@dataclass(frozen=True, slots=True)
class Written:
    """What `install` or `update` did to the lock, or with `--dry-run` would do.

    lock: as it is now; wrote: whether the file changed; servers: those that were asked;
    changes: against the lock before; failed: servers of which nothing was written;
    approved: how many entries `baseline` approved; held_back: those that it did not, and
    why. waiting: what a person has still to decide on; dropped: servers of the lock that the
    manifest has no more, of which nothing is to be decided.
    """

    lock: Lock
    wrote: bool
    servers: Mapping[str, ServerReport] = field(default_factory=dict)
    changes: Sequence[Change] = ()
    issues: Sequence[Issue] = ()
    failed: Sequence[str] = ()
    approved: int = 0
    held_back: Sequence[LeftOut] = ()
    waiting: Sequence[Waiting] = ()
    dropped: Sequence[str] = ()

    @property
    def exit_code(self) -> Exit:
        """An entry to review is no failure here; a server without an answer is."""
        return Exit.FAILED if self.failed else Exit.OK


def commit(
    project: Project,
    answers: Answers,
    *,
    gone: Collection[str] = (),
    moved: Collection[str] = (),
    baseline: bool = False,
    write: bool = True,
) -> Written:
    """Take the answers into the lock as it is on disk now; other writers' work stays.

    gone: servers to drop; moved: servers with a new name that were not asked, since their
    source is denied.
    """
    good = {name: answer for name, answer in answers.snapshots.items() if not answer.failure}
    before = Lock()
    held_back: list[LeftOut] = []

    def change(lock: Lock) -> Lock:
        nonlocal before, held_back
        before = lock
        after = _merged(project, lock, good, gone, moved)
        if baseline:
            after, held_back = _baseline(lock, after)
        return after

    if answers.snapshots and not good and not project.lock_path.exists():
        write = False  # no server answered: an empty lock would look like a decision
    after, wrote = edit(project.lock_path, change, write=write)
    approved = [
        named.entry
        for named in entries_of(after)
        if named.server not in before.servers and named.entry.approved
    ]
    Cache(project.machine.state_dir).remember(approved)
    if write:
        Marks(project.machine.state_dir, project.manifest.path).clear({*good, *gone})
    kept = [name for name in after.servers if name in project.manifest.servers]
    return Written(
        lock=after,
        wrote=wrote,
        servers={
            name: _report(answer, after.servers.get(name))
            for name, answer in answers.snapshots.items()
        },
        changes=_changes(project, before, after, {*good, *gone, *moved}),
        issues=answers.issues,
        failed=[name for name in answers.snapshots if name not in good],
        approved=len(approved),
        held_back=held_back,
        waiting=waiting_entries(after, kept),
        dropped=[name for name in after.servers if name not in kept],
    )


def _changes(project: Project, before: Lock, after: Lock, servers: Collection[str]) -> list[Change]:
    names = skeletons_of(after)
    changes = [
        change
        for server in sorted(servers)
        for change in compare_server(
            server, before.servers.get(server), after.servers.get(server), names
        )
    ]
    infos = [
        {name: locked.info for name, locked in lock.servers.items()} for lock in (before, after)
    ]
    return with_surroundings(with_denied(changes, after), project.facts(), *infos)


def _report(answer: Snapshot, locked: LockedServer | None) -> ServerReport:
    statuses = {answer.status} if answer.failure else review_statuses(locked)
    return server_report(statuses, tool_count(locked))


def _merged(
    project: Project,
    lock: Lock,
    good: Mapping[str, Snapshot],
    gone: Collection[str],
    moved: Collection[str],
) -> Lock:
    servers = {name: locked for name, locked in lock.servers.items() if name not in gone}
    denied = inherited(lock, project.manifest.servers)
    servers |= {name: denied[name] for name in moved if name in denied}
    for name, snapshot in good.items():
        source = source_entry(project.manifest.servers[name].source)
        locked = absorb(servers.get(name, denied.get(name)), snapshot, source)
        if name not in servers:
            locked = locked._replace(protocol=snapshot.protocol, info=snapshot.info)
        servers[name] = locked
    return Lock({name: servers[name] for name in sorted(servers)})


def _baseline(before: Lock, after: Lock) -> tuple[Lock, list[LeftOut]]:
    """`after` with all servers that are new in it approved, and what could not be."""
    added = [named for named in entries_of(after) if named.server not in before.servers]
    findings: Findings = dict(audit_lock(after, {named.key for named in added}))
    for key, compared in findings_of_renamed(before, after).items():
        findings[key] = (*compared, *findings.get(key, ()))
    judge = approval()
    verdicts: list[Verdict] = []
    left_out: list[LeftOut] = []
    for named in added:
        match judge(named, True, findings.get(named.key, ())):
            case LeftOut() as reason:
                left_out.append(reason)
            case entry:
                verdicts.append(Verdict(named, entry))
    return with_entries(after, verdicts), left_out
