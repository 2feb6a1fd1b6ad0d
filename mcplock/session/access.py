"""The access token of one server's requests: taken from a login, renewed, asked for anew.

Nothing here opens a browser. What is sent to get a token goes through the SDK's OAuth
client, which is imported only then.
"""

import asyncio
import re
import shlex
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from mcplock.errors import McplockError
from mcplock.logins import Login, Logins, login_key
from mcplock.manifest import Launch, Server
from mcplock.manifest.oauth import MACHINE
from mcplock.naming import typed
from mcplock.session.channel import Failure, Unauthorized
from mcplock.session.refusals import is_plain_scope
from mcplock.text import visible

if TYPE_CHECKING:
    import httpx2

Send = Callable[["httpx2.Request"], Awaitable["httpx2.Response"]]
"""Sends one request as it is; the body of the answer is not read yet."""

Learn = Callable[[Mapping[str, str]], None]
"""Told of secrets, value -> name, before they can stand in any text."""

_EARLY = 30.0  # seconds before its end in which a token is not used any more
_PATIENCE = 15.0  # seconds for another process to renew the same login


def sends_credentials(launch: Launch) -> bool:
    """Whether the manifest itself says what to send: that always wins."""
    named = any(name.lower() == "authorization" for name in launch.headers)
    return named or "@" in launch.url.partition("://")[2].partition("/")[0]


def access_to(
    server: Server, launch: Launch, logins: Logins | None, learn: Learn
) -> "Access | None":
    """How requests to the server get a token; None where they are to have none of ours."""
    if sends_credentials(launch):
        return None
    if launch.oauth.get("grant") == MACHINE:
        return Access(server, launch, None, learn)
    if logins and logins.has(login_key(launch.url, launch.oauth)):
        return Access(server, launch, logins, learn)
    return None


class Access:
    """Sends requests with an access token. One for each event loop."""

    def __init__(self, server: Server, launch: Launch, logins: Logins | None, learn: Learn) -> None:
        """logins: where the login is; None: client credentials."""
        self._server = server
        self._launch = launch
        self._logins = logins
        self._learn = learn
        self._key = login_key(launch.url, launch.oauth)
        self._login: Login | None = None
        self._lock = asyncio.Lock()
        self._why = ""  # there is no token any more

    async def send(self, request: "httpx2.Request", send: Send) -> "httpx2.Response":
        """The answer to `request`; where a token is refused, once more with a new one."""
        await self._prepare(request, send)
        used = self._authorize(request)
        response = await send(request)
        if response.status_code != 401:
            return response
        async with self._lock:
            if self._token() == used and not await self._renew(request, send, response):
                return response
        await response.aclose()
        self._authorize(request)
        return await send(request)

    def explain(self, failure: Failure) -> Failure:
        """`failure`, a 401 or a 403, with what is to be done about it."""
        failure.message += f"; {self._why}" if self._why else ""
        scopes = failure.scopes if isinstance(failure, Unauthorized) else ()
        if scopes:
            failure.hint = wider(self._server.name, self._launch, self._login, scopes)
        elif self._logins:
            failure.hint = f"`mcplock login {typed(self._server.name)}` logs in again"
        else:
            failure.hint = "check `client_id`, `client_secret` and `scopes` under `oauth`"
        return failure

    async def _prepare(self, request: "httpx2.Request", send: Send) -> None:
        """Have the login read, and renewed if its time is over."""
        async with self._lock:
            if self._logins and self._login is None and not self._why:
                self._take(self._read())
            if self._is_over():
                await self._renew(request, send, None)

    def _is_over(self) -> bool:
        login = self._login
        return bool(login and login.expires and time.time() > login.expires - _EARLY)

    def _token(self) -> str:
        return str(self._login.tokens.get("access_token", "")) if self._login else ""

    def _authorize(self, request: "httpx2.Request") -> str:
        token = self._token()
        if token:
            request.headers["authorization"] = f"Bearer {token}"
        return token

    def _read(self) -> Login | None:
        assert self._logins  # noqa: S101 - whoever calls this has looked
        again = f"`mcplock login {typed(self._server.name)}`"
        try:
            login = self._logins.find(self._key)
        except McplockError as error:
            raise Failure(error.message, hint=error.hint.replace("log in again", again)) from None
        if login and (fault := unusable(login.tokens)):
            told = f"what was kept of its login gives no usable token: {fault}"
            raise Failure(told, hint=f"{again} logs in again")
        return login

    def _take(self, login: Login | None) -> None:
        self._login = login
        if login:
            self._learn(token_secrets({**login.client, **login.tokens}))

    async def _renew(
        self, request: "httpx2.Request", send: Send, challenge: "httpx2.Response | None"
    ) -> bool:
        """Whether there is a new token. challenge: the 401 that led here, its body not read."""
        if self._why:  # a no stays one
            return False
        if self._logins is None:
            return await self._ask_as_machine(request, send, challenge)
        try:
            with self._logins.locked(self._key, _PATIENCE):
                return await self._refresh(request, send)
        except McplockError as error:
            raise Failure(error.message, hint=error.hint) from None

    async def _refresh(self, request: "httpx2.Request", send: Send) -> bool:
        from mcplock.session.oauth import refreshed

        assert self._logins  # noqa: S101 - whoever calls this has looked
        old, login = self._token(), self._read()
        self._take(login)
        if login and self._token() != old and not self._is_over():
            return True  # another process was faster
        if not login or "refresh_token" not in login.tokens:
            self._why = "its login has ended"
            return False
        found = await refreshed(self._launch, login, request, send, self._learn)
        if isinstance(found, str):
            self._why = f"its login has ended: {found}"
            return False
        self._logins.keep(self._key, found)
        self._take(found)
        return True

    async def _ask_as_machine(
        self, request: "httpx2.Request", send: Send, challenge: "httpx2.Response | None"
    ) -> bool:
        from mcplock.session.oauth import machine_login

        self._take(await machine_login(self._launch, request, send, challenge, self._learn))
        return True


