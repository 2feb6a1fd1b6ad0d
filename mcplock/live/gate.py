"""What must hold before a tool is called: the lock, the manifest, this machine's consent."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from mcplock.approved import Omitted, Tool, blocked_by
from mcplock.canonical import hash_value
from mcplock.errors import Changed, McplockError, Refused, ServerTrouble, Untrusted
from mcplock.levels import DISABLED, GONE, MOVED, advice
from mcplock.lockfile import load as load_lock
from mcplock.manifest import Manifest, Server, find
from mcplock.manifest import load as load_manifest
from mcplock.manifest.encoding import read_file
from mcplock.marks import Mark, Marks
from mcplock.model import Kind, Lock, State
from mcplock.naming import typed
from mcplock.session import Target
from mcplock.text import visible
from mcplock.trust import Trust


@dataclass(frozen=True, slots=True)
class Gate:
    """One project as it was when its files were read, and what calls saw of it.

    trust_sources: servers are started without this machine's consent, which the caller has
    given himself.
    """

    manifest: Manifest
    lock: Lock
    state_dir: Path
    trust_sources: bool = False
    _seen: dict[tuple[str, str, str], Mark] = field(default_factory=dict)
    _found: dict[str, Server] = field(default_factory=dict)  # what `_named` and `target` let pass
    _targets: dict[str, Target] = field(default_factory=dict)

    def admit(self, tool: Tool) -> None:
        """Raise where the lock does not allow the call, or the tool was seen to have changed."""
        locked = self.lock.servers.get(tool.server)
        entry = locked.of(Kind.TOOL).get(tool.name) if locked else None
        name = visible(tool.id)
        if locked is None or entry is None:
            raise Refused(f"{name} is not in the lock", hint="`mcplock list` shows what is")
        if entry.state is not State.APPROVED:
            left = Omitted(tool.server, tool.name, entry.state.value)
            raise Refused(f"{name} is {left.reason} in the lock", hint=advice(left))
        if entry.hash != tool.hash:
            message = f"{name} was approved in another form since this catalog was made"
            raise Refused(message, hint="load the catalog anew")
        if reason := blocked_by(locked):
            left = Omitted(tool.server, tool.name, reason)
            raise Refused(f"{name}: {reason}", hint=advice(left))
        self._named(tool.server)
        if mark := self._seen.get(_key(tool)):
            raise changed(mark)

    def asks(self, tool: Tool) -> bool:
        """Whether a call that an agent makes of a tool that is admitted needs a person's yes."""
        return self.lock.servers[tool.server].of(Kind.TOOL)[tool.name].confirm != "never"

    def target(self, name: str) -> Target:
        """How to reach the server `name`; raises where it may not be started here."""
        if name not in self._targets:
            self._targets[name] = self._target(name)
        return self._targets[name]

    def _target(self, name: str) -> Target:
        server = self._named(name)
        locked = self.lock.servers[name]
        trusts = self.trust_sources or (
            locked.source.hash in Trust(self.state_dir, self.manifest.path).hashes()
        )
        if not trusts:
            message = f"{visible(name)} was not started: this machine has no consent to start it"
            raise Untrusted(message, hint=f"`mcplock trust {typed(name)}`")
        return Target(server, locked.protocol)

    def _named(self, name: str) -> Server:
        """The server `name` of the manifest; raises unless that has it as the lock does."""
        if name not in self._found:
            self._found[name] = self._looked_up(name)
        return self._found[name]

    def _looked_up(self, name: str) -> Server:
        shown, manifest = visible(name), visible(self.manifest.path.name)
        server = self.manifest.servers.get(name)
        if server is None:
            message = f"{shown} is in the lock, but not in {manifest}"
            raise Refused(message, hint=advice(Omitted(name, "", GONE)))
        if server.disabled:
            message = f"{shown} is disabled in {server.place}"
            raise Refused(message, hint=advice(Omitted(name, "", DISABLED)))
        if server.refused:
            raise ServerTrouble(server.refused.message, hint=server.refused.hint)
        if hash_value(server.source.content()) != self.lock.servers[name].source.hash:
            message = f"{shown} is reached otherwise in {manifest} than in the lock"
            raise Refused(message, hint=advice(Omitted(name, "", MOVED)))
        return server

    def remember(self, before: "Gate") -> None:
        """Take over what calls saw, also where it could not be written."""
        self._seen.update(before._seen)

    def mark(self, tool: Tool, seen: str) -> Changed:
        """Remember that the server defines `tool` as what hashes to `seen`; what to raise."""
        mark = Mark(tool.server, tool.name, tool.hash, seen)
        self._seen[_key(tool)] = mark
        with suppress(McplockError):  # the refusal counts, also where nothing can be written
            Marks(self.state_dir, self.manifest.path).add(mark)
        return changed(mark)


