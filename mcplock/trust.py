"""Which sources this machine may start: consent to run somebody's code, given per project.

Kept in the state directory, never in the repository: a clone cannot bring its own consent.
"""

import hashlib
import json
from collections.abc import Collection, Mapping
from pathlib import Path

from mcplock.errors import McplockError
from mcplock.files import exclusive, make_private, shown, write_atomic
from mcplock.records import NamedTuple
from mcplock.text import visible
from mcplock.userdirs import user_dir


def project_file(state_dir: Path, kind: str, manifest: Path) -> Path:
    """The file below `state_dir` that remembers one `kind` of thing of a project."""
    project = hashlib.sha256(str(manifest.resolve()).encode("utf-8", "surrogateescape"))
    return state_dir / kind / f"{project.hexdigest()[:32]}.json"


def user_state_dir(environ: Mapping[str, str]) -> Path:
    """Where this user's consent and the cache of approved texts are kept.

    A path that is not absolute would be one in the repository, which could bring its own.
    """
    path = user_dir(environ, "state")
    if not path.is_absolute():
        message = f"no place for what this machine trusts: {visible(str(path))} is not absolute"
        raise McplockError(message, hint="set HOME, or XDG_STATE_HOME to an absolute path")
    return path


class Trust(NamedTuple):
    """The consent that this machine's user gave for one project, its manifest's real path."""

    state_dir: Path
    manifest: Path

    @property
    def path(self) -> Path:
        """The file that remembers it."""
        return project_file(self.state_dir, "trust", self.manifest)

    def hashes(self) -> frozenset[str]:
        """The hashes of the sources that may be started."""
        try:
            remembered = json.loads(self.path.read_text(encoding="utf-8"))["sources"]
        except FileNotFoundError:
            return frozenset()
        except OSError as error:
            raise McplockError(f"{self._shown}: cannot be read: {error.strerror}") from None
        except (ValueError, KeyError, TypeError):
            remembered = None
        if not isinstance(remembered, list):
            message = f"{self._shown} is damaged: nothing is trusted"
            raise McplockError(message, hint="delete the file, then `mcplock trust`")
        return frozenset(map(str, remembered))

    def remember(self, hashes: Collection[str]) -> None:
        """Let the sources with these hashes be started from now on."""
        try:
            make_private(self.path.parent)
        except OSError as error:
            message = f"{self._shown}: cannot be written: {error.strerror}"
            hint = "set XDG_STATE_HOME to a directory of yours"
            raise McplockError(message, hint=hint) from None
        with exclusive(self.path):
            sources = sorted(self.hashes() | set(hashes))
            document = {"version": 1, "project": str(self.manifest.resolve()), "sources": sources}
            text = json.dumps(document, indent=2) + "\n"
            write_atomic(self.path, text.encode(), mode=0o600)

    @property
    def _shown(self) -> str:
        return visible(shown(self.path))
