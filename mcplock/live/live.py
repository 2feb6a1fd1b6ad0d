"""`catalog.connect`: calls of approved tools from asyncio."""

import asyncio
import inspect
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Self

from mcplock.approved import Tool, copied
from mcplock.errors import Refused, Unconfirmed, UsageError
from mcplock.jsontext import Json
from mcplock.levels import advice
from mcplock.live.checks import Checks
from mcplock.live.gate import Gates
from mcplock.live.line import Ask, Line, Setting
from mcplock.live.result import Result, read_result
from mcplock.records import NamedTuple
from mcplock.session.wire import Call, Notice
from mcplock.text import visible

if TYPE_CHECKING:
    from mcplock.catalog import Catalog

Confirm = Callable[[Tool, dict[str, Json]], bool | Awaitable[bool]]
"""(tool, arguments) -> whether a person says yes to this call. May be a coroutine function,
which holds up no other call. The arguments are a copy: what is sent is what was checked.
"""

SECONDS = 300.0
"""How long a call may take where nobody says otherwise."""

_UNTOLD = 100  # news of progress that wait for the caller's loop

_ASKING = {
    "elicitation/create": "a person's input",
    "sampling/createMessage": "a model's answer",
    "roots/list": "the roots of a workspace",
}


class Progress(NamedTuple):
    """How far a call is: `total` and `message` as far as the server tells them."""

    progress: float
    total: float | None = None
    message: str = ""


OnProgress = Callable[[Progress], None]


class Live:
    """Approved tools that can be called; made by `Catalog.connect`, used as a context.

    A server is started at the first call of one of its tools, is shared by all calls, and is
    closed with everything it started when the context ends. What is wrong with one server
    touches no other: its next call starts it anew.
    """

    def __init__(
        self, catalog: "Catalog", gates: Gates, setting: Setting, confirm: Confirm | None
    ) -> None:
        self._catalog = catalog
        self._gates = gates
        self._setting = setting
        self._confirm = confirm
        self._lines: dict[str, Line] = {}
        self._checks: dict[str, Checks] = {}
        self._is_open = False

    async def __aenter__(self) -> Self:
        self._is_open = True
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def catalog(self) -> "Catalog":
        """The tools that can be called."""
        return self._catalog

    async def close(self) -> None:
        """Close every server; when this returns, nothing that they started is left.

        Cancelled while it waits, it ends their processes at once.
        """
        self._is_open = False
        lines = list(self._lines.values())
        for line in lines:
            line.close()
        closed = asyncio.gather(*(line.closed() for line in lines))
        try:
            await asyncio.shield(closed)
        except asyncio.CancelledError:
            for line in lines:
                line.kill()
            await closed
            raise

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Json] | None = None,
        *,
        timeout: float | None = None,
        progress: OnProgress | None = None,
    ) -> Result:
        """Call the tool `name`, an exported name or `server/tool`.

        The arguments are held against the locked schema, and the live definition against
        the approved one; only then is anything sent. timeout: seconds for this call, 300
        where none is given; progress: is told how far the server is.

        A tool that ran and failed is a `Result` whose `is_error` is true. Raises `Refused`
        where the lock does not allow the call (`Changed`: the tool is not what was approved
        any more; `Unconfirmed`: a person's yes is missing), `InvalidArguments` with every
        violation, `Untrusted` where the server may not be started here, `ServerTrouble`
        where it cannot be reached or used, `InputRequired` where the tool wants something
        first, and `ProtocolError` for any other error that the server answers with.
        """
        if not self._is_open:
            raise UsageError("the connection is not open: use `async with catalog.connect()`")
        tool = self._tool(name)
        gate = self._gates.of(tool.server)
        gate.admit(tool)
        checks = self._checks.get(tool.id) or self._checks.setdefault(tool.id, Checks(tool))
        given = {} if arguments is None else _object(arguments)
        unchecked = checks.accept(given)
        if tool.confirm or gate.asks(tool):  # the catalog may be older than the lock is now
            await self._ask(tool._replace(confirm=True), given)
            self._gates.of(tool.server).admit(tool)  # a person takes time
        ear = _Ear(progress)
        seconds = SECONDS if timeout is None else timeout
        ask = Ask(tool, given, seconds, ear.hear, progress is not None, checks.marks)
        reply = await self._line(tool.server).call(ask)
        wire, numbers = read_result(tool, reply.text, reply.secrets)
        violations, unsure = checks.output.judge(wire)
        remarks = [*unchecked, *unsure, *numbers, *ear.remarks]
        return Result(tool.server, tool.name, wire, reply.compared, violations, remarks)

    def _tool(self, name: str) -> Tool:
        tool = self._catalog.get(name)
        if tool is None:
            left = self._catalog.left_out(name)
            hint = advice(left) if left else "`mcplock list` shows what is locked"
            raise Refused(self._catalog.why_not(name), hint=hint)
        return tool

    def _line(self, server: str) -> Line:
        if server not in self._lines:
            self._lines[server] = Line(server, self._gates, self._setting)
        return self._lines[server]

    async def _ask(self, tool: Tool, arguments: dict[str, Json]) -> None:
        """Raise unless a person says yes to the call."""
        name = visible(tool.id)
        if self._confirm is None:
            message = f"{name} needs a person's yes to each call, and there is nobody to ask"
            raise Unconfirmed(message, hint="give `connect` a `confirm` callback")
        answer = self._confirm(tool, copied(arguments))
        if inspect.isawaitable(answer):
            answer = await answer
        if answer is not True:
            raise Unconfirmed(f"{name} was not called: it was not confirmed")


def _object(arguments: Json) -> Json:
    """A copy of `arguments`; what is no mapping stays as it is, for the check to refuse."""
    return copied(dict(arguments) if isinstance(arguments, Mapping) else arguments)


class _Ear:
    """Hears what a server says while a call is open; called on the server's thread.

    Whatever it says, and however often, little of it is kept: each kind of request once, and
    of the progress that nobody has taken yet the newest.
    """

    def __init__(self, progress: OnProgress | None) -> None:
        self._asked: dict[str, str] = {}
        self._progress = progress
        self._untold: deque[Progress] = deque(maxlen=_UNTOLD)
        self._telling = False
        self._loop = asyncio.get_running_loop()

    @property
    def remarks(self) -> list[str]:
        """What a person should know of it."""
        return list(self._asked.values())

    def hear(self, message: Call | Notice) -> None:
        """Pass on progress; take note of what the server asks for and does not get."""
        if isinstance(message, Call):
            if what := _ASKING.get(message.method):
                self._asked[message.method] = (
                    f"its server asked for {what} (`{message.method}`), which was refused: "
                    "no person and no model takes part in this call"
                )
        elif message.method == "notifications/progress" and self._progress:
            found = _progress(message.params)
            if found:
                self._untold.append(found)
                if not self._telling:
                    self._telling = True
                    self._loop.call_soon_threadsafe(self._tell, self._progress)

    def _tell(self, progress: OnProgress) -> None:
        self._telling = False  # first, so that what comes from now on is told in another turn
        for _ in range(len(self._untold)):
            progress(self._untold.popleft())


def _progress(params: Mapping[str, Json]) -> Progress | None:
    done, total, message = (params.get(key) for key in ("progress", "total", "message"))
    if isinstance(done, bool) or not isinstance(done, int | float):
        return None
    total = total if isinstance(total, int | float) and not isinstance(total, bool) else None
    return Progress(done, total, message if isinstance(message, str) else "")
