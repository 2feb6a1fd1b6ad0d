"""A person's login to one server, with a browser on this machine or on another one."""

import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import parse_qs, urlsplit

from mcplock.errors import McplockError
from mcplock.logins import Login
from mcplock.manifest import Launch, Server
from mcplock.model import Transport
from mcplock.records import NamedTuple
from mcplock.session.access import wider
from mcplock.session.channel import Bug, Failure, TimedOut, Unauthorized, unexpected
from mcplock.session.oauth import (
    Exchange,
    Memory,
    challenged,
    copied,
    login_from,
    permitted,
    preset_client,
)
from mcplock.session.protocol import HANDSHAKE, Face, initialize_params, request
from mcplock.session.redirect import Redirect
from mcplock.session.refusals import address, refused, unreachable
from mcplock.session.web import Web
from mcplock.session.wire import encode
from mcplock.session.words import learn, shown, told
from mcplock.text import visible

if TYPE_CHECKING:
    import httpx2
    from mcp.client.auth import OAuthClientProvider
    from mcp.shared.auth import AuthorizationCodeResult

_PATIENCE = 600.0  # seconds that a person has in the browser
_REST = 120.0  # seconds for all else
_LISTEN = ("GET", {"accept": "text/event-stream", "cache-control": "no-store"}, b"")


class Visit(NamedTuple):
    """A page for a person to open.

    hosts: those that take part beside the server's own, safe to print; redirect: where the
    browser comes back to.
    """

    url: str
    hosts: tuple[str, ...]
    redirect: str


class Person(Protocol):
    """Whoever logs in."""

    def visit(self, visit: Visit) -> None:
        """Be shown the page to open."""

    def paste(self, gone: threading.Event) -> str | None:
        """Type where the browser came back to; None where nobody does, or once `gone` is set."""

    def complain(self, problem: str) -> None:
        """Be told what is wrong with what was typed."""


class Setting(NamedTuple):
    """What a login is made in. scopes: to ask for in place of those that the server names."""

    environ: Mapping[str, str]
    client_name: str = "mcplock"
    ca_file: Path | None = None
    scopes: Sequence[str] = ()


def log_in(server: Server, launch: Launch, setting: Setting, person: Person) -> Login:
    """Log in to `server`, anew if need be; raises `McplockError` where it comes to nothing."""
    web = Web(launch, setting.environ, setting.ca_file, abroad=True)
    flow = _Flow(server, launch, setting, person, web)
    try:
        web.run(flow.run(), time.monotonic() + _PATIENCE + _REST)
    except TimedOut:
        raise McplockError(f"{shown(server.name, {})}: the login took too long") from None
    except Failure as failure:
        raise flow.error(failure) from None
    except Exception as error:  # noqa: BLE001 - its words may quote a token, so nobody is told them
        raise flow.error(unexpected(error, "cannot log in")) from None
    finally:
        web.close()
    assert flow.login  # noqa: S101 - `run` has left it
    return flow.login


