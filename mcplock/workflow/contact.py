"""Ask servers for their snapshots, with consent, one failure never hiding the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mcplock.manifest import Server
from mcplock.model import Issue, Kind, Lock, LockedServer, Snapshot, Stage, Status
from mcplock.session import Progress, Target, snapshots
from mcplock.text import visible
from mcplock.workflow.project import Consent, Project, Start, source_entry


@dataclass(frozen=True, slots=True)
class Contact:
    """What a run needs to ask servers.

    consent: asked for sources that this machine does not trust; remember: whether a yes
    holds from now on; accept_empty: an empty listing where there were tools is an answer.
    """

    consent: Consent
    progress: Progress
    remember: bool = False
    accept_empty: bool = False


@dataclass(frozen=True, slots=True)
class Answers:
    """By server name: what it answered, or why there is no answer."""

    snapshots: Mapping[str, Snapshot]
    issues: Sequence[Issue] = field(default_factory=tuple)


def untrusted(project: Project, servers: Sequence[Server]) -> list[Start]:
    """Those of `servers` whose source this machine has no consent for."""
    trusted = project.trust.hashes()
    starts = [Start(server, source_entry(server.source).hash) for server in servers]
    return [start for start in starts if start.hash not in trusted]


def ask(project: Project, servers: Sequence[Server], lock: Lock, contact: Contact) -> Answers:
    """Contact `servers`, all at once; refused and untrusted ones are answered for here.

    A declined consent raises, and nothing was started. Nobody there to be asked: the
    untrusted servers get the status `untrusted`, the others are contacted.
    """
    answers = {server.name: _refused(server) for server in servers if server.refused}
    able = [server for server in servers if not server.refused]
    strange = untrusted(project, able)
    if strange and not contact.consent(strange):
        names = {start.server.name for start in strange}
        answers |= {server.name: _untrusted(server) for server in able if server.name in names}
        able = [server for server in able if server.name not in names]
    elif strange and contact.remember:
        project.trust.remember([start.hash for start in strange])
    targets = [Target(server, _protocol(lock, server.name)) for server in able]
    if targets:
        answers |= snapshots(
            targets,
            directory=project.manifest.directory,
            environ=project.machine.environ,
            client_name=project.manifest.client_name,
            progress=contact.progress,
            ca_file=project.machine.ca_file,
        )
    if not contact.accept_empty:
        answers = {
            name: _not_emptied(answer, lock.servers.get(name)) for name, answer in answers.items()
        }
    return Answers(answers, [issue for name in sorted(answers) for issue in _issues(answers[name])])


def _protocol(lock: Lock, name: str) -> str | None:
    locked = lock.servers.get(name)
    return locked.protocol if locked else None


def _issues(snapshot: Snapshot) -> list[Issue]:
    own = list(snapshot.issues)
    return [snapshot.failure, *own] if snapshot.failure else own


def _refused(server: Server) -> Snapshot:
    return Snapshot(server.name, failure=server.refused, status=Status.UNRESOLVED)


def _untrusted(server: Server) -> Snapshot:
    message = "this machine has no consent to start it, so it was not started"
    hint = "`mcplock trust`"
    issue = Issue(server.name, Stage.START, message, hint=hint)
    return Snapshot(server.name, failure=issue, status=Status.UNTRUSTED)


def _not_emptied(snapshot: Snapshot, locked: LockedServer | None) -> Snapshot:
    """An empty listing where there were tools is an outage until a person says otherwise."""
    if locked is None or snapshot.failure or snapshot.of(Kind.TOOL):
        return snapshot
    had = [name for name, entry in locked.of(Kind.TOOL).items() if not entry.absent]
    if not had:
        return snapshot
    message = f"lists no tools where the lock has {len(had)}"
    hint = f"if that is right, `mcplock update {visible(snapshot.server)} --accept-empty`"
    issue = Issue(snapshot.server, Stage.LIST, message, hint=hint)
    return replace(snapshot, failure=issue, status=Status.UNREACHABLE)
