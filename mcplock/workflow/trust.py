"""`trust`: which sources of the lock this machine has no consent for yet."""

from collections.abc import Sequence

from mcplock.workflow.contact import untrusted
from mcplock.workflow.install import lacks
from mcplock.workflow.project import Project, Start
from mcplock.workflow.update import chosen


def to_trust(project: Project, names: Sequence[str]) -> list[Start]:
    """The sources to ask for: locked, the same in the manifest, not trusted here."""
    lock = project.lock().lock
    servers = [
        server
        for server in chosen(project, names)
        if not lacks(lock.servers.get(server.name), server)
    ]
    return untrusted(project, servers)
