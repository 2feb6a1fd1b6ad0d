"""Files: the project's root, atomic writes, a lock among writers, paths as they are shown."""

import os
import stat
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path

from mcplock.errors import McplockError, MissingFile

_TEMPORARY = ".mcplock-{}.tmp"
_LEFT_OVER_AFTER = 60.0
"""Seconds after which a temporary file is no writer's any more."""
_POLL = 0.02
_MOST_LINKS = 40
_OPEN_FILES = (Path("/dev/fd"), Path("/proc/self/fd"))
"""Where some systems name the open files of a process; what is in there is no file of its own."""


def project_root(start: Path) -> Path:
    """The nearest directory from `start` up that holds `.git`; `start` where none does."""
    for directory in (start, *start.parents):
        if (directory / ".git").exists():
            return directory
    return start


def shown(path: Path, base: Path | None = None) -> str:
    """`path` relative to `base` (default: the working directory) where it lies below or near."""
    with suppress(ValueError, OSError):  # another drive; a working directory that is gone
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


def write_atomic(path: Path, content: bytes, *, mode: int = 0o666, durable: bool = True) -> bool:
    """Write `content` so that a reader finds the old bytes or the new ones, never a mixture.

    Nothing is written where the file has these bytes already; the answer says whether it
    was. The file's mode is kept, a symbolic link stays one; a new file gets `mode` less the
    umask. Killed at any step, this leaves the old file or the new one, and at most a
    temporary file, which a later write into the directory removes. Only what is `durable`
    is waited for until it is on the disk. What is no regular file (a device, a pipe, an open
    stream such as `/dev/stdout`) is written into, and is never read or replaced.
    """
    try:
        if is_stream(path):
            write_into(path, content)
            return True
        target = path.resolve()
        if _has(target, content):
            return False
        _replace(target, content, mode, durable=durable)
        _sweep(target.parent)
    except OSError as error:
        raise McplockError(f"{shown(path)}: cannot be written: {error.strerror}") from None
    except RuntimeError:
        raise McplockError(f"{shown(path)}: cannot be written: the link ends nowhere") from None
    return True


def refuse_link_away(path: Path) -> None:
    """Raise where a file to be written is a link out of its project.

    A repository must not make us write where its reader did not look.
    """
    if path.is_symlink() and not path.resolve().is_relative_to(project_root(path.parent.resolve())):
        message = f"{shown(path)}: is a link that leads out of the project"
        raise McplockError(message, hint=f"write to {shown(path.resolve())} yourself")


def is_stream(path: Path) -> bool:
    """Whether `path` leads to what is neither a regular file nor a directory, or is open here."""
    if _descriptor(path) is not None:
        return True
    try:
        mode = path.stat().st_mode
    except (OSError, RuntimeError):  # what is not there is made; whoever makes it tells the rest
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def write_into(path: Path, content: bytes) -> None:
    """Write `content` to what `is_stream`, after what was written to it before."""
    number = _descriptor(path)
    if number is None:
        handle = os.open(path, os.O_WRONLY | getattr(os, "O_BINARY", 0))
    else:
        handle = os.dup(number)  # opened by its name, the file behind it begins from its start
    with os.fdopen(handle, "wb", buffering=0) as file:
        rest = memoryview(content)
        while rest:
            rest = rest[file.write(rest) :]


def _descriptor(path: Path) -> int | None:
    """The descriptor of this process that `path` names, as `/dev/stdout` and `/dev/fd/63` do."""
    with suppress(OSError, RuntimeError):
        for _ in range(_MOST_LINKS):
            if path.name.isdecimal() and path.parent.resolve() in map(Path.resolve, _OPEN_FILES):
                return int(path.name)
            if not path.is_symlink():
                break
            path = path.parent / path.readlink()
    return None


def make_private(directory: Path) -> None:
    """Create `directory` and those it lies in, as far as they are missing, for this user only."""
    for path in (*reversed(directory.parents), directory):
        if not path.is_dir():
            path.mkdir(mode=0o700, exist_ok=True)


def _has(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except FileNotFoundError:
        return False


def _replace(path: Path, content: bytes, mode: int, *, durable: bool) -> None:
    temporary = path.with_name(_TEMPORARY.format(os.urandom(8).hex()))
    # Never opened if it is there: it might be a link that a stranger laid.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(temporary, flags, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            with suppress(FileNotFoundError):
                temporary.chmod(path.stat().st_mode & 0o7777)
            file.write(content)
            file.flush()
            if durable:
                os.fsync(handle)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if durable:
        _sync_directory(path.parent)


def _sync_directory(directory: Path) -> None:
    with suppress(OSError):  # not every file system can; the rename itself has happened
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _sweep(directory: Path) -> None:
    """Remove what killed writers left."""
    for left in directory.glob(_TEMPORARY.format("*")):
        with suppress(OSError):
            if time.time() - left.lstat().st_mtime > _LEFT_OVER_AFTER:
                left.unlink()


@contextmanager
def exclusive(path: Path, *, patience: float = 60.0) -> Iterator[None]:
    """Hold the lock among the processes that write `path`, or another file beside it.

    The lock is on the directory itself: nothing is left in a repository, a directory that
    may only be read can be locked, and two users exclude each other. Where directories
    cannot be locked, a file in it serves. Not reentrant. Raises `McplockError` after
    `patience` seconds.
    """
    try:
        lock = _acquired(path.resolve().parent, patience)
    except TimeoutError:
        message = f"{shown(path)}: another process has been writing here for {patience:.0f} s"
        raise McplockError(message, hint="try again when it has ended") from None
    except OSError as error:
        raise McplockError(f"{shown(path)}: cannot be locked: {error.strerror}") from None
    with lock:
        yield


def _acquired(directory: Path, patience: float) -> AbstractContextManager[object]:
    """The lock of `directory`, which is held until the context ends."""
    try:
        import fcntl
    except ImportError:
        return _lock_file(directory, patience)
    deadline = time.monotonic() + patience
    with ExitStack() as lock:
        handle = os.open(directory, os.O_RDONLY)
        lock.callback(os.close, handle)
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return lock.pop_all()
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise TimeoutError from None
                time.sleep(_POLL)
            except OSError:  # some network file systems lock no directories
                return _lock_file(directory, patience)


def _lock_file(directory: Path, patience: float) -> AbstractContextManager[object]:
    from filelock import FileLock

    return FileLock(directory / ".mcplock.lock").acquire(timeout=patience)
