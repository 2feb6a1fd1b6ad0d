"""The older HTTP+SSE transport: one stream of events by GET, messages by POST beside it."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from mcplock.jsontext import Json
from mcplock.session.channel import Arrived, Ended, Failure, Refusal
from mcplock.session.events import Events
from mcplock.session.refusals import address, not_an_answer, refused, same_origin
from mcplock.session.web import Web, answered, beginning
from mcplock.session.wire import encode
from mcplock.session.words import Secrets

if TYPE_CHECKING:
    import httpx2


class SseChannel:
    """Messages to and from a server over HTTP+SSE."""

    def __init__(
        self, web: Web, *, server: str, written: Mapping[str, str], secrets: Secrets
    ) -> None:
        """written: the headers of the manifest, variables unexpanded."""
        self._web = web
        self._server = server
        self._written = written
        self._secrets = secrets
        self._endpoint = ""
        self._failure: Failure | None = None
        self._ready = asyncio.Event()
        self._web.begin(self._listen())

    def send(self, message: dict[str, Json], deadline: float) -> None:
        """POST `message` to the endpoint that the stream has named."""
        if "method" in message and "id" in message:
            self._web.begin(self._ask(message))
        else:
            self._web.run(self._post(message), deadline)

    def receive(self, deadline: float) -> Arrived | Refusal | None:
        """What came on the stream."""
        return self._web.receive(deadline)

    def agree(self, revision: str) -> None:
        """Nothing: this transport is older than the header that names a revision."""

    def explain(self, failure: Failure) -> Failure:
        """`failure` itself: HTTP has said all there is."""
        return failure

    def abort(self) -> None:
        """Stop waiting, called from another thread."""
        self._web.abort()

    def kill(self) -> None:
        """Nothing more: connections end with the thread that has them."""

    def close(self) -> None:
        """End every connection, and the session with them."""
        self._web.close()

    async def _listen(self) -> None:
        headers = {"accept": "text/event-stream", "cache-control": "no-store"}
        try:
            async with self._web.respond("GET", self._web.url, headers) as response:
                await self._check(response)
                await self._events(response)
            failure: Failure = Ended("closed its event stream")
        except Failure as caught:
            failure = caught
        self._failure = failure
        self._ready.set()
        if self._endpoint:  # else whoever waits for it says so
            self._web.arrive(failure)

    async def _check(self, response: "httpx2.Response") -> None:
        kind = response.headers.get("content-type", "")
        if response.is_success and kind.lower().startswith("text/event-stream"):
            return
        found = answered(response, await beginning(response))
        if response.is_success:
            raise not_an_answer(found, kind, self._secrets)
        raise refused(found, self._server, self._written, self._secrets)

    async def _events(self, response: "httpx2.Response") -> None:
        events = Events()
        async for chunk in response.aiter_bytes():
            for kind, data in events.feed(chunk):
                if kind == "message" and data:
                    await self._web.deliver(Arrived(data))
                elif kind == "endpoint" and not self._endpoint:
                    self._endpoint = self._below(str(response.url), data)
                    self._ready.set()

    def _below(self, stream: str, named: str) -> str:
        try:
            endpoint = urljoin(stream, named)
        except ValueError:
            raise Failure("sends its messages to an address that is none") from None
        if not same_origin(stream, endpoint):
            raise Failure(f"sends its messages to another origin, {address(endpoint)}")
        return endpoint

    async def _ask(self, message: dict[str, Json]) -> None:
        try:
            await self._post(message)
        except Failure as failure:
            self._web.arrive(Refusal(message["id"], failure))

    async def _post(self, message: dict[str, Json]) -> None:
        await self._ready.wait()
        if self._failure:
            raise self._failure
        headers = {"content-type": "application/json"}
        async with self._web.respond("POST", self._endpoint, headers, encode(message)) as response:
            if not response.is_success:
                found = answered(response, await beginning(response))
                raise refused(found, self._server, self._written, self._secrets)
