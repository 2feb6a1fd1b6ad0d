"""Have an authorization server take back the tokens of a login (RFC 7009)."""

import time
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from mcplock.logins import Login
from mcplock.manifest import Launch
from mcplock.session.access import token_secrets
from mcplock.session.channel import Failure, TimedOut, unexpected
from mcplock.session.login import Setting
from mcplock.session.oauth import FORM, Memory, copied, permitted, preset_client
from mcplock.session.refusals import address, own_words, unreachable
from mcplock.session.web import Web
from mcplock.session.words import learn, told

if TYPE_CHECKING:
    import httpx2
    from mcp.client.auth import OAuthClientProvider

_PATIENCE = 10.0  # seconds
_TOKENS = ("refresh_token", "access_token")  # with the first, many servers end the second


def revoke(login: Login, launch: Launch, setting: Setting) -> str:
    """End `login` where it was made; answers why that did not come about, "" if it did.

    launch: with the client, where the manifest names it; the answer is safe to print.
    """
    endpoint = login.authorization_server.get("revocation_endpoint")
    if not isinstance(endpoint, str):
        return "its authorization server names no address for that"
    secrets = dict(launch.values)
    learn(secrets, token_secrets({**login.client, **login.tokens, **launch.oauth}))
    web = Web(launch, setting.environ, setting.ca_file, abroad=True)
    revocation = _Revocation(login, launch, endpoint, web, secrets)
    try:
        web.run(revocation.run(), time.monotonic() + _PATIENCE)
    except TimedOut:
        return f"{address(endpoint)} did not answer within {_PATIENCE:.0f} seconds"
    except Failure as failure:
        return told(failure.message, secrets)
    except Exception as error:  # noqa: BLE001 - its words may quote a token, so they are scrubbed
        return told(unexpected(error, "cannot ask for it").message, secrets)
    finally:
        web.close()
    return ""


class _Revocation:
    def __init__(
        self, login: Login, launch: Launch, endpoint: str, web: Web, secrets: dict[str, str]
    ) -> None:
        self._login = login
        self._launch = launch
        self._endpoint = endpoint
        self._web = web
        self._secrets = secrets

    async def run(self) -> None:
        """Take back one token after the other; raises `Failure`."""
        if not permitted(self._endpoint, self._launch.url):
            raise Failure(f"it leads to {address(self._endpoint)}, which is not asked")
        provider = self._provider()
        for kind in _TOKENS:
            if token := self._login.tokens.get(kind):
                await self._take_back(provider, str(token), kind)

    def _provider(self) -> "OAuthClientProvider":
        """The SDK's client, which knows how it shows who it is."""
        from mcp.client.auth import OAuthClientProvider
        from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata

        metadata = OAuthClientMetadata(redirect_uris=None)
        provider = OAuthClientProvider(self._launch.url, metadata, Memory(None))
        client = preset_client(self._launch)
        try:
            client = client or OAuthClientInformationFull.model_validate(self._login.client)
        except ValueError:  # its words quote the secret
            raise Failure("the client that it was made with is named in a manifest alone") from None
        provider.context.client_info = client
        return provider

    async def _take_back(self, provider: "OAuthClientProvider", token: str, kind: str) -> None:
        client = provider.context.client_info
        assert client  # noqa: S101 - the provider was made with it
        form = {"token": token, "token_type_hint": kind, "client_id": client.client_id}
        form, headers = provider.context.prepare_token_auth(form, {"content-type": FORM})
        answer = await self._post(form, headers)
        if answer.status_code == 400 and "client_secret" not in form:
            # The SDK's own endpoint wants the field; without a value it is as if left out
            # (RFC 6749, 3.2).
            answer = await self._post(form | {"client_secret": ""}, headers)
        if not answer.is_success:
            words = own_words(answer.content, self._secrets)
            told = f"HTTP {answer.status_code} from {address(self._endpoint)}"
            raise Failure(f"{told}{f': {words}' if words else ''}")

    async def _post(self, form: dict[str, str], headers: dict[str, str]) -> "httpx2.Response":
        import httpx2

        content = urlencode(form).encode()
        request = httpx2.Request("POST", self._endpoint, headers=headers, content=content)
        try:
            response = await self._web.send(request)
            try:
                return await copied(response)
            finally:
                await response.aclose()
        except (httpx2.HTTPError, OSError) as error:
            raise unreachable(error, self._endpoint) from None
