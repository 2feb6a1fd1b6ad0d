"""The Streamable HTTP transport: each message is a POST, answered with JSON or with events."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, suppress
from typing import TYPE_CHECKING

from mcplock.jsontext import Json
from mcplock.session.bodies import answered, beginning, body, pieces
from mcplock.session.channel import NOTHING, Arrived, Expired, Failure, Refusal, Rejected
from mcplock.session.events import Events
from mcplock.session.mirrored import header_value
from mcplock.session.protocol import META_VERSION, METHOD_NOT_FOUND
from mcplock.session.refusals import another_answer
from mcplock.session.requesting import HttpChannel, sends_events
from mcplock.session.wire import Answer, RpcError, decode, encode, read

if TYPE_CHECKING:
    import httpx2

_SESSION = "mcp-session-id"
_READ = 1 << 20  # bytes of a body that is read for its words alone
_SPACE = b" \t\r\n\xef\xbb\xbf"


class StreamableChannel(HttpChannel):
    """Messages to and from a server over Streamable HTTP. No stream is opened by GET."""

    _session = ""
    _revision = ""

    def send(
        self, message: dict[str, Json], deadline: float, headers: Mapping[str, str] = NOTHING
    ) -> None:
        """POST `message`; what greets begins a session of its own."""
        if message.get("method") == "initialize":
            self._session = self._revision = ""
        super().send(message, deadline, headers)

    def agree(self, revision: str) -> None:
        """Name `revision` in every request from now on."""
        self._revision = revision if revision.isascii() and revision.isprintable() else ""

    def close(self) -> None:
        """End the session on the server, then every connection."""
        self._web.close(self._end() if self._session else None)

    async def _end(self) -> None:
        async with self._web.respond("DELETE", self._web.url, self._headers({})):
            pass  # a server need not allow it

    async def _tell(self, message: dict[str, Json]) -> None:
        with suppress(Failure):  # what matters of it, the next request will meet too
            async with self._post(message) as response:
                if response.headers.get("content-length", "").isdigit():  # no stream without end
                    await beginning(response)

    async def _ask(self, message: dict[str, Json], headers: Mapping[str, str]) -> None:
        number = message["id"]
        try:
            async with self._post(message, headers) as response:
                failure = await self._read(response, number)
        except Failure as caught:
            failure = caught
        self._web.arrive(Refusal(number, failure))  # void where the answer has come

    async def _read(self, response: "httpx2.Response", number: int) -> Failure:
        """Hand over what the body holds; the failure that it is if that was no answer."""
        if not response.is_success:
            return await self._refused(response, number)
        self._session = response.headers.get(_SESSION, self._session)
        if sends_events(response):
            return await self._events(response, number)
        content = await body(response)
        if content.lstrip(_SPACE).startswith((b"{", b"[")):  # whatever it calls itself
            self._web.arrive(Arrived(decode(content), number))
            return another_answer(answered(response, content[:_READ]), self._secrets)
        return self._no_message(response, content[:_READ])

    async def _events(self, response: "httpx2.Response", number: int) -> Failure:
        events = Events()
        async for piece in pieces(response):
            for kind, data in events.feed(piece):
                if kind == "endpoint":
                    return Rejected("answers as the older SSE transport does", maybe_sse=True)
                if kind == "message" and data:
                    await self._web.deliver(Arrived(data, number))
        return Failure("ended the event stream before it answered")

    async def _refused(self, response: "httpx2.Response", number: int) -> Failure:
        """What an HTTP status that is no success means for the request."""
        content = await beginning(response, _READ)
        status = response.status_code
        error = _error_in(decode(content), number)
        forgotten = status == 404 or (status == 400 and b"session" in content.lower())
        if self._session and forgotten and not (error and error.code == METHOD_NOT_FOUND):
            return Expired(f"HTTP {status}: it does not know the session any more")
        if error and status not in (401, 403):
            self._web.arrive(Arrived(decode(content), number))
        return self._no(response, content)

    def _post(
        self, message: dict[str, Json], more: Mapping[str, str] = NOTHING
    ) -> AbstractAsyncContextManager["httpx2.Response"]:
        headers = {**more, **self._headers(message)}
        return self._web.respond("POST", self._web.url, headers, encode(message))

    def _headers(self, message: Mapping[str, Json]) -> dict[str, str]:
        headers = {
            "accept": "application/json, text/event-stream",
            "content-type": "application/json",
        }
        revision = self._revision
        modern = message.get("params", {}).get("_meta", {}).get(META_VERSION)
        if self._session and not modern:  # that era knows no sessions
            headers[_SESSION] = self._session
        if modern:
            headers |= {"mcp-method": message["method"], **_name(message)}
            revision = modern
        if revision:
            headers["mcp-protocol-version"] = revision
        return headers


def _name(message: Mapping[str, Json]) -> dict[str, str]:
    """The header that names the tool of a call, for whatever routes it on the way."""
    if message["method"] != "tools/call":
        return {}
    return {"mcp-name": header_value(message["params"]["name"])}


def _error_in(text: str, number: int) -> RpcError | None:
    """The error in an answer to the request `number`, None where `text` is none."""
    for message in read(text):
        if isinstance(message, Answer) and message.number == number:
            return message.error
    return None
