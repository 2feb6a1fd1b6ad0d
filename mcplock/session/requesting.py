"""What both transports over HTTP have in common."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING

from mcplock.jsontext import Json
from mcplock.session.bodies import answered
from mcplock.session.channel import NOTHING, Arrived, Failure, Refusal
from mcplock.session.refusals import not_an_answer, refused
from mcplock.session.web import Web
from mcplock.session.words import Secrets

if TYPE_CHECKING:
    import httpx2


_MOST_REPLIES = 10  # that are on their way at once


class HttpChannel(ABC):
    """Messages to and from a server over HTTP."""

    _is_older = False

    def __init__(
        self, web: Web, *, server: str, written: Mapping[str, str], secrets: Secrets
    ) -> None:
        """written: the headers of the manifest, variables unexpanded."""
        self._web = web
        self._server = server
        self._written = written
        self._secrets = secrets
        self._asks: dict[int, asyncio.Task[None]] = {}
        self._replies: set[asyncio.Task[None]] = set()

    def send(
        self, message: dict[str, Json], deadline: float, headers: Mapping[str, str] = NOTHING
    ) -> None:
        """POST `message`; only what is no request is waited for."""
        if "method" in message and "id" in message:
            task = self._web.begin(self._ask(message, headers))
            number = message["id"]
            self._asks[number] = task
            task.add_done_callback(lambda _: self._asks.pop(number, None))
        else:
            self._web.run(self._tell(message), deadline)

    def reply(self, message: dict[str, Json], deadline: float) -> None:
        """POST it beside all else."""
        self._replies.add(task := self._web.begin(self._tell(message)))
        task.add_done_callback(self._replies.discard)
        if len(self._replies) > _MOST_REPLIES:
            self._web.wait_for(task, deadline)

    def drop(self, number: int) -> None:
        """Close the connection on which that answer would come."""
        if task := self._asks.get(number):
            task.cancel()

    def receive(self, deadline: float) -> Arrived | Refusal | None:
        """What came next."""
        return self._web.receive(deadline)

    def explain(self, failure: Failure) -> Failure:
        """`failure` itself: HTTP has said all there is."""
        return failure

    def wake(self) -> None:
        """Let `receive` return, called from another thread."""
        self._web.wake()

    def abort(self) -> None:
        """Stop waiting, called from another thread."""
        self._web.abort()

    def kill(self) -> None:  # noqa: B027 - nothing is the answer
        """Nothing more: connections end with the thread that has them."""

    @abstractmethod
    async def _ask(self, message: dict[str, Json], headers: Mapping[str, str]) -> None:
        """POST a request, and hand over why there is no answer, if there is none."""

    @abstractmethod
    async def _tell(self, message: dict[str, Json]) -> None:
        """POST what is no request."""

    def _no(self, response: "httpx2.Response", content: bytes) -> Failure:
        """What is said of a status that is no success."""
        found = answered(response, content)
        failure = refused(found, self._server, self._written, self._secrets, older=self._is_older)
        if self._web.access and response.status_code in (401, 403):
            return self._web.access.explain(failure)
        return failure

    def _no_message(self, response: "httpx2.Response", content: bytes) -> Failure:
        """What is said of a success that holds no message."""
        kind = response.headers.get("content-type", "")
        return not_an_answer(answered(response, content), kind, self._secrets)


def sends_events(response: "httpx2.Response") -> bool:
    """Whether the body of `response` is a stream of events."""
    kind: str = response.headers.get("content-type", "")
    return kind.lower().startswith("text/event-stream")
