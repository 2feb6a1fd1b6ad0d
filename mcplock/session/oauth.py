"""The SDK's OAuth client, conducted: what it sends, to whom, and what comes of it.

The SDK's client says which request comes next and reads the answers. Each request is sent
from here, so that none goes where it must not, no answer is longer than it may be, and what
is secret in either is known before anything is printed.
"""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from mcplock.jsontext import Json
from mcplock.logins import Login, bare
from mcplock.manifest import Launch
from mcplock.session.access import Learn, Send, token_secrets, unusable
from mcplock.session.bodies import body
from mcplock.session.channel import Failure
from mcplock.session.refusals import address, own_words, unreachable

if TYPE_CHECKING:
    import httpx2
    from mcp.client.auth import OAuthClientProvider
    from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

_MOST = 1 << 20  # bytes of an answer: they hold metadata and tokens
_NOW = 1.0  # a time that is over: the SDK takes 0 for none
_REFUSED = range(400, 500)
_BUSY = 429
FORM = "application/x-www-form-urlencoded"
_UNFIT = frozenset(["content-encoding", "content-length", "transfer-encoding"])

Watch = Callable[[str], None]
"""Told the address of each request, before it is sent."""


def unwatched(address: str) -> None:
    """Nobody looks on."""


class Memory:
    """The SDK's storage for one conversation; what is to last is kept elsewhere."""

    def __init__(self, client: "OAuthClientInformationFull | None") -> None:
        self.tokens: OAuthToken | None = None
        self.client = client

    async def get_tokens(self) -> "OAuthToken | None":
        """What the conversation begins with."""
        return self.tokens

    async def set_tokens(self, tokens: "OAuthToken") -> None:
        """What it has come to."""
        self.tokens = tokens

    async def get_client_info(self) -> "OAuthClientInformationFull | None":
        """The client, where it is registered already."""
        return self.client

    async def set_client_info(self, client_info: "OAuthClientInformationFull") -> None:
        """The client that was registered."""
        self.client = client_info


