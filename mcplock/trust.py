"""Which sources this machine may start: consent to run somebody's code, given per project.

Kept in the state directory, never in the repository: a clone cannot bring its own consent.
"""

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from mcplock.errors import McplockError
from mcplock.files import exclusive, shown, write_atomic


@dataclass(frozen=True, slots=True)
class Trust:
    """The consent that this machine's user gave for one project, its manifest's real path."""

    state_dir: Path
    manifest: Path

    @property
    def path(self) -> Path:
        """The file that remembers it."""
        project = hashlib.sha256(str(self.manifest.resolve()).encode()).hexdigest()[:32]
        return self.state_dir / "trust" / f"{project}.json"

    def hashes(self) -> frozenset[str]:
        """The hashes of the sources that may be started."""
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return frozenset()
        try:
            remembered = json.loads(text)["sources"]
            return frozenset(map(str, remembered))
        except (ValueError, KeyError, TypeError):
            message = f"{shown(self.path)} is damaged: nothing is trusted"
            raise McplockError(message, hint="delete the file and run `mcplock trust`") from None

    def remember(self, hashes: Collection[str]) -> None:
        """Let the sources with these hashes be started from now on."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with exclusive(self.path):
            sources = sorted(self.hashes() | set(hashes))
            document = {"version": 1, "project": str(self.manifest.resolve()), "sources": sources}
            text = json.dumps(document, indent=2) + "\n"
            write_atomic(self.path, text.encode("utf-8", "surrogateescape"), mode=0o600)
