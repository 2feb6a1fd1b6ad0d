"""What became of a lock that cannot be read, and what its owner can do about it."""

from collections.abc import Sequence
from enum import Enum
from pathlib import Path

from mcplock.errors import Fault, FaultyFile
from mcplock.files import project_root, shown
from mcplock.text import visible


class Damage(Enum):
    """What happened to the text of a lock, as far as the text shows it."""

    CONFLICT = "conflict"
    EMPTY = "empty"
    BROKEN = "broken"  # no JSON
    EDITED = "edited"
    NEWER = "newer"  # than this program


class FaultyLock(FaultyFile):
    """A text that is no lock.

    Where it came from decides what can be done about it, so the hint is for those who know.
    """

    def __init__(self, faults: Sequence[Fault], damage: Damage) -> None:
        super().__init__(faults)
        self.damage = damage

    def hinted(self, hint: str) -> FaultyFile:
        """The same with a hint, but where only a newer mcplock helps."""
        return FaultyFile(self.faults, hint="" if self.damage is Damage.NEWER else hint)


def remedy(path: Path, damage: Damage) -> str:
    """What to do about the lock at `path`; git is named where it may have the file."""
    import shlex

    if damage is Damage.CONFLICT:
        return "`mcplock resolve` merges both sides"
    directory = path.parent.absolute()
    if not (project_root(directory) / ".git").exists():
        return "restore it from a copy; without one, delete it and install: all is reviewed anew"
    name = visible(shlex.quote(shown(path)))
    match damage:
        case Damage.EMPTY:
            return (
                f"`git checkout {name}` restores it; without one, delete it and `mcplock install`"
            )
        case Damage.EDITED:
            return f"`git diff {name}` shows what was edited, `git checkout {name}` takes it back"
        case _:
            return f"`git checkout {name}` restores it"
