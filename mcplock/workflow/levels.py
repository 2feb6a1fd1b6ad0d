"""What agents see: the project's lock, and the user's own below it."""

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from mcplock.approved import Approved, of_lock
from mcplock.errors import MissingFile
from mcplock.levels import DISABLED, GONE, MOVED, REFUSED, merged
from mcplock.lockfile import load
from mcplock.manifest import Manifest
from mcplock.manifest import load as load_manifest
from mcplock.model import Lock
from mcplock.naming import Named
from mcplock.records import NamedTuple
from mcplock.workflow.project import Where, find_lock
from mcplock.workflow.servers import lacks


class Level(NamedTuple):
    """A lock, and the manifest beside it where there is one."""

    path: Path
    lock: Lock
    manifest: Manifest | None

    @property
    def approved(self) -> Approved:
        """What of it agents may have."""
        return of_lock(self.lock, closed_servers(self.manifest, self.lock))

    @property
    def named(self) -> Collection[str]:
        """The servers that its manifest names."""
        return self.manifest.names if self.manifest else ()


class Seen(NamedTuple):
    """What agents see of one level, or of the project's and the user's.

    lock: the servers that are seen; has_project: false where there are the user's alone,
    because no project is there.
    """

    lock: Lock
    approved: Approved
    levels: Sequence[Level]
    has_project: bool = True

    @property
    def users(self) -> frozenset[str]:
        """The servers that come from the user's level."""
        return frozenset(filter(self.is_users, self.lock.servers))

    def level(self, server: str) -> Level:
        """The level that a server which is seen comes from."""
        return self.levels[-1] if self.is_users(server) else self.levels[0]

    def by_level(self, entries: Sequence[Named]) -> list[tuple[Level, list[Named]]]:
        """Each level with those of `entries` that are its own, the project's first."""
        return [
            (level, [named for named in entries if self.level(named.server) is level])
            for level in self.levels
        ]

    def is_users(self, server: str) -> bool:
        """Whether `server`, which the user's level has, is not the project's."""
        ours = self.levels[0].lock.servers if self.has_project else ()
        return server in self.lock.servers and server not in ours


def seen(where: Where, user: Path | None) -> Seen:
    """What agents see of the project at `where` and of the lock `user`.

    Without that lock there has to be a project's: `MissingFile`.
    """
    if user is None:
        return _alone(read_level(where))
    below = read_level(Where(user.parent, only=True))
    project = _project(where)
    if project is None:
        return _alone(below)._replace(has_project=False)
    if project.path.resolve() == user.resolve():
        return _alone(below)
    return both(project, below)


def locked(where: Where, user: Path | None) -> Seen:
    """What is locked at `where` and in the lock `user`; without that one no manifest is read."""
    if user is not None:
        return seen(where, user)
    path = find_lock(where)
    return _alone(Level(path, load(path).lock, None))


def both(project: Level, user: Level) -> Seen:
    """What agents see of two levels."""
    approved = merged(project.approved, user.approved, project.named)
    servers = {**user.lock.servers, **project.lock.servers}
    lock = Lock({name: servers[name] for name in approved.servers})
    return Seen(lock, approved, (project, user))


def _alone(level: Level) -> Seen:
    return Seen(level.lock, level.approved, (level,))


def read_level(where: Where) -> Level:
    """The lock that is meant, and its manifest; `MissingFile` where there is no lock."""
    path = find_lock(where)
    return Level(path, load(path).lock, manifest_beside(where))


def _project(where: Where) -> Level | None:
    """The project's level; without a lock it has no servers, but may name some."""
    try:
        path = find_lock(where)
    except MissingFile:
        return None
    if os.path.lexists(path):  # a link that leads nowhere is no missing lock
        return read_level(where)
    return Level(path, Lock(), manifest_beside(where))


def manifest_beside(where: Where) -> Manifest | None:
    """The manifest; None where there is none and none was asked for."""
    try:
        return load_manifest(where.manifest())
    except MissingFile:
        if where.explicit is not None:
            raise
        return None


def closed_servers(manifest: Manifest | None, lock: Lock) -> dict[str, str]:
    """The servers of the lock that the manifest does not let agents have, and why."""
    if manifest is None:
        return {}
    closed = {}
    for name, locked in lock.servers.items():
        server = manifest.servers.get(name)
        if server is None:
            closed[name] = GONE
        elif server.disabled:
            closed[name] = DISABLED
        elif server.refused:
            closed[name] = REFUSED
        elif lacks(locked, server):
            closed[name] = MOVED
    return closed
