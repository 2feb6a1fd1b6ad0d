"""A session that many callers share, on a thread of its own."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, InvalidStateError
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mcplock.jsontext import Json
from mcplock.manifest import Unresolved
from mcplock.model import Issue, Stage
from mcplock.session.channel import Failure, Refusal, TimedOut, unexpected
from mcplock.session.listing import Lists
from mcplock.session.live import connected
from mcplock.session.model import Failed, Lost, Progress, Target, ignore
from mcplock.session.session import Session
from mcplock.session.wire import Answer, Call, Notice

if TYPE_CHECKING:
    from mcplock.logins import Logins

_FAREWELL = 1.0  # seconds to take back what nobody waits for any more
_IDLE = 3600.0  # seconds that nothing may happen; then it is only looked whether anything did

Heard = Callable[[Call | Notice], None]
"""Is told, on the session's thread, what the server says while a request is open."""


@dataclass(slots=True, eq=False)
class _Request:
    method: str
    params: Mapping[str, Json]
    seconds: float
    heard: Heard | None
    with_progress: bool
    schema: Json
    future: "Future[Answer]" = field(default_factory=Future)
    deadline: float = 0.0


@dataclass(slots=True, eq=False)
class _Listing:
    seconds: float
    future: "Future[Lists]" = field(default_factory=Future)


