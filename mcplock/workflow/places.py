"""Where entries stand in the files of a repository: what an annotation points at."""

import re
from bisect import bisect_right
from collections.abc import Mapping
from pathlib import Path, PurePath

from mcplock.files import project_root, read_bytes
from mcplock.jsontext import Path as JsonPath
from mcplock.jsontext import spans
from mcplock.manifest import Server
from mcplock.model import SECTIONS, Kind, Place

Key = tuple[str, Kind | None, str]
"""(server, kind, name of the definition or ""); kind None: the server as a whole."""

_KINDS = {section.key: section.kind for section in SECTIONS}
_OWN = {kind.value: kind for kind in (Kind.SOURCE, Kind.PACKAGE, Kind.INSTRUCTIONS)}


def entry_lines(text: str) -> dict[Key, int]:
    """The line, from 1, of each server and each entry in the text of a lock."""
    breaks = [hit.start() for hit in re.finditer("\n", text)]
    found: dict[Key, int] = {}
    for path, start, _ in spans(text, within=("servers",), levels=3):
        key = _key(path)
        if key:
            found[key] = bisect_right(breaks, start) + 1
    return found


def _key(path: JsonPath) -> Key | None:
    """Which server or entry the object at `path` is."""
    match path:
        case (_, str(server)):
            return server, None, ""
        case (_, str(server), str(part)) if part in _OWN:
            return server, _OWN[part], ""
        case (_, str(server), str(part), str(name)) if part in _KINDS:
            return server, _KINDS[part], name
        case _:
            return None


class Places:
    """The place of each entry: in the lock, else its server's there, else in the manifest."""

    def __init__(self, lock_path: Path, servers: Mapping[str, Server] | None = None) -> None:
        self._root = root_of(lock_path)
        self._servers = servers or {}
        self.lock = from_root(lock_path, self._root)
        self._lines = entry_lines(read_bytes(lock_path).decode("utf-8-sig"))

    def of(self, server: str, kind: Kind | None = None, name: str = "") -> Place:
        """Where the entry, or the server, is to be looked at; the lock's first line at last."""
        for key in ((server, kind, name), (server, None, "")):
            if key in self._lines:
                return Place(self.lock, self._lines[key])
        return self.in_manifest(server)

    def in_manifest(self, server: str) -> Place:
        """Where the manifest names the server; the lock's first line where it does not."""
        if server not in self._servers:
            return Place(self.lock, 1)
        return manifest_place(self._servers[server], self._root)


def manifest_place(server: Server, root: Path) -> Place:
    """Where a manifest of the repository at `root` names the server."""
    return Place(from_root(Path(server.place.file), root), server.place.line)


def from_root(path: Path, root: Path) -> str:
    """`path` as the repository at `root` names it, with slashes; whole where it is not in it."""
    whole = path.parent.resolve() / path.name
    inside = whole.is_relative_to(root)
    return PurePath(whole.relative_to(root) if inside else whole).as_posix()


def root_of(path: Path) -> Path:
    """The root of the repository that the file at `path` lies in."""
    return project_root(path.parent.resolve())
