"""`update`: ask servers again, take what they answer, leave the approving to a person."""

from collections.abc import Sequence

from mcplock.errors import MissingFile, Refused
from mcplock.manifest import Server
from mcplock.model import Lock
from mcplock.naming import typed
from mcplock.text import visible
from mcplock.workflow.commit import Written, commit
from mcplock.workflow.contact import Contact, ask
from mcplock.workflow.project import Project
from mcplock.workflow.servers import chosen


def update(
    project: Project, names: Sequence[str], contact: Contact, *, dry_run: bool = False
) -> Written:
    """Fetch the servers called `names`, or all; with `dry_run` only say what would change.

    A server whose source is denied is left out; `Refused` where it is named.
    """
    servers = chosen(project, names)
    try:
        before = project.lock().lock
    except MissingFile:
        before = Lock()
    barred = [server.name for server in servers if _is_barred(before, server)]
    if names and barred:
        told = "\n".join(f"the source of {visible(name)} is denied" for name in barred)
        raise Refused(told, hint=f"`mcplock reset {typed(f'@{barred[0]}')}`")
    able = [server for server in servers if server.name not in barred]
    return commit(project, ask(project, able, before, contact), write=not dry_run)


def _is_barred(lock: Lock, server: Server) -> bool:
    locked = lock.servers.get(server.name)
    return locked is not None and locked.barred
