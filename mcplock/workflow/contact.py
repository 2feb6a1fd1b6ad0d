"""Ask servers for their snapshots, with consent, one failure never hiding the others."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from mcplock.manifest import Server
from mcplock.model import (
    Issue,
    Kind,
    Lock,
    LockedServer,
    Snapshot,
    Source,
    Stage,
    Status,
    Transport,
)
from mcplock.records import NamedTuple
from mcplock.session import Progress, Target
from mcplock.workflow.project import Consent, Project, Start
from mcplock.workflow.servers import strangers

if TYPE_CHECKING:
    from mcplock.logins import Logins


class Contact(NamedTuple):
    """What a run needs to ask servers.

    consent: asked for sources that this machine does not trust; remember: whether a yes
    holds from now on; accept_empty: an empty listing where there were tools is an answer;
    hint: what to do where nobody can be asked; report: keeps what is needed to find a bug of
    mcplock's own, and says where.
    """

    consent: Consent
    progress: Progress
    remember: bool = False
    accept_empty: bool = False
    hint: str = "`mcplock trust`"
    report: Callable[[Exception], str] = lambda _: ""


class Answers(NamedTuple):
    """By server name: what it answered, or why there is no answer."""

    snapshots: Mapping[str, Snapshot]
    issues: Sequence[Issue] = ()


def untrusted(project: Project, servers: Sequence[Server], lock: Lock) -> list[Start]:
    """Those of `servers` whose source this machine has no consent for, and what is odd of it."""
    strange = strangers(project, servers)
    if not strange:
        return []
    from mcplock.audit import audit_entry, skeletons_of

    names = skeletons_of(lock, project.manifest.servers)
    starts = []
    for server in servers:
        if server.name not in strange:
            continue
        entry = strange[server.name]
        locked = lock.servers.get(server.name)
        moved = locked is not None and locked.source.hash != entry.hash
        was = Source.of(locked.source.content) if locked and moved else None
        findings = audit_entry(Kind.SOURCE, server.name, entry.content, names)
        starts.append(Start(server, entry.hash, was, findings))
    return starts


def ask(project: Project, servers: Sequence[Server], lock: Lock, contact: Contact) -> Answers:
    """Contact `servers`, all at once; refused and untrusted ones are answered for here.

    A declined consent raises, and nothing was started. Nobody there to be asked: the
    untrusted servers get the status `untrusted`, the others are contacted.
    """
    answers = {server.name: _refused(server) for server in servers if server.refused}
    able = [server for server in servers if not server.refused]
    strange = untrusted(project, able, lock)
    if strange and not contact.consent(strange):
        names = {start.server.name for start in strange}
        answers |= {name: _untrusted(name, contact.hint) for name in names}
        able = [server for server in able if server.name not in names]
    elif strange and contact.remember:
        project.trust.remember([start.hash for start in strange])
    targets = [Target(server, _protocol(lock, server.name)) for server in able]
    if targets:
        from mcplock.session import claim, snapshots

        if project.machine.alone:
            claim()
        answers |= snapshots(
            targets,
            directory=project.manifest.directory,
            environ=project.machine.environ,
            client_name=project.manifest.client_name,
            progress=contact.progress,
            ca_file=project.machine.ca_file,
            logins=_logins(project, able),
        )
    answers = {name: _reported(answer, contact) for name, answer in answers.items()}
    if not contact.accept_empty:
        answers = {
            name: _not_emptied(answer, lock.servers.get(name)) for name, answer in answers.items()
        }
    answers = {name: answers[name] for name in sorted(answers)}  # not as they came in
    return Answers(answers, [issue for answer in answers.values() for issue in _issues(answer)])


def _logins(project: Project, servers: Sequence[Server]) -> "Logins | None":
    """Where this machine is logged in; where only processes are started nobody asks."""
    if all(server.source.type is Transport.STDIO for server in servers):
        return None
    from mcplock.logins import Logins

    return Logins(project.machine.state_dir)


def _protocol(lock: Lock, name: str) -> str | None:
    locked = lock.servers.get(name)
    return locked.protocol if locked else None


def _issues(snapshot: Snapshot) -> list[Issue]:
    own = list(snapshot.issues)
    return [snapshot.failure, *own] if snapshot.failure else own


def _refused(server: Server) -> Snapshot:
    return Snapshot(server.name, failure=server.refused, status=Status.UNRESOLVED)


def _untrusted(name: str, hint: str) -> Snapshot:
    message = "this machine has no consent to start it, so it was not started"
    issue = Issue(name, Stage.START, message, hint=hint)
    return Snapshot(name, failure=issue, status=Status.UNTRUSTED)


def _reported(snapshot: Snapshot, contact: Contact) -> Snapshot:
    failure = snapshot.failure
    if failure is None or failure.bug is None:
        return snapshot
    return snapshot._replace(failure=failure._replace(hint=contact.report(failure.bug)))


def _not_emptied(snapshot: Snapshot, locked: LockedServer | None) -> Snapshot:
    """An empty listing where there were tools is an outage until a person says otherwise."""
    if locked is None or snapshot.failure or snapshot.of(Kind.TOOL):
        return snapshot
    had = [name for name, entry in locked.of(Kind.TOOL).items() if not entry.absent]
    if not had:
        return snapshot
    from mcplock.naming import typed

    message = f"lists no tools where the lock has {len(had)}"
    hint = f"if that is right, `mcplock update --accept-empty {typed(snapshot.server)}`"
    issue = Issue(snapshot.server, Stage.LIST, message, hint=hint)
    return snapshot._replace(failure=issue, status=Status.UNREACHABLE)
