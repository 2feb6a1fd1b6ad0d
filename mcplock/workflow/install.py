"""`install`: the lock gets what the manifest has and it lacks, and loses what is gone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mcplock.changes import Change, compare_server
from mcplock.errors import MissingFile
from mcplock.manifest import Server
from mcplock.model import Lock, LockedServer, Status
from mcplock.workflow.commit import Written, commit
from mcplock.workflow.contact import Contact, ask
from mcplock.workflow.project import Project, source_entry
from mcplock.workflow.report import Report, server_report


@dataclass(frozen=True, slots=True)
class Plan:
    """What `install` has to do.

    before: the lock, an empty one where there is none; fetch: servers that it lacks or has
    another source for; gone: servers that the manifest no longer has; canonical: whether
    the file is there, written as the writer writes it.
    """

    before: Lock
    fetch: Sequence[Server]
    gone: Sequence[str]
    canonical: bool


def plan(project: Project) -> Plan:
    """Compare the manifest with the lock."""
    try:
        file = project.lock()
        lock, canonical = file.lock, file.canonical
    except MissingFile:
        lock, canonical = Lock(), False
    servers = project.manifest.servers
    fetch = [
        server
        for server in servers.values()
        if not server.disabled and lacks(lock.servers.get(server.name), server)
    ]
    return Plan(lock, fetch, [name for name in lock.servers if name not in servers], canonical)


def lacks(locked: LockedServer | None, server: Server) -> bool:
    """Whether the lock has no such server, or has it with another source."""
    return locked is None or locked.source.hash != source_entry(server.source).hash


def install(project: Project, contact: Contact, *, baseline: bool = False) -> Written:
    """Fetch what is new or reached otherwise, drop what is gone, touch nothing else."""
    todo = plan(project)
    answers = ask(project, todo.fetch, todo.before, contact)
    return commit(project, answers, gone=todo.gone, baseline=baseline)


def verify_installed(project: Project) -> Report:
    """`install --locked`: whether `install` would have nothing to do; asks no server."""
    todo = plan(project)
    statuses = {
        server.name: server_report({_lag(todo.before, server)}, 0) for server in todo.fetch
    } | {name: server_report({Status.DRIFT}, 0) for name in todo.gone}
    changes = [
        change
        for server in todo.fetch
        for change in source_changes(todo.before.servers.get(server.name), server)
    ]
    for name in todo.gone:
        changes += compare_server(name, todo.before.servers[name], None)
    notes = [] if todo.canonical else [NOT_CANONICAL]
    return Report(statuses, changes, notes=notes)


def source_changes(locked: LockedServer | None, server: Server) -> list[Change]:
    """What the manifest says otherwise than the lock of how `server` is reached."""
    if locked is None:
        return []
    entry = source_entry(server.source)
    now = replace(locked, source=replace(locked.source, hash=entry.hash, content=entry.content))
    return compare_server(server.name, locked, now)


NOT_CANONICAL = "mcp.lock is missing, or not as mcplock writes it"


def _lag(lock: Lock, server: Server) -> Status:
    return Status.DRIFT if server.name in lock.servers else Status.UNLOCKED
