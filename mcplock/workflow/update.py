"""`update`: ask servers again, take what they answer, leave the approving to a person."""

from collections.abc import Sequence

from mcplock.errors import MissingFile, UsageError
from mcplock.manifest import Server
from mcplock.model import Lock
from mcplock.naming import nearest
from mcplock.text import visible
from mcplock.workflow.commit import Written, commit
from mcplock.workflow.contact import Contact, ask
from mcplock.workflow.project import Project


def update(
    project: Project, names: Sequence[str], contact: Contact, *, dry_run: bool = False
) -> Written:
    """Fetch the servers called `names`, or all; with `dry_run` only say what would change."""
    servers = chosen(project, names)
    try:
        before = project.lock().lock
    except MissingFile:
        before = Lock()
    answers = ask(project, servers, before, contact)
    return commit(project, answers, write=not dry_run)


def chosen(project: Project, names: Sequence[str]) -> list[Server]:
    """The servers of the manifest called `names`, or all that are not disabled."""
    known = project.manifest.servers
    if not names:
        return [server for server in known.values() if not server.disabled]
    errors = []
    for name in dict.fromkeys(names):
        if name not in known:
            near = nearest(name, list(known))
            errors.append(
                f"the manifest has no server {visible(name)}" + (f"; {near}" * bool(near))
            )
        elif known[name].disabled:
            errors.append(f"the server {visible(name)} is disabled in {known[name].place}")
    if errors:
        raise UsageError("\n".join(errors))
    return [known[name] for name in dict.fromkeys(names)]