class Exchange:
    """Sends what the SDK's client wants to send for the access to one server.

    guesses: a server that publishes nothing may still have the endpoints of old.
    """

    def __init__(
        self,
        launch: Launch,
        send: Send,
        learn: Learn,
        watch: Watch = unwatched,
        *,
        guesses: bool = True,
    ) -> None:
        self._launch = launch
        self._send = send
        self._learn = learn
        self._watch = watch
        self._guesses = guesses
        self.refusal = ""  # of the token endpoint, in its own words

    async def run(
        self,
        provider: "OAuthClientProvider",
        request: "httpx2.Request",
        challenge: "httpx2.Response | None",
    ) -> None:
        """Run the client until it would send `request` with the token that it has then.

        challenge: the answer to `request` without a token; None: a refresh is all there is
        to do. Raises `Failure` in words of our own: the SDK's quote what they were given.
        """
        from mcp.client.auth import OAuthFlowError

        _hush()
        flow = provider.async_auth_flow(request)
        try:
            outgoing = await anext(flow)
            while outgoing is not request or challenge is not None:
                if outgoing is request:
                    assert challenge is not None  # noqa: S101 - the condition above
                    answer, challenge = challenge, None
                else:
                    self._consider(provider, outgoing)
                    answer = await self.exchange(outgoing)
                outgoing = await flow.asend(answer)
        except StopAsyncIteration:
            raise Failure("its authorization server leads to no token") from None
        except OAuthFlowError as error:
            raise self._failure(error, provider.context.auth_server_url or "") from None
        finally:
            await flow.aclose()

    def _consider(self, provider: "OAuthClientProvider", request: "httpx2.Request") -> None:
        """Raise `Failure` for a registration that must not be."""
        if request.method != "POST" or request.headers.get("content-type") == FORM:
            return
        if "client_id" in self._launch.oauth:
            raise Failure("its authorization server is not the `issuer` of the client")
        if not self._guesses and not provider.context.oauth_metadata:
            raise Failure("it answers without a login, and names no authorization server")

    async def exchange(self, request: "httpx2.Request") -> "httpx2.Response":
        """Send one request of the client's, and read the answer whole."""
        url = str(request.url)
        self._permit(url)
        self._watch(url)
        is_token = request.headers.get("content-type") == FORM
        if is_token:
            self._learn(token_secrets(dict(parse_qsl(request.content.decode("utf-8")))))
        answer = await self._answer(request)
        self._learn(token_secrets(_fields(answer)))
        if request.method == "POST":
            self._note(answer, is_token=is_token)
        if fault := unusable(_fields(answer)):  # before the SDK puts it into a header
            raise Failure(f"its authorization server gives no usable token: {fault}")
        return answer

    async def _answer(self, request: "httpx2.Request") -> "httpx2.Response":
        import httpx2

        try:
            response = await self._send(request)
            try:
                return await copied(response)
            finally:
                await response.aclose()
        except (httpx2.HTTPError, OSError) as error:
            raise unreachable(error, str(request.url)) from None

    def _permit(self, url: str) -> None:
        """Raise `Failure` for what would send secrets unencrypted or into this machine."""
        if not permitted(url, self._launch.url):
            raise Failure(
                f"its login leads to {address(url)}, which is not asked",
                hint="a login goes over https; plain http only where the server is on loopback too",
            )

    def _note(self, answer: "httpx2.Response", *, is_token: bool) -> None:
        status, place = answer.status_code, address(str(answer.request.url))
        words = own_words(answer.content, token_secrets(_fields(answer)))
        told = f"HTTP {status} from {place}{f': {words}' if words else ''}"
        if status >= 500 or status == _BUSY:
            raise Failure(f"{told}: its authorization server is out of order; try again later")
        if status not in _REFUSED:
            return
        if not is_token:
            raise Failure(
                f"{told}: mcplock could not be registered as a client there",
                hint="register one by hand, and put its `client_id` into the table `oauth`",
            )
        code = _fields(answer).get("error")
        self.refusal = f"{told}{f' ({code})' if code and code not in words else ''}"

    def _failure(self, error: Exception, issuer: str) -> Failure:
        from mcp.client.auth import OAuthRegistrationError, OAuthTokenError

        match error:
            case OAuthRegistrationError():
                return Failure("its authorization server registers no client that can be used")
            case OAuthTokenError():
                return Failure(self.refusal or "its authorization server gives no usable token")
        said = str(error)
        if "iss mismatch" in said or "missing iss" in said:
            return Failure("the login was answered by another authorization server: not taken")
        if "issuer mismatch" in said or "No authorization server metadata" in said:
            wanted = self._launch.oauth.get("issuer", issuer)
            return Failure(f"its authorization server is not the issuer {address(wanted)}")
        if "does not match expected" in said:
            return Failure("the resource that it publishes is another server's")
        return Failure("its authorization server leads to no token")


async def copied(response: "httpx2.Response") -> "httpx2.Response":
    """`response` with its body read, decompressed, within bounds."""
    import httpx2

    content = await body(response, _MOST)
    headers = [item for item in response.headers.multi_items() if item[0].lower() not in _UNFIT]
    whole = httpx2.Response(
        response.status_code, headers=headers, content=content, request=response.request
    )
    whole.next_request = response.next_request
    return whole


def challenged(
    response: "httpx2.Response | None",
    request: "httpx2.Request",
    launch: Launch,
    scopes: Sequence[str] = (),
) -> "httpx2.Response":
    """The 401 that the SDK's client begins with, asking for the manifest's scopes, or `scopes`.

    response: the server's own, read whole. The scopes that a challenge names come first with
    the SDK, before all that it knows else.
    """
    import httpx2

    found = httpx2.Response(401, request=request) if response is None else response
    if scope := launch.oauth.get("scope") or " ".join(scopes):
        said = found.headers.get("www-authenticate", "").partition(" ")[2]
        found.headers["www-authenticate"] = f'Bearer scope="{scope}"{f", {said}" if said else ""}'
    return found


def permitted(url: str, server: str) -> bool:
    """Whether a login to `server` may ask `url`: https, or loopback where the server is too."""
    if is_loopback(url):
        return is_loopback(server)
    return urlsplit(url).scheme == "https"


