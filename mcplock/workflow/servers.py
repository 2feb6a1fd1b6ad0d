"""Which servers of the manifest a command means, and where the lock lags behind it."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from mcplock.errors import UnknownName
from mcplock.manifest import Manifest, Server
from mcplock.model import Entry, Lock, LockedServer
from mcplock.text import visible
from mcplock.workflow.project import Project, source_entry

if TYPE_CHECKING:
    from mcplock.changes import Change


def chosen(project: Project, names: Sequence[str]) -> list[Server]:
    """The servers of the manifest called `names`, or all that are not disabled."""
    known = project.manifest.servers
    if not names:
        return [server for server in known.values() if not server.disabled]
    unknown = [name for name in dict.fromkeys(names) if name not in known]
    errors = [_unknown(name, known, "the manifest has no") for name in unknown]
    errors += [
        f"the server {visible(name)} is disabled in {known[name].place}"
        for name in dict.fromkeys(names)
        if name in known and known[name].disabled
    ]
    if errors:
        raise UnknownName("\n".join(errors), *unknown)
    return [known[name] for name in dict.fromkeys(names)]


def named_in(project: Project, lock: Lock, names: Sequence[str]) -> frozenset[str]:
    """`names`, each of which the manifest or the lock has; `UnknownName` for others."""
    known = {*project.manifest.servers, *lock.servers}
    unknown = [name for name in dict.fromkeys(names) if name not in known]
    if unknown:
        what = "neither the manifest nor the lock has a"
        raise UnknownName("\n".join(_unknown(name, known, what) for name in unknown), *unknown)
    return frozenset(names)


def _unknown(name: str, known: Collection[str], what: str) -> str:
    from mcplock.naming import nearest

    near = nearest(name, sorted(known))
    return f"{what} server {visible(name)}" + (f"; {near}" * bool(near))


def lacks(locked: LockedServer | None, server: Server) -> bool:
    """Whether the lock has no such server, or has it with another source."""
    return locked is None or locked.source.hash != source_entry(server.source).hash


def unlocked(manifest: Manifest, lock: Lock) -> list[str]:
    """The servers that `install` would lock: those that could be used, and are not as locked."""
    return [
        server.name
        for server in manifest.servers.values()
        if not (server.disabled or server.refused)
        and not ((locked := lock.servers.get(server.name)) and locked.barred)
        and lacks(locked, server)
    ]


def trustable(lock: Lock, servers: Sequence[Server]) -> list[Server]:
    """Those of `servers` whose source is the one that the lock has."""
    return [
        server
        for server in servers
        if not server.refused
        and (locked := lock.servers.get(server.name)) is not None
        and not locked.barred
        and not lacks(locked, server)
    ]


def strangers(project: Project, servers: Sequence[Server]) -> dict[str, Entry]:
    """The sources, by server name, that this machine has no consent for."""
    trusted = project.trust.hashes()
    sources = {server.name: source_entry(server.source) for server in servers}
    return {name: entry for name, entry in sources.items() if entry.hash not in trusted}


def source_changes(locked: LockedServer | None, server: Server) -> "list[Change]":
    """What the manifest says otherwise than the lock of how `server` is reached."""
    if locked is None:
        return []
    from mcplock.changes import compare_server

    entry = source_entry(server.source)
    now = locked._replace(source=locked.source._replace(hash=entry.hash, content=entry.content))
    return compare_server(server.name, locked, now)
