"""`resolve`: the two sides of a conflicted lock, merged entry by entry."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mcplock.errors import Exit, UsageError
from mcplock.files import exclusive, read_bytes, shown, write_atomic
from mcplock.history import Repository
from mcplock.lockfile import format_lock, read_lock
from mcplock.merging import Lost, Merged, merge_locks
from mcplock.workflow.project import Project
from mcplock.workflow.review import Waiting, waiting_entries

_MARK = re.compile(rb"(<{7}|\|{7}|={7}|>{7})(?: .*)?\r?\n?")


@dataclass(frozen=True, slots=True)
class Resolved:
    """What `resolve` made of a conflict: `lost` decisions, and what waits for a person."""

    lost: Sequence[Lost]
    waiting: Sequence[Waiting]

    @property
    def exit_code(self) -> Exit:
        """A decision that was lost is for a person to take again."""
        return Exit.NO if self.lost else Exit.OK


def resolve(project: Project) -> Resolved:
    """Merge the sides that git's index has, or else those between the markers, and write.

    Raises `UsageError` where the lock is not conflicted, `FaultyFile` where a side cannot
    be read; then the file stays as it is.
    """
    path = project.lock_path
    repository = Repository(path.parent, project.machine.environ)
    with exclusive(path):
        merged = _merge(sides(repository, path.name, read_bytes(path)), shown(path))
        write_atomic(path, format_lock(merged.lock).encode())
    return Resolved(merged.lost, waiting_entries(merged.lock))


@dataclass(frozen=True, slots=True)
class Sides:
    """The texts of a conflict; `base` is None where it is not known."""

    base: bytes | None
    ours: bytes
    theirs: bytes


def sides(repository: Repository, name: str, data: bytes) -> Sides:
    """The sides of the conflict in the file called `name`, whose bytes are `data`."""
    ours, theirs = repository.stage(2, name), repository.stage(3, name)
    if ours is not None and theirs is not None:
        return Sides(repository.stage(1, name), ours, theirs)
    found = between_markers(data)
    if found is None:
        raise UsageError(f"{name} is not conflicted", hint="`mcplock status` says where it stands")
    return found


def between_markers(data: bytes) -> Sides | None:
    """The sides that conflict markers tell apart; None where there are no markers."""
    texts: dict[bytes, list[bytes]] = {b"<": [], b"|": [], b">": []}
    side = b""
    marked = based = False
    for line in data.splitlines(keepends=True):
        mark = _MARK.fullmatch(line)
        if mark:
            sign = mark[1][:1]
            side = {b"<": b"<", b"|": b"|", b"=": b">", b">": b""}[sign]
            marked = True
            based = based or sign == b"|"
            continue
        for key in [side] if side else texts:
            texts[key].append(line)
    if not marked:
        return None
    base, ours, theirs = (b"".join(texts[key]) for key in (b"|", b"<", b">"))
    return Sides(base if based else None, ours, theirs)


def _merge(conflict: Sides, name: str) -> Merged:
    base = read_lock(conflict.base, f"{name} (base)")[0] if conflict.base else None
    ours, _ = read_lock(conflict.ours, f"{name} (ours)")
    theirs, _ = read_lock(conflict.theirs, f"{name} (theirs)")
    return merge_locks(base, ours, theirs)
