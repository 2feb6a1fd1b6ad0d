"""`trust`: which sources of the lock this machine has no consent for yet."""

from collections.abc import Sequence

from mcplock.errors import UsageError
from mcplock.manifest import Server
from mcplock.model import Lock
from mcplock.text import visible
from mcplock.workflow.contact import untrusted
from mcplock.workflow.project import Project, Start, source_entry
from mcplock.workflow.servers import chosen, lacks, trustable


def to_trust(project: Project, names: Sequence[str]) -> list[Start]:
    """The sources to ask for: in the lock, the same in the manifest, not trusted here.

    Raises `UsageError` for a server named in `names` that is locked otherwise or not at all.
    """
    lock = project.lock().lock
    servers = chosen(project, names)
    if names:
        _refuse_strange(lock, servers)
    return untrusted(project, trustable(lock, servers), lock)


def trusted_names(project: Project) -> list[str]:
    """The servers that this machine may start already, safe to print."""
    trusted = project.trust.hashes()
    servers = trustable(project.lock().lock, chosen(project, ()))
    return [visible(s.name) for s in servers if source_entry(s.source).hash in trusted]


def _refuse_strange(lock: Lock, servers: Sequence[Server]) -> None:
    errors = []
    for server in servers:
        name = visible(server.name)
        if server.refused:
            errors.append(f"{name}: {server.refused.message}")
        elif server.name not in lock.servers:
            errors.append(f"{name} is not in the lock yet")
        elif lock.servers[server.name].barred:
            errors.append(f"the source of {name} is denied")
        elif lacks(lock.servers[server.name], server):
            errors.append(f"{name} is reached otherwise in the manifest than in the lock")
    if errors:
        raise UsageError("\n".join(errors), hint="`mcplock install` asks for consent itself")
