"""`resolve`: the two sides of a conflicted lock, merged entry by entry."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mcplock.errors import Exit, UsageError
from mcplock.files import exclusive, read_bytes, shown, write_atomic
from mcplock.history import Repository
from mcplock.lockfile import format_lock, read_lock
from mcplock.merging import Merged, Remark, merge_locks
from mcplock.workflow.review import Waiting, waiting_entries

_MARK = re.compile(rb"(<{7}|\|{7}|={7}|>{7})(?: .*)?\r?\n?")


@dataclass(frozen=True, slots=True)
class Resolved:
    """What was made of two sides: `lost` decisions, what is `unsettled`, what waits for a person.

    clean: whether a merge may go on without a look at it.
    """

    lost: Sequence[Remark]
    unsettled: Sequence[Remark]
    waiting: Sequence[Waiting]

    @property
    def exit_code(self) -> Exit:
        """A decision that was lost is for a person to take again."""
        return Exit.NO if self.lost else Exit.OK

    @property
    def clean(self) -> bool:
        """Whether both sides agree as far as both speak."""
        return not (self.lost or self.unsettled)


def resolve(path: Path, environ: Mapping[str, str]) -> Resolved:
    """Merge the sides that git's index has, or else those between the markers, and write.

    Raises `UsageError` where the lock at `path` is not conflicted, `FaultyFile` where a side
    cannot be read; then the file stays as it is.
    """
    repository = Repository(path.parent, environ)
    with exclusive(path):
        merged = _merge(sides(repository, path.name, read_bytes(path)), shown(path))
        write_atomic(path, format_lock(merged.lock).encode())
    return _resolved(merged)


def merge_files(base: Path, ours: Path, theirs: Path, name: str) -> Resolved:
    """Merge three files as git hands them to a merge driver, into `ours`.

    base: empty where both sides added the lock; name: how messages call it. Raises
    `FaultyFile` where one cannot be read; then `ours` stays as it is.
    """
    files = Sides(read_bytes(base) or None, read_bytes(ours), read_bytes(theirs))
    merged = _merge(files, name)
    write_atomic(ours, format_lock(merged.lock).encode(), durable=False)  # a copy of git's
    return _resolved(merged)


def _resolved(merged: Merged) -> Resolved:
    return Resolved(merged.lost, merged.unsettled, waiting_entries(merged.lock))


@dataclass(frozen=True, slots=True)
class Sides:
    """The texts of a conflict; `base` is None where it is not known."""

    base: bytes | None
    ours: bytes
    theirs: bytes


def sides(repository: Repository, name: str, data: bytes) -> Sides:
    """The sides of the conflict in the file called `name`, whose bytes are `data`."""
    ours, theirs = repository.stage(2, name), repository.stage(3, name)
    found = between_markers(data)
    if ours is not None and theirs is not None:
        if found is None and data not in (ours, theirs):
            message = f"{name} is merged already: it has no markers, and is neither side's"
            raise UsageError(message, hint=f"`git add {name}` tells git so")
        return Sides(repository.stage(1, name), ours, theirs)
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
