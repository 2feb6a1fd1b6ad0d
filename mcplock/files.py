"""Files: the project's root, atomic writes, a lock among writers, paths as they are shown."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from mcplock.errors import McplockError, MissingFile


def project_root(start: Path) -> Path:
    """The nearest directory from `start` up that holds `.git`; `start` where none does."""
    for directory in (start, *start.parents):
        if (directory / ".git").exists():
            return directory
    return start


def shown(path: Path, base: Path | None = None) -> str:
    """`path` relative to `base` (default: the working directory) where it lies below or near."""
    with suppress(ValueError):
        relative = os.path.relpath(path, base or Path.cwd())
        if not relative.startswith(f"..{os.sep}..{os.sep}.."):
            return relative
    return str(path)


def read_bytes(path: Path) -> bytes:
    """The content of `path`; `MissingFile` or `McplockError` says why there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise MissingFile(f"{shown(path)}: no such file") from None
    except OSError as error:
        raise McplockError(f"{shown(path)}: cannot be read: {error.strerror}") from None


def write_atomic(path: Path, content: bytes, *, mode: int = 0o666) -> bool:
    """Write `content` so that a reader finds the old bytes or the new ones, never a mixture.

    Nothing is written where the file has these bytes already; the answer says whether it
    was. The file's mode is kept; a new file gets `mode` less the umask.
    """
    path = path.resolve()
    try:
        if path.read_bytes() == content:
            return False
    except FileNotFoundError:
        pass
    try:
        _replace(path, content, mode)
    except OSError as error:
        raise McplockError(f"{shown(path)}: cannot be written: {error.strerror}") from None
    return True


def _replace(path: Path, content: bytes, mode: int) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            if path.exists():
                temporary.chmod(path.stat().st_mode & 0o7777)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_directory(path.parent)


def _sync_directory(directory: Path) -> None:
    with suppress(OSError):  # not every file system can; the rename itself has happened
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the lock among processes that write `path`.

    The lock is on the directory itself, so that nothing is left in a repository and two
    users exclude each other; where directories cannot be locked, a file in the temporary
    directory serves.
    """
    directory = path.resolve().parent
    try:
        import fcntl
    except ImportError:
        with _lock_file(directory):
            yield
        return
    handle = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _lock_file(directory: Path) -> AbstractContextManager[object]:
    import hashlib
    import tempfile

    from filelock import FileLock

    name = hashlib.sha256(str(directory).encode()).hexdigest()[:16]
    return FileLock(Path(tempfile.gettempdir()) / f"mcplock-{name}.lock")
