"""`resolve`: the two sides of a conflicted lock, merged entry by entry."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mcplock.errors import Exit, FaultyFile, UsageError
from mcplock.files import exclusive, read_bytes, shown, write_atomic
from mcplock.history import Repository
from mcplock.lockfile import FaultyLock, format_lock, read_lock
from mcplock.merging import Merged, Remark, merge_locks
from mcplock.model import Lock
from mcplock.naming import shell_words
from mcplock.workflow.review import Waiting, waiting_entries

_MARK = re.compile(rb"(<{7}|\|{7}|={7}|>{7})(?: .*)?\r?\n?")


@dataclass(frozen=True, slots=True)
class Resolved:
    """What was made of two sides: `lost` decisions, what is `unsettled`, what waits for a person.

    torn: the servers of which the sides had different texts of one entry.
    clean: whether a merge may go on without a look at it.
    """

    lost: Sequence[Remark]
    unsettled: Sequence[Remark]
    waiting: Sequence[Waiting]
    torn: Sequence[str] = ()

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
        merged = _merge(sides(repository, path, read_bytes(path)), shown(path))
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
    waiting = waiting_entries(merged.lock)
    return Resolved(merged.lost, merged.unsettled, waiting, merged.torn)


@dataclass(frozen=True, slots=True)
class Sides:
    """The texts of a conflict; `base` is None where it is not known.

    by_git: whether git has them too, so that it can give one of them.
    """

    base: bytes | None
    ours: bytes
    theirs: bytes
    by_git: bool = True


def sides(repository: Repository, path: Path, data: bytes) -> Sides:
    """The sides of the conflict in the file `path`, whose bytes are `data`."""
    ours, theirs = repository.stage(2, path.name), repository.stage(3, path.name)
    found = between_markers(data)
    name = shell_words([shown(path)])
    if ours is not None and theirs is not None:
        if found is None and data not in (ours, theirs):
            message = f"{shown(path)} is merged already: it has no markers, and is neither side's"
            raise UsageError(message, hint=f"`git add {name}` tells git so")
        return Sides(repository.stage(1, path.name), ours, theirs)
    if found is not None:
        return found
    if ours is None and theirs is None:
        hint = "`mcplock status` says where it stands"
        raise UsageError(f"{shown(path)} is not conflicted", hint=hint)
    gone, kept = ("ours", "theirs") if ours is None else ("theirs", "ours")
    raise UsageError(
        f"{shown(path)} is gone from {gone} and there in {kept}: there is nothing to merge",
        hint=f"`git add {name}` keeps it as {kept} has it, `git rm {name}` takes it out",
    )


def between_markers(data: bytes) -> Sides | None:
    """The sides that conflict markers tell apart; None where there are no markers.

    What a third part tells of the base is not used: in git's style `zdiff3` lines that both
    sides added stand outside of the markers, as if the base had them too. So that base may be
    no lock, or one that makes a decision of one side look like the only one.
    """
    texts: dict[bytes, list[bytes]] = {b"<": [], b"|": [], b">": []}
    side = b""
    marked = False
    for line in data.splitlines(keepends=True):
        mark = _MARK.fullmatch(line)
        if mark:
            side = {b"<": b"<", b"|": b"|", b"=": b">", b">": b""}[mark[1][:1]]
            marked = True
            continue
        for key in [side] if side else texts:
            texts[key].append(line)
    if not marked:
        return None
    return Sides(None, b"".join(texts[b"<"]), b"".join(texts[b">"]), by_git=False)


def _merge(conflict: Sides, name: str) -> Merged:
    ours, theirs = (_side(conflict, name, side) for side in ("ours", "theirs"))
    try:
        base = read_lock(conflict.base, f"{name} (base)")[0] if conflict.base else None
    except FaultyFile:
        merged = merge_locks(None, ours, theirs)
        remark = Remark(name, "what both sides come from is no lock: all that differs was compared")
        return replace(merged, unsettled=[remark, *merged.unsettled])
    return merge_locks(base, ours, theirs)


def _side(conflict: Sides, name: str, side: str) -> Lock:
    data, other = {"ours": (conflict.ours, "theirs"), "theirs": (conflict.theirs, "ours")}[side]
    try:
        return read_lock(data, f"{name} ({side})")[0]
    except FaultyLock as error:
        hint = "mend that side between the markers"
        if conflict.by_git:
            hint = f"`git checkout --{other} {shell_words([name])}` takes the other side as it is"
        raise error.hinted(hint) from None
