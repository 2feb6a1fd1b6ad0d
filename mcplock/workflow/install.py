"""`install`: the lock gets what the manifest has and it lacks, and loses what is gone."""

from collections.abc import Sequence
from dataclasses import dataclass

from mcplock.changes import Change, compare_server
from mcplock.errors import MissingFile
from mcplock.manifest import Server
from mcplock.model import Lock, Status
from mcplock.workflow.commit import Written, commit
from mcplock.workflow.contact import Contact, ask
from mcplock.workflow.form import form_notes
from mcplock.workflow.project import Project
from mcplock.workflow.renamed import inherited
from mcplock.workflow.report import Report, server_report, tool_count
from mcplock.workflow.servers import lacks, source_changes


@dataclass(frozen=True, slots=True)
class Plan:
    """What `install` has to do.

    fetch: servers that the lock lacks or has another source for; gone: servers that the
    manifest no longer has; barred: servers with a new name, whose source was denied under the
    old one.
    """

    fetch: Sequence[Server]
    gone: Sequence[str]
    barred: Sequence[Server] = ()


def plan(project: Project, lock: Lock) -> Plan:
    """Compare the manifest with the lock."""
    servers = project.manifest.servers
    known = {**inherited(lock, servers), **lock.servers}
    barred = {name for name, locked in known.items() if locked.barred}
    fetch = [
        server
        for server in servers.values()
        if not server.disabled
        and server.name not in barred
        and lacks(lock.servers.get(server.name), server)
    ]
    return Plan(
        fetch,
        [name for name in lock.servers if name not in servers],
        [server for name, server in servers.items() if name in barred - lock.servers.keys()],
    )


def install(project: Project, contact: Contact, *, baseline: bool = False) -> Written:
    """Fetch what is new or reached otherwise, drop what is gone, touch nothing else."""
    try:
        lock = project.lock().lock
    except MissingFile:
        lock = Lock()
    todo = plan(project, lock)
    answers = ask(project, todo.fetch, lock, contact)
    moved = [server.name for server in todo.barred]
    return commit(project, answers, gone=todo.gone, moved=moved, baseline=baseline)


def verify_installed(project: Project) -> Report:
    """`install --locked`: whether `install` would have nothing to do; asks no server.

    Raises `MissingFile` without a lock.
    """
    file = project.lock()
    todo = plan(project, file.lock)
    locked = file.lock.servers
    statuses = {name: server_report(set(), tool_count(server)) for name, server in locked.items()}
    changes: list[Change] = []
    for server in [*todo.fetch, *todo.barred]:
        had = locked.get(server.name)
        status = Status.DRIFT if had else Status.UNLOCKED
        statuses[server.name] = server_report({status}, tool_count(had))
        changes += source_changes(had, server)
    for name in todo.gone:
        statuses[name] = server_report({Status.DRIFT}, tool_count(locked[name]))
        changes += compare_server(name, locked[name], None)
    return Report(
        statuses,
        changes,
        notes=form_notes(file),
        claim="mcp.lock is as the manifest wants it",
    )