class _Flow:
    def __init__(
        self, server: Server, launch: Launch, setting: Setting, person: Person, web: Web
    ) -> None:
        self.login: Login | None = None
        self._server = server
        self._launch = launch
        self._setting = setting
        self._person = person
        self._web = web
        self._values = dict(launch.values)
        self._hosts: dict[str, None] = {}  # in the order in which they were asked
        self._gone = threading.Event()

    def error(self, failure: Failure) -> McplockError:
        """`failure` as the command's, without secrets."""
        message = f"{visible(self._server.name)}: {told(failure.message, self._values)}"
        error = McplockError(message, hint=told(failure.hint, self._values))
        error.bug = failure.error if isinstance(failure, Bug) else None
        return error

    async def run(self) -> None:
        """Ask the server, have a person say yes, take the token, and try it."""
        question, answer = await self._ask()
        challenge = challenged(answer, question, self._launch, self._setting.scopes)
        exchange = Exchange(
            self._launch, self._web.send, self._learn, self._watch, guesses=answer is not None
        )
        with Redirect(self._server.redirect_port) as redirect:
            provider = self._provider(redirect)
            try:
                await exchange.run(provider, question, challenge)
            finally:
                self._gone.set()
        login = login_from(provider, self._launch)
        await self._try(question, login)
        self.login = login

    async def _ask(self) -> "tuple[httpx2.Request, httpx2.Response | None]":
        """A first request, and the answer to it where that asks for credentials.

        A server of the older transport refuses a POST whoever sends it: then it is a GET.
        """
        older = self._launch.type is Transport.SSE
        first = None
        for method, headers, content in [_LISTEN] if older else [self._greeting(), _LISTEN]:
            async with self._web.respond(method, self._web.url, headers, content) as response:
                if response.status_code in (401, 403):
                    return response.request, await copied(response)
                if first is None and response.status_code >= 500:
                    raise await self._refused(response)
                first = first or response.request
                if response.status_code < 400:
                    break
        assert first  # noqa: S101 - one was sent
        return first, None

    def _greeting(self) -> tuple[str, dict[str, str], bytes]:
        face = Face(self._setting.client_name, self._launch.capabilities)
        message = request(0, "initialize", initialize_params(face, HANDSHAKE[-1]))
        headers = {
            "accept": "application/json, text/event-stream",
            "content-type": "application/json",
        }
        return "POST", headers, encode(message)

    async def _refused(self, response: "httpx2.Response") -> Failure:
        from mcplock.session.bodies import answered, beginning

        found = answered(response, await beginning(response))
        return refused(found, self._server.name, self._server.source.headers, self._values)

    def _provider(self, redirect: Redirect) -> "OAuthClientProvider":
        from mcp.client.auth import OAuthClientProvider
        from mcp.shared.auth import OAuthClientMetadata
        from pydantic import AnyUrl

        async def visit(url: str) -> None:
            self._check(provider, url)
            self._send_off(redirect, url)

        async def answer() -> "AuthorizationCodeResult":
            return await self._answer(redirect)

        metadata = OAuthClientMetadata(
            redirect_uris=[AnyUrl(redirect.uri)],
            client_name=self._setting.client_name,
            token_endpoint_auth_method="none",
        )
        memory = Memory(preset_client(self._launch, redirect.uri))
        provider = OAuthClientProvider(self._launch.url, metadata, memory, visit, answer)
        return provider

    def _check(self, provider: "OAuthClientProvider", url: str) -> None:
        """Raise `Failure` where the page must not be opened."""
        if not permitted(url, self._launch.url):
            raise Failure(f"its login leads to {address(url)}, which is not opened: no https")
        known = provider.context.oauth_metadata
        if known and "S256" not in (known.code_challenge_methods_supported or ()):
            raise Failure("its authorization server does not say that it knows PKCE with S256")

    def _send_off(self, redirect: Redirect, url: str) -> None:
        self._watch(url)
        fields = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        redirect.expect(fields["state"])
        self._person.visit(Visit(url, tuple(self._hosts), redirect.uri))
        threading.Thread(target=self._paste, args=(redirect,), daemon=True).start()

    def _paste(self, redirect: Redirect) -> None:
        while (typed := self._person.paste(self._gone)) is not None:
            problem = redirect.take(typed)
            if not problem:
                return
            self._person.complain(problem)

    async def _answer(self, redirect: Redirect) -> "AuthorizationCodeResult":
        from mcp.shared.auth import AuthorizationCodeResult

        try:
            fields = await redirect.answer(_PATIENCE)
        except TimeoutError:
            raise Failure("nobody came back from the browser within 10 minutes") from None
        if "error" in fields:
            words = [
                shown(fields[name], {}) for name in ("error", "error_description") if name in fields
            ]
            raise Failure(f"the login was refused: {': '.join(words)}")
        self._learn({fields["code"]: "${code}"})
        return AuthorizationCodeResult(
            code=fields["code"], state=fields["state"], iss=fields.get("iss")
        )

    async def _try(self, question: "httpx2.Request", login: Login) -> None:
        """Send the first request again; a session that begins with it is ended."""
        question.headers["authorization"] = f"Bearer {login.tokens['access_token']}"
        response = await self._sent(question)
        try:
            if response.status_code in (401, 403):
                refusal = await self._refused(response)
                told = f"it refuses the token that was given for it: {refusal.message}"
                scopes = refusal.scopes if isinstance(refusal, Unauthorized) else ()
                name = self._server.name
                hint = wider(name, self._launch, login, scopes) if scopes else ""
                raise Failure(told, hint=hint)
            session = response.headers.get("mcp-session-id")
        finally:
            await response.aclose()
        if session:
            headers = {
                "mcp-session-id": session,
                "authorization": question.headers["authorization"],
            }
            async with self._web.respond("DELETE", self._web.url, headers):
                pass  # a server need not allow it

    async def _sent(self, question: "httpx2.Request") -> "httpx2.Response":
        import httpx2

        try:
            return await self._web.send(question)
        except (httpx2.HTTPError, OSError) as error:
            raise unreachable(error, self._web.url) from None

    def _learn(self, found: Mapping[str, str]) -> None:
        learn(self._values, found)

    def _watch(self, url: str) -> None:
        """Remember the host of `url`, unless it is the server's own."""
        host, own = urlsplit(url).netloc, urlsplit(self._launch.url).netloc
        if host != own:
            self._hosts[shown(host, {})] = None