Level = Callable[[bool], Gate]
"""The gate of one level as it is now; True: read anew, also where no file seems to have changed."""


@dataclass(frozen=True, slots=True)
class Gates:
    """The gate of a project, and that of the user's own servers below it."""

    project: Level
    user: Level | None = None

    def of(self, server: str, *, anew: bool = False) -> Gate:
        """The gate of the level that `server` belongs to, as it is now.

        Raises as `open_gates`, where the files are not there any more or have faults.
        """
        project = self.project(anew)
        if self.user is None or server in project.lock.servers or server in project.manifest.names:
            return project
        return self.user(anew)


class _Watched:
    """The gate of one level, opened again once one of the files behind it has changed."""

    def __init__(self, place: Callable[[], Path], state_dir: Path, *, trust_sources: bool) -> None:
        """place: finds the manifest."""
        self._place = place
        self._state_dir = state_dir
        self._trust_sources = trust_sources
        self._gate: Gate | None = None
        self._stamps: dict[Path, _Stamp] = {}

    def __call__(self, anew: bool) -> Gate:
        gate = self._gate
        if gate is None or anew or any(_stamp(path) != had for path, had in self._stamps.items()):
            gate = self._opened()
        return gate

    def _opened(self) -> Gate:
        before, self._gate, self._stamps = self._gate, None, {}  # with a fault, none is open
        manifest = load_manifest(self._place(), read=lambda path: read_file(self._noted(path)))
        lock = load_lock(self._noted(manifest.lock_path)).lock
        self._noted(Trust(self._state_dir, manifest.path).path)  # read later, so never older
        gate = gate_of(manifest, lock, self._state_dir, trust_sources=self._trust_sources)
        if before:
            gate.remember(before)
        self._gate = gate
        return gate

    def _noted(self, path: Path) -> Path:
        """`path`, about to be read: what is written to it from now on is a change."""
        self._stamps[path] = _stamp(path)
        return path


_Stamp = tuple[int, int, int, int] | None


def _stamp(path: Path) -> _Stamp:
    """What changes with the content of a file, None where there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116 - before every call: the quicker way
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def open_gates(
    lock_path: Path,
    user_lock: Path | None,
    manifest_path: Path | None,
    state_dir: Path,
    *,
    trust_sources: bool = False,
) -> Gates:
    """The gate of the manifest at `manifest_path`, or of the one beside the lock; the user's.

    Raises `MissingFile` and `FaultyFile`.
    """

    def opened(place: Callable[[], Path]) -> Level:
        level = _Watched(place, state_dir, trust_sources=trust_sources)
        level(True)
        return level

    user = opened(lambda: find(user_lock.parent, only=True)) if user_lock else None
    if user and lock_path == user_lock and not manifest_path:
        return Gates(user)
    return Gates(opened(lambda: find(lock_path.parent, manifest_path)), user)


def gate_of(
    manifest: Manifest, lock: Lock, state_dir: Path, *, trust_sources: bool = False
) -> Gate:
    """The gate of a manifest and a lock that were read, with what calls saw before."""
    marks = Marks(state_dir, manifest.path).all()
    seen = {(mark.server, mark.tool, mark.approved): mark for mark in marks}
    return Gate(manifest, lock, state_dir, trust_sources, seen)


def changed(mark: Mark) -> Changed:
    """What is said of a call of a tool that is not what was approved."""
    name = visible(f"{mark.server}/{mark.tool}")
    gone = "" if mark.seen else ": its server lists it no more"
    message = f"{name} changed since you approved it{gone}"
    return Changed(message, hint=f"`mcplock update {typed(mark.server)}` shows what it is now")


def _key(tool: Tool) -> tuple[str, str, str]:
    return tool.server, tool.name, tool.hash
