"""`update`: ask servers again, take what they answer, leave the approving to a person."""

from collections.abc import Sequence

from mcplock.errors import MissingFile, Refused
from mcplock.model import Lock, LockedServer
from mcplock.naming import typed
from mcplock.text import visible
from mcplock.workflow.commit import Written, commit
from mcplock.workflow.contact import Contact, ask
from mcplock.workflow.project import Project
from mcplock.workflow.renamed import inherited
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
    known = {**inherited(before, project.manifest.servers), **before.servers}
    barred = [server.name for server in servers if _is_barred(known.get(server.name))]
    if names and barred:
        told = "\n".join(f"the source of {visible(name)} is denied" for name in barred)
        reset = f"`mcplock reset {typed(f'@{barred[0]}')}`"
        raise Refused(told, hint=reset if barred[0] in before.servers else "`mcplock install`")
    able = [server for server in servers if server.name not in barred]
    return commit(project, ask(project, able, before, contact), write=not dry_run)


def _is_barred(locked: LockedServer | None) -> bool:
    return locked is not None and locked.barred
