"""The lock on disk: read it, change it so that no other writer's work is lost."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mcplock.errors import MissingFile
from mcplock.files import exclusive, read_bytes, shown, write_atomic
from mcplock.lockfile.reader import read_lock
from mcplock.lockfile.writer import format_lock
from mcplock.model import Lock


@dataclass(frozen=True, slots=True)
class LockFile:
    """A lock as it was read.

    canonical: whether the file's bytes are those that the writer would write.
    """

    path: Path
    lock: Lock
    data: bytes
    canonical: bool


def load(path: Path) -> LockFile:
    """Read `path`; `MissingFile` where there is none, `FaultyFile` where it is broken."""
    try:
        data = read_bytes(path)
    except MissingFile as error:
        raise MissingFile(error.message, hint="`mcplock install` writes it") from None
    lock, canonical = read_lock(data, shown(path))
    return LockFile(path, lock, data, canonical)


def edit(path: Path, change: Callable[[Lock], Lock], *, write: bool = True) -> tuple[Lock, bool]:
    """Read the lock anew, `change` it and write it, while no other writer can.

    A missing lock is an empty one. Returns the lock as changed and whether the file is
    another now; with `write` off it stays as it is.
    """
    with exclusive(path):
        try:
            before = load(path).lock
        except MissingFile:
            before = Lock()
        after = change(before)
        return after, write and write_atomic(path, format_lock(after).encode())
