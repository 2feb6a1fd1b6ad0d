"""What is wrong inside a lock that is JSON: noted while it is read, told all at once."""

from mcplock.errors import Fault
from mcplock.jsontext import Json, Path, duplicate_keys, lines
from mcplock.lazy import pattern
from mcplock.lockfile.damage import Damage, FaultyLock
from mcplock.lockfile.document import MOST, bad_numbers
from mcplock.text import visible

UPGRADE = "upgrade mcplock: a newer version wrote this file"
_PLAIN_STEP = pattern(r"[A-Za-z0-9_@$-]+")


Note = tuple[Path, str, int]
"""(place, message, line or 0)"""


class TooMany(Exception):
    """So much is wrong that nobody would read the rest."""


class Faults:
    """Notes faults by their path, the first hundred of them."""

    def __init__(self) -> None:
        self._found: list[Note] = []
        self._misfits: list[Note] = []

    def __bool__(self) -> bool:
        return bool(self._found or self._misfits)

    def note(self, path: Path, message: str, line: int = 0) -> None:
        """Note a fault of the value at `path`; `line` where that is not the line of its key.

        Raises `TooMany` once a hundred are noted, and so does `misfit`.
        """
        self._note(self._found, (path, message, line))

    def misfit(self, path: Path, message: str) -> None:
        """Note that the entry at `path` is not what its hash says.

        It is not told where another fault inside the entry explains it.
        """
        self._note(self._misfits, ((*path, "hash"), message, 0))

    def _note(self, where: list[Note], note: Note) -> None:
        where.append(note)
        if len(self._found) + len(self._misfits) >= MOST:
            raise TooMany

    def note_text(self, text: str, *, numbers: bool) -> None:
        """Note what only the text shows: keys written twice, and with `numbers` bad numbers."""
        for path, line in duplicate_keys(text):
            self.note(path, "this key is there twice", line)
        for path, message in bad_numbers(text) if numbers else ():
            self.note(path, message)

    def error(self, name: str, text: str, value: Json) -> FaultyLock:
        """The error that tells them, each with its line in `text`, whose value is `value`."""
        places = [path for path, _, _ in self._found]
        notes = self._found + [
            misfit
            for misfit in self._misfits
            if not any(place[: len(misfit[0]) - 1] == misfit[0][:-1] for place in places)
        ]
        written = {path: _written(path, value) for path, _, line in notes if not line}
        found = lines(text, set(written.values()))
        faults = [
            Fault(name, line or found.get(written[path], 0), dotted(path), message)
            for path, message, line in notes
        ]
        faults.sort(key=lambda fault: fault.line)
        if len(self._found) + len(self._misfits) >= MOST:
            faults.append(Fault(name, 0, "", "the rest of the file was not looked at"))
        newer = any(message.endswith(UPGRADE) for _, message, _ in notes)
        return FaultyLock(faults, Damage.NEWER if newer else Damage.EDITED)


def dotted(path: Path) -> str:
    """`path` as messages show it: `servers.docs.tools."a.b"`."""
    return ".".join(_step(str(step)) for step in path)


def _step(step: str) -> str:
    return step if _PLAIN_STEP.fullmatch(step) else f'"{visible(step)}"'


def _written(path: Path, value: Json) -> Path:
    """`path`, or where nothing stands there the nearest place above it."""
    for depth, step in enumerate(path):
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return path[:depth]
    return path
