"""Tools that were seen to be something else than what was approved, as calls found out.

Kept in the state directory of this machine, never in the lock: it is what one machine saw.
A mark holds until the server is updated, or a person approves another text of the tool.
"""

import json
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from mcplock.errors import McplockError
from mcplock.files import exclusive, make_private, write_atomic
from mcplock.records import NamedTuple
from mcplock.trust import project_file


class Mark(NamedTuple):
    """A tool that changed.

    approved: the hash of what was approved; seen: of what the server defined instead, ""
    where it did not list the tool any more.
    """

    server: str
    tool: str
    approved: str
    seen: str


class Marks(NamedTuple):
    """What was seen of the servers of one project, its manifest's real path."""

    state_dir: Path
    manifest: Path

    @property
    def path(self) -> Path:
        """The file that remembers it."""
        return project_file(self.state_dir, "marks", self.manifest)

    def all(self) -> list[Mark]:
        """Every mark; a file that cannot be read or is damaged holds none."""
        try:
            rows = json.loads(self.path.read_text(encoding="utf-8"))["marks"]
            return sorted(Mark(*map(str, row)) for row in rows)
        except (OSError, ValueError, KeyError, TypeError):
            return []

    def add(self, mark: Mark) -> None:
        """Remember that a tool changed."""
        self._write(lambda marks: {*marks, mark})

    def clear(self, servers: Collection[str]) -> None:
        """Forget what was seen of `servers`."""
        if any(mark.server in servers for mark in self.all()):
            self._write(lambda marks: {mark for mark in marks if mark.server not in servers})

    def _write(self, change: Callable[[Iterable[Mark]], set[Mark]]) -> None:
        try:
            make_private(self.path.parent)
        except OSError as error:
            message = f"what a call saw cannot be remembered: {error.strerror}"
            hint = "set XDG_STATE_HOME to a directory of yours"
            raise McplockError(message, hint=hint) from None
        with exclusive(self.path):
            document = {"version": 1, "marks": sorted(change(self.all()))}
            content = json.dumps(document, indent=2) + "\n"
            write_atomic(self.path, content.encode(), mode=0o600)
