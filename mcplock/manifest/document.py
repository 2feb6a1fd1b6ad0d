"""A file while it is read: its value, the line of each key, what is wrong with it."""

from collections.abc import Callable, Mapping
from functools import cached_property, partial

from mcplock.errors import Fault
from mcplock.jsontext import Json, Path
from mcplock.lazy import pattern
from mcplock.manifest.secrets import without_shapes
from mcplock.model import Place
from mcplock.text import visible

_BARE = pattern(r"[\w$-]+")


def dotted(path: Path) -> str:
    """`path` as messages show it: `servers.a.args[0]`, odd keys in quotes, secret ones masked."""
    shown = ""
    for step in path:
        if isinstance(step, int):
            shown += f"[{step}]"
        else:
            bare = _BARE.fullmatch(step)
            key = without_shapes(step) if bare else f'"{without_shapes(visible(step))}"'
            shown += f".{key}" if shown else key
    return shown


class Document:
    """One file of the manifest.

    file: its path as it is shown; value: what it says, None where it cannot be read;
    lines: the line, from 1, of each key and list item (of the upper levels at least);
    prefix: where in the file the value stands; paths are told from there, places written
    whole. left_out: servers that it names and does not describe. quoting: what to add where
    a text is wanted and a bare value is written.
    """

    def __init__(self, file: str, *, quoting: str = "") -> None:
        self.file = file
        self.quoting = quoting
        self.prefix: Path = ()
        self.value: Json = None
        self.find_lines: Callable[[], Mapping[Path, int]] = dict
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = []
        self.left_out: list[str] = []

    @cached_property
    def lines(self) -> Mapping[Path, int]:
        """What `find_lines` finds, when somebody asks: most runs never do."""
        return self.find_lines()

    def enter(self, prefix: Path) -> bool:
        """Read on below `prefix` alone; false, and nothing is changed, where no table is there."""
        value = self.value
        for key in prefix:
            value = value.get(key) if isinstance(value, dict) else None
        if not isinstance(value, dict):
            return False
        self.value, self.prefix = value, prefix
        return True

    def place(self, path: Path) -> Place:
        """Where `path` is written: its own line, else that of what it stands in."""
        return Place(self.file, partial(self._line, (*self.prefix, *path)))

    def _line(self, whole: Path) -> int:
        lines = (self.lines.get(whole[:length], 0) for length in range(len(whole), 0, -1))
        return next(filter(None, lines), 0)

    def fault(self, path: Path, message: str) -> None:
        """Note that what stands at `path` cannot be taken."""
        self.faults.append(self._told(path, message))

    def warn(self, path: Path, message: str) -> None:
        """Note that what stands at `path` is odd, but no fault."""
        self.warnings.append(self._told(path, message))

    def fault_at(self, line: int, message: str) -> None:
        """Note what is wrong on a line, where no key can be named."""
        self.faults.append(Fault(self.file, line, "", message))

    def _told(self, path: Path, message: str) -> Fault:
        key = dotted((*self.prefix, *path))
        return Fault(self.file, self.place(path).line, key, without_shapes(message))