class Shared:
    """One server for all who call it. Every method may be called from any thread.

    It starts at once. ready: done when the server has introduced itself, or with what it
    failed with; ended: done when it is closed and nothing it started is left. Futures fail
    with `Failed`, `ready` also with `Unresolved`.
    """

    def __init__(
        self,
        target: Target,
        *,
        directory: Path,
        environ: Mapping[str, str],
        client_name: str = "mcplock",
        ca_file: Path | None = None,
        logins: "Logins | None" = None,
        progress: Progress = ignore,
    ) -> None:
        self.ready: Future[None] = Future()
        self.ended: Future[None] = Future()
        self._name = target.server.name
        self._jobs: deque[_Request | _Listing] = deque()
        self._open: dict[int, _Request] = {}
        self._session: Session | None = None
        self._waits = False  # whether `close` must interrupt what the thread does
        self._closing = False
        self._mutex = threading.Lock()
        self._connect = partial(
            connected,
            target,
            directory=directory,
            environ=environ,
            client_name=client_name,
            ca_file=ca_file,
            logins=logins,
            progress=progress,
            hold=self._hold,
        )
        name = f"mcplock {self._name}"
        threading.Thread(target=self._run, name=name, daemon=True).start()

    @property
    def lists_changed(self) -> bool:
        """Whether the server said, since its tools were last listed, that they changed."""
        return self._session is not None and self._session.conversation.list_changed

    @property
    def secrets(self) -> Mapping[str, str]:
        """Values that must not be shown -> what stands in their place."""
        return self._session.secrets if self._session else {}

    def request(
        self,
        method: str,
        params: Mapping[str, Json],
        seconds: float,
        heard: Heard | None = None,
        *,
        with_progress: bool = False,
        schema: Json = None,
    ) -> "Future[Answer]":
        """Ask for something; cancel the future to tell the server that nobody waits any more.

        heard: is told what the server says meanwhile; with_progress: that is how far it is;
        schema: marks which of the `arguments` in `params` HTTP says again in headers.
        """
        job = _Request(method, params, seconds, heard, with_progress, schema)
        job.future.add_done_callback(self._wake_if_cancelled)
        self._post(job)
        return job.future

    def tools(self, seconds: float) -> "Future[Lists]":
        """The tools that it lists now."""
        job = _Listing(seconds)
        self._post(job)
        return job.future

    def close(self) -> None:
        """End it; `ended` says when that is done."""
        with self._mutex:
            self._closing = True
            session, waits = self._session, self._waits
        if session and waits:
            session.abort()
        elif session:
            session.wake()

    def kill(self) -> None:
        """End its process at once."""
        self._closing = True
        if self._session:
            self._session.abort()
            self._session.kill()

    def _post(self, job: _Request | _Listing) -> None:
        with self._mutex:
            self._jobs.append(job)
            session = self._session
        if self.ended.done():
            self._give_up(self._over())
        elif session:
            session.wake()

    def _wake_if_cancelled(self, future: "Future[Answer]") -> None:
        if future.cancelled() and self._session:
            self._session.wake()

    def _hold(self, session: Session) -> None:
        with self._mutex:
            self._session = session
            self._waits = True
            if self._closing:
                session.abort()

    def _run(self) -> None:
        why: Exception = self._over()
        try:
            with self._connect() as session:
                self._waits = False
                self.ready.set_result(None)
                self._serve(session)
        except (Failed, Unresolved) as failed:
            why = failed
        except Exception as error:  # noqa: BLE001 - whatever a server does, the others count
            bug = unexpected(error)
            why = Failed(Issue(self._name, Stage.CALL, bug.message, bug=error))
        finally:
            self.ended.set_result(None)
            self._give_up(why)

    def _over(self) -> Failed:
        return Failed(Issue(self._name, Stage.CALL, "its session is closed"))

    def _give_up(self, why: Exception) -> None:
        """Fail all that is open or comes too late."""
        if not self.ready.done():
            self.ready.set_exception(why)
        for job in self._open.values():
            _fail(job.future, why)
        self._open.clear()
        with suppress(IndexError):
            while True:
                _fail(self._jobs.popleft().future, why)

    def _serve(self, session: Session) -> None:
        conversation = session.conversation
        conversation.watch = self._heard
        while not self._closing:
            while self._jobs:
                self._begin(session, self._jobs.popleft())
            self._drop_overdue(session)
            until = min((job.deadline for job in self._open.values()), default=_later(_IDLE))
            try:
                answer = conversation.attend(self._open.keys(), until)
            except Failure as failure:
                raise session.failure(failure) from None
            if answer:
                self._settle(session, answer)
        self._take_back(session, list(self._open), "the client is closing")

    def _heard(self, message: Call | Notice) -> None:
        """Pass on what the server says: progress to the request it is of, else to all."""
        token = message.params.get("progressToken")
        for number, job in self._open.items():
            if job.heard and token in (None, number):
                with suppress(Exception):  # a caller's callback must not end the session
                    job.heard(message)

    def _begin(self, session: Session, job: _Request | _Listing) -> None:
        if job.future.cancelled():
            return
        if isinstance(job, _Listing):
            self._list(session, job)
            return
        session.stage = Stage.CALL
        job.deadline = session.conversation.deadline = _later(job.seconds)
        try:
            with self._waiting():
                number = session.conversation.ask(
                    job.method,
                    job.params,
                    with_progress=job.with_progress,
                    headers=session.headers_for(job.params, job.schema),
                )
        except Failure as failure:
            _fail(job.future, session.failure(failure))
        else:
            self._open[number] = job

    def _list(self, session: Session, job: _Listing) -> None:
        try:
            with self._waiting():
                found = session.tools(job.seconds)
        except Failed as failed:
            _fail(job.future, failed)
        else:
            with suppress(InvalidStateError):
                job.future.set_result(found)

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """While the thread waits for the server alone, `close` has to interrupt it."""
        with self._mutex:
            self._waits = True
            if self._closing and self._session:
                self._session.abort()
        try:
            yield
        finally:
            self._waits = False

    def _settle(self, session: Session, answer: Answer | Refusal) -> None:
        job = self._open.pop(answer.number or 0)
        session.stage = Stage.CALL
        try:
            usable = session.conversation.usable(job.method, answer)
        except Failure as failure:
            failed = session.failure(failure)
            _fail(job.future, failed)
            if isinstance(failed, Lost):  # nothing else that is sent can succeed
                raise failed from None
        else:
            with suppress(InvalidStateError):
                job.future.set_result(usable)

    def _drop_overdue(self, session: Session) -> None:
        now = time.monotonic()
        cancelled = [number for number, job in self._open.items() if job.future.cancelled()]
        overdue = [number for number, job in self._open.items() if job.deadline < now]
        for number in overdue:
            job = self._open[number]
            message = f"did not answer `{job.method}` within {job.seconds:g} seconds"
            late = TimedOut(message, hint="a longer timeout gives it more")
            _fail(job.future, session.failure(late))
        if cancelled or overdue:
            self._take_back(session, cancelled, "nobody waits for it any more")
            self._take_back(session, overdue, "it took too long")

    def _take_back(self, session: Session, numbers: list[int], reason: str) -> None:
        session.conversation.deadline = _later(_FAREWELL)
        for number in numbers:
            _fail(self._open.pop(number).future, self._over())  # unless it is done already
            with suppress(Failure):
                session.conversation.cancel(number, reason)


def _later(seconds: float) -> float:
    return time.monotonic() + seconds


def _fail(future: "Future[Answer] | Future[Lists]", why: Exception) -> None:
    with suppress(InvalidStateError):
        future.set_exception(why)
