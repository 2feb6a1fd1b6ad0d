"""The connection to one server, for all calls of its tools."""

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mcplock.approved import Tool
from mcplock.errors import McplockError, ProtocolError, ServerTrouble
from mcplock.jsontext import Json
from mcplock.live.evidence import Answered, is_suspicious
from mcplock.live.gate import Gate, Gates
from mcplock.logins import Logins
from mcplock.manifest import Unresolved
from mcplock.model import Issue, Kind, Source
from mcplock.records import NamedTuple
from mcplock.session import Denied, Failed, Heard, Lost, Progress, Shared
from mcplock.session.model import ignore
from mcplock.text import visible

_FRESH = 300.0
"""Seconds for which a comparison counts: a server may change and not say so."""


class Ask(NamedTuple):
    """A call to make.

    heard: is told what the server says meanwhile; marks: the input schema, where it marks
    arguments that HTTP says again in headers.
    """

    tool: Tool
    arguments: Mapping[str, Json]
    seconds: float
    heard: Heard
    with_progress: bool = False
    marks: Json = None


class Reply(NamedTuple):
    """A result as text, and whether the live definition is known to be the approved one."""

    text: str
    compared: bool
    secrets: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Setting:
    """What all servers of a run share.

    environ: where variables come from; trust_lock: nothing is listed before a call.
    """

    environ: Mapping[str, str]
    trust_lock: bool = False
    ca_file: Path | None = None
    progress: Progress = ignore


class Line:
    """One server: started at the first call, and again after it broke. Of one event loop."""

    def __init__(self, name: str, gates: Gates, setting: Setting) -> None:
        self._name = name
        self._gates = gates
        self._gate = gates.of(name)
        self._setting = setting
        self._shared: Shared | None = None
        self._reached: tuple[Path, Source] | None = None  # what `_shared` was started from
        self._timeout = 0.0
        self._hashes: Mapping[str, str] | None = None  # what it listed, by the names of tools
        self._listed_at = 0.0
        self._mutex = asyncio.Lock()
        self._is_closed = False

    async def call(self, ask: Ask) -> Reply:
        """Call the tool, its definition compared first.

        Raises `Changed`, `ProtocolError`, `ServerTrouble`, and what the gate raises.
        """
        try:
            try:
                return await self._call(ask)
            except Lost:  # the server did nothing: a new session may be asked the same
                await self._over()
                return await self._call(ask)
        except Denied as denied:
            raise _passed_on(ask.tool, denied) from None
        except (Failed, Unresolved) as failed:
            raise trouble(failed.issue) from None

    async def _call(self, ask: Ask) -> Reply:
        tool = ask.tool
        shared = await self._ready(tool)
        if not self._setting.trust_lock:
            await self._compare(shared, tool)
        asked = shared.request(
            "tools/call",
            {"name": tool.name, "arguments": ask.arguments},
            ask.seconds,
            ask.heard,
            with_progress=ask.with_progress,
            schema=ask.marks,
        )
        try:
            answer = await asyncio.wrap_future(asked)
        except Denied as denied:
            if is_suspicious(Answered.ERROR, denied.error.code):
                await self._confront(shared, tool)
            raise
        failed = answer.result is not None and answer.result.get("isError") is True
        if is_suspicious(Answered.FAILED if failed else Answered.RESULT):
            await self._confront(shared, tool)
        return Reply(answer.text, self._is_fresh(shared) and self._fits(tool), shared.secrets)

    async def _ready(self, tool: Tool) -> Shared:
        """The session, started where there is none, or none of what the lock has now.

        What allows the call is looked at last of all, and read anew before a start.
        """
        async with self._mutex:
            if self._is_closed:
                raise ServerTrouble(f"{visible(self._name)}: the connection is closed")
            gate = self._gates.of(self._name)
            gate.admit(tool)
            if self._shared and _reached(gate, self._name) != self._reached:
                self._shared.close()
                await self._over()
            if self._shared is None or self._shared.ended.done():
                gate = self._gates.of(self._name, anew=True)
                gate.admit(tool)
                self._hashes = None
                self._shared = self._start(gate)
            self._gate = gate
            shared = self._shared
        if not shared.ready.done() or shared.ready.exception():
            await asyncio.shield(asyncio.wrap_future(shared.ready))
        return shared

    def _start(self, gate: Gate) -> Shared:
        target = gate.target(self._name)
        self._reached = _reached(gate, self._name)
        self._timeout = target.server.timeout
        return Shared(
            target,
            directory=gate.manifest.directory,
            environ=self._setting.environ,
            client_name=gate.manifest.client_name,
            ca_file=self._setting.ca_file,
            logins=Logins(gate.state_dir),
            progress=self._setting.progress,
        )

    async def _over(self) -> None:
        if self._shared:
            await asyncio.shield(asyncio.wrap_future(self._shared.ended))

    async def _compare(self, shared: Shared, tool: Tool) -> None:
        """Raise `Changed` unless the server lists `tool` as it was approved."""
        async with self._mutex:
            if not self._is_fresh(shared):
                await self._list(shared)
        self._judge(tool)

    async def _confront(self, shared: Shared, tool: Tool) -> None:
        """Raise `Changed` if that is why a call failed, as far as it can be found out."""
        with suppress(Failed, ServerTrouble):
            async with self._mutex:
                if not self._is_fresh(shared):
                    await self._list(shared)
            self._judge(tool)

    def _is_fresh(self, shared: Shared) -> bool:
        """Whether what it lists is known, and not for so long that it may have changed."""
        is_recent = time.monotonic() - self._listed_at < _FRESH
        return self._hashes is not None and is_recent and not shared.lists_changed

    async def _list(self, shared: Shared) -> None:
        """Take note of what the server lists; nothing where there were tools is an outage."""
        self._hashes = None
        found = await asyncio.wrap_future(shared.tools(self._timeout))
        tools = found.definitions.get(Kind.TOOL, {})
        if not tools:
            had = len(self._gate.lock.servers[self._name].of(Kind.TOOL))
            message = f"{visible(self._name)} lists no tools where the lock has {had}"
            raise ServerTrouble(message, hint="`mcplock check` looks again")
        self._hashes = {name: entry.hash for name, entry in tools.items()}
        self._listed_at = time.monotonic()

    def _judge(self, tool: Tool) -> None:
        if not self._fits(tool):
            raise self._gate.mark(tool, (self._hashes or {}).get(tool.name, ""))

    def _fits(self, tool: Tool) -> bool:
        return (self._hashes or {}).get(tool.name) == tool.hash

    def close(self) -> None:
        """Begin to close it; no call starts it again."""
        self._is_closed = True
        if self._shared:
            self._shared.close()

    def kill(self) -> None:
        """End its process at once."""
        if self._shared:
            self._shared.kill()

    async def closed(self) -> None:
        """Wait until it is closed and nothing it started is left."""
        await self._over()


def _reached(gate: Gate, name: str) -> tuple[Path, Source]:
    """From where and how the server is reached; raises where it may not be."""
    return gate.manifest.path, gate.target(name).server.source


def trouble(issue: Issue) -> McplockError:
    """What is raised where a server cannot be reached or used."""
    name = visible(issue.server)
    error = ServerTrouble(f"{name} ({issue.stage.value}): {issue.message}", hint=issue.hint)
    error.bug = issue.bug
    return error


def _passed_on(tool: Tool, denied: Denied) -> ProtocolError:
    error = denied.error
    message = f"{visible(tool.id)}: {denied.issue.message}"
    return ProtocolError(message, code=error.code, data=error.data)