def wider(name: str, launch: Launch, login: Login | None, scopes: Sequence[str]) -> str:
    """What to do where the token for the server called `name` lacks these scopes."""
    granted = login.tokens.get("scope") if login else None
    known = filter(is_plain_scope, granted.split() if isinstance(granted, str) else [])
    asked = launch.oauth.get("scope", "").split()
    wanted = list(dict.fromkeys([*asked, *known, *scopes]))
    is_machine = launch.oauth.get("grant") == MACHINE
    if not is_machine and not asked:
        options = " ".join(f"--scope {shlex.quote(scope)}" for scope in wanted)
        return f"`mcplock login {options} {typed(name)}` asks for what it lacks"
    told = visible(", ".join(f'"{scope}"' for scope in wanted))
    again = "" if is_machine else f", then `mcplock login {typed(name)}`"
    return f"it wants more scopes: `scopes = [{told}]` under `oauth`{again}"


def token_secrets(fields: Mapping[str, object]) -> dict[str, str]:
    """What is secret among the fields of an OAuth message: value -> `${NAME}`."""
    return {
        value: f"${{{name}}}"
        for name, value in fields.items()
        if name in _SECRET_FIELDS and isinstance(value, str)
    }


def unusable(fields: Mapping[str, object]) -> str:
    """Why the tokens among the fields of an OAuth message cannot be sent, "" where they can.

    https://www.rfc-editor.org/rfc/rfc6749#appendix-A.12 - and a header holds no space in one.
    """
    for name, characters in (("access_token", r"[!-~]+"), ("refresh_token", r"[ -~]*")):
        value = fields.get(name)
        if isinstance(value, str) and not re.fullmatch(characters, value):
            return f"its `{name}` holds characters that no token has"
    return ""


_SECRET_FIELDS = frozenset(
    [
        "access_token",
        "refresh_token",
        "id_token",
        "code",
        "code_verifier",
        "client_secret",
        "registration_access_token",
        "token",
    ]
)
