"""The lock on disk: read it, change it so that no other writer's work is lost."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from mcplock.errors import McplockError, MissingFile
from mcplock.files import exclusive, read_bytes, refuse_link_away, shown, write_atomic
from mcplock.lockfile.damage import FaultyLock, remedy
from mcplock.lockfile.reader import read_lock
from mcplock.lockfile.writer import format_lock
from mcplock.model import Lock
from mcplock.records import NamedTuple


class LockFile(NamedTuple):
    """A lock as it was read.

    canonical: whether the file's bytes are those that the writer would write.
    """

    path: Path
    lock: Lock
    data: bytes
    canonical: bool


def load(path: Path) -> LockFile:
    """Read `path`; `MissingFile` where there is none, `FaultyFile` where it is broken."""
    data = _data(path)
    lock, canonical = read_file(path, data)
    return LockFile(path, lock, data, canonical)


def read_file(path: Path, data: bytes) -> tuple[Lock, bool]:
    """As `read_lock`, for the bytes of the file `path`: what is wrong there has a hint."""
    try:
        return read_lock(data, shown(path))
    except FaultyLock as error:
        raise error.hinted(remedy(path, error.damage)) from None


def _data(path: Path) -> bytes:
    """The bytes of the lock; a clone may hold a link to a device, which is never read."""
    odd = False
    with suppress(OSError):  # reading it tells why
        odd = path.exists() and not path.is_file() and not path.is_dir()
    if odd:
        raise McplockError(f"{shown(path)}: not a file")
    try:
        return read_bytes(path)
    except MissingFile as error:
        if path.is_symlink():
            raise McplockError(f"{shown(path)}: a link to a file that is not there") from None
        raise MissingFile(error.message, hint="`mcplock install` writes it") from None


def edit(path: Path, change: Callable[[Lock], Lock], *, write: bool = True) -> tuple[Lock, bool]:
    """Read the lock anew, `change` it and write it, while no other writer can.

    A missing lock is an empty one. Returns the lock as changed and whether the file is
    another now; with `write` off it stays as it is.
    """
    refuse_link_away(path)
    with exclusive(path):
        try:
            before = load(path).lock
        except MissingFile:
            before = Lock()
        after = change(before)
        return after, write and write_atomic(path, format_lock(after).encode())
