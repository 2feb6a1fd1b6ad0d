"""`update`: ask servers again, take what they answer, leave the approving to a person."""

from collections.abc import Sequence

from mcplock.errors import MissingFile
from mcplock.model import Lock
from mcplock.workflow.commit import Written, commit
from mcplock.workflow.contact import Contact, ask
from mcplock.workflow.project import Project
from mcplock.workflow.servers import chosen


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
