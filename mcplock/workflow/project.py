"""What every workflow works in: the manifest, the lock beside it, this machine's consent."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mcplock.canonical import hash_value
from mcplock.errors import McplockError, MissingFile
from mcplock.files import project_root
from mcplock.levels import LOCK_NAME
from mcplock.lockfile import LockFile, load
from mcplock.manifest import Manifest, Server, find
from mcplock.manifest import load as load_manifest
from mcplock.model import Entry, Source
from mcplock.records import NamedTuple
from mcplock.trust import Trust

if TYPE_CHECKING:
    from mcplock.audit import Finding
    from mcplock.changes import Facts


class Machine(NamedTuple):
    """What a workflow may know of the machine it runs on; nothing else is read.

    alone: this process is the program, and nobody else in it starts processes.
    """

    environ: Mapping[str, str]
    state_dir: Path
    ca_file: Path | None = None
    host: str = ""
    alone: bool = False


class Project(NamedTuple):
    """A manifest and the machine that it is used on."""

    manifest: Manifest
    machine: Machine

    @property
    def lock_path(self) -> Path:
        """The lock beside the manifest."""
        return self.manifest.lock_path

    @property
    def trust(self) -> Trust:
        """The consent given on this machine for this project."""
        return Trust(self.machine.state_dir, self.manifest.path)

    def facts(self) -> "Facts":
        """What a server can read of this machine and this checkout."""
        from mcplock.changes import Facts

        directory = str(self.manifest.directory)
        return Facts.of(self.machine.environ, directory=directory, host=self.machine.host)

    def lock(self) -> LockFile:
        """The lock; `MissingFile` where there is none."""
        return load(self.lock_path)


class Where(NamedTuple):
    """Where the manifest is looked for.

    explicit: the file itself; only: in `start` itself and not above, as that of a user is.
    """

    start: Path
    explicit: Path | None = None
    only: bool = False

    def manifest(self) -> Path:
        """The manifest that is meant, found and not read; `MissingFile` where there is none."""
        return find(self.start, self.explicit, self.only)


def open_project(where: Where, machine: Machine) -> Project:
    """The project of the manifest that is meant."""
    return Project(load_manifest(where.manifest()), machine)


def find_lock(where: Where) -> Path:
    """The lock beside the manifest, which is not read; without a manifest, the nearest lock."""
    try:
        return where.manifest().with_name(LOCK_NAME)
    except MissingFile:
        path = None if where.explicit else _nearest_lock(where)
        if path is None:
            raise
        return path


def is_locked(path: Path, server: str) -> bool:
    """Whether the lock at `path` has `server`; one that cannot be read may have it."""
    try:
        return server in load(path).lock.servers
    except MissingFile:
        return False
    except McplockError:
        return True


def _nearest_lock(where: Where) -> Path | None:
    start = where.start.absolute()
    root = start if where.only else project_root(start)
    for directory in (start, *start.parents):
        if os.path.lexists(directory / LOCK_NAME):
            return directory / LOCK_NAME
        if directory == root:
            break
    return None


def source_entry(source: Source) -> Entry:
    """The entry, not approved, of a source."""
    content = source.content()
    return Entry(hash=hash_value(content), content=content)


class Start(NamedTuple):
    """A source that is to be started and that this machine does not trust yet.

    was: the source that the lock has for this server, where it is another one; findings:
    what the lints say of it.
    """

    server: Server
    hash: str
    was: Source | None = None
    findings: "Sequence[Finding]" = ()


class Declined(McplockError):
    """A person was asked for consent and said no; nothing was started."""


Consent = Callable[[Sequence[Start]], bool]
"""Asked once, with everything that would be started; false: nobody is there to be asked.

A person who says no is a `Declined`.
"""


def nobody(starts: Sequence[Start]) -> bool:
    """The consent of a run in which nobody can be asked."""
    del starts
    return False


def given(starts: Sequence[Start]) -> bool:
    """The consent of a user who gave it beforehand."""
    del starts
    return True