def is_loopback(url: str) -> bool:
    """Whether `url` names this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def preset_client(
    launch: Launch, redirect_uri: str | None = None
) -> "OAuthClientInformationFull | None":
    """The client that the manifest names, None where it names none."""
    from mcp.shared.auth import OAuthClientInformationFull
    from pydantic import AnyUrl

    oauth = launch.oauth
    if "client_id" not in oauth:
        return None
    secret = oauth.get("client_secret")
    method = oauth.get("auth_method", "client_secret_basic") if secret else "none"
    return OAuthClientInformationFull(
        client_id=oauth["client_id"],
        client_secret=secret,
        redirect_uris=[AnyUrl(redirect_uri)] if redirect_uri else None,
        token_endpoint_auth_method=method,
        issuer=oauth.get("issuer"),
    )


async def refreshed(
    launch: Launch, login: Login, request: "httpx2.Request", send: Send, learn: Learn
) -> Login | str:
    """`login` with new tokens; why there are none, where the authorization server says no."""
    from mcp.client.auth import OAuthClientProvider
    from mcp.shared.auth import (
        OAuthClientInformationFull,
        OAuthClientMetadata,
        OAuthMetadata,
        OAuthToken,
        ProtectedResourceMetadata,
    )

    memory = Memory(preset_client(launch))
    provider = OAuthClientProvider(launch.url, OAuthClientMetadata(redirect_uris=None), memory)
    context = provider.context
    context.token_expiry_time = _NOW
    try:
        memory.client = memory.client or OAuthClientInformationFull.model_validate(login.client)
        memory.tokens = OAuthToken.model_validate(login.tokens)
        if login.authorization_server:
            context.oauth_metadata = OAuthMetadata.model_validate(login.authorization_server)
        if login.resource:
            resource = ProtectedResourceMetadata.model_validate(login.resource)
            context.protected_resource_metadata = resource
    except ValueError:  # its words quote the tokens
        return "what was kept of it cannot be used"
    exchange = Exchange(launch, send, learn)
    await exchange.run(provider, request, None)
    if not provider.context.current_tokens:
        return exchange.refusal or "its authorization server gives no new token"
    return login_from(provider, launch)


async def machine_login(
    launch: Launch,
    request: "httpx2.Request",
    send: Send,
    response: "httpx2.Response | None",
    learn: Learn,
) -> Login:
    """A login with the client's own credentials; `response`: the 401 that asked for it."""
    from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider

    oauth = launch.oauth
    provider = ClientCredentialsOAuthProvider(
        launch.url,
        Memory(None),
        oauth["client_id"],
        oauth["client_secret"],
        "client_secret_post" if "auth_method" in oauth else "client_secret_basic",
        issuer=oauth["issuer"],
    )
    whole = await copied(response) if response else None
    challenge = challenged(whole, request, launch)
    await Exchange(launch, send, learn).run(provider, request, challenge)
    return login_from(provider, launch)


def login_from(provider: "OAuthClientProvider", launch: Launch) -> Login:
    """What is to be remembered of a conversation that has come to a token."""
    context = provider.context
    assert context.current_tokens  # noqa: S101 - the conversation has come to one
    is_preset = "client_id" in launch.oauth
    expires = context.current_tokens.expires_in
    return Login(
        bare(launch.url),
        _plain(context.current_tokens),
        {} if is_preset else _plain(context.client_info),
        _plain(context.oauth_metadata),
        _plain(context.protected_resource_metadata),
        None if expires is None else time.time() + expires,
    )


def _plain(model: object) -> dict[str, Json]:
    from pydantic import BaseModel

    return model.model_dump(mode="json", exclude_none=True) if isinstance(model, BaseModel) else {}


def _fields(answer: "httpx2.Response") -> Mapping[str, Json]:
    """The fields of an answer in JSON, none where it is no object."""
    import json

    try:
        found = json.loads(answer.content)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _hush() -> None:
    """Keep the SDK from logging: its words quote states, codes and answers with tokens."""
    logging.getLogger("mcp.client.auth.oauth2").disabled = True
