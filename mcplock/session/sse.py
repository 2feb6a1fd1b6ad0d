"""The older HTTP+SSE transport: one stream of events by GET, messages by POST beside it."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from mcplock.jsontext import Json
from mcplock.session.bodies import beginning, pieces
from mcplock.session.channel import Arrived, Ended, Failure, Refusal
from mcplock.session.events import Events
from mcplock.session.refusals import address, same_origin
from mcplock.session.requesting import HttpChannel, sends_events
from mcplock.session.web import Web
from mcplock.session.wire import encode
from mcplock.session.words import Secrets

if TYPE_CHECKING:
    import httpx2


class SseChannel(HttpChannel):
    """Messages to and from a server over HTTP+SSE."""

    _is_older = True

    def __init__(
        self, web: Web, *, server: str, written: Mapping[str, str], secrets: Secrets
    ) -> None:
        """written: the headers of the manifest, variables unexpanded."""
        super().__init__(web, server=server, written=written, secrets=secrets)
        self._endpoint = ""
        self._failure: Failure | None = None
        self._ready = asyncio.Event()
        self._web.begin(self._listen())

    def agree(self, revision: str) -> None:
        """Nothing: this transport is older than the header that names a revision."""

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
        if response.is_success and sends_events(response):
            return
        content = await beginning(response)
        if response.is_success:
            raise self._no_message(response, content)
        raise self._no(response, content)

    async def _events(self, response: "httpx2.Response") -> None:
        events = Events()
        async for piece in pieces(response):
            for kind, data in events.feed(piece):
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

    async def _ask(self, message: dict[str, Json], headers: Mapping[str, str]) -> None:
        del headers  # this transport is older than any that names one
        try:
            await self._tell(message)
        except Failure as failure:
            self._web.arrive(Refusal(message["id"], failure))

    async def _tell(self, message: dict[str, Json]) -> None:
        await self._ready.wait()
        if self._failure:
            raise self._failure
        headers = {"content-type": "application/json"}
        async with self._web.respond("POST", self._endpoint, headers, encode(message)) as response:
            if not response.is_success:
                raise self._no(response, await beginning(response))
