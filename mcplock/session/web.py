"""HTTP for one server: its client, certificates, proxy, redirects, on a loop of its own."""

import asyncio
import base64
import ssl
import time
from collections import deque
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit, urlunsplit

from mcplock.manifest import Launch
from mcplock.session.channel import Arrived, Failure, Refusal, TimedOut
from mcplock.session.refusals import PROXY_HINT, redirected, unreachable
from mcplock.session.wire import MAX_MESSAGE, OVERHEAD

if TYPE_CHECKING:
    import httpx2

    from mcplock.session.access import Access

_CONNECT = 30.0  # seconds; an answer may take as long as the server's whole time
_REDIRECTS = 5
_LOOK = 0.1  # seconds between two looks whether somebody wants the thread
_FAREWELL = 2.0  # seconds for what is sent when a session is closed


class Web:
    """Requests to one server, and what arrived in answer to them.

    Its coroutines run only while the thread that owns it waits in `run` or `receive`, so
    nothing here needs a lock, and a deadline holds whatever a server does.
    """

    def __init__(
        self,
        launch: Launch,
        environ: Mapping[str, str],
        ca_file: Path | None,
        access: "Access | None" = None,
        *,
        abroad: bool = False,
    ) -> None:
        """access: what gives requests a token; abroad: whether other hosts are asked too."""
        self.access = access
        self._abroad = abroad or access is not None
        self.url, self._credentials = _without_credentials(launch.url)
        self._configured = {name.lower(): value for name, value in launch.headers.items()}
        self._environ = environ
        self._ca_file = ca_file
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._arrived: deque[Arrived | Refusal | BaseException] = deque()
        self._size = 0  # of `_arrived`, in bytes
        self._woken = False
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._client: httpx2.AsyncClient | None = None
        self._proxy = _proxy(self.url, environ)
        self._has_answered = False
        self._stop = asyncio.Event()

    def run(self, work: Coroutine[Any, Any, None], deadline: float) -> None:
        """Run `work` to its end; raises `TimedOut`."""
        if not self._loop.run_until_complete(self._within(deadline, work)):
            raise TimedOut("did not take a message in time")

    def begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run `work` whenever the thread waits; what it raises, `receive` raises."""
        task = self._loop.create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception as error:  # noqa: BLE001 - it goes on in `receive`
            self.arrive(error)

    def wait_for(self, task: asyncio.Task[None], deadline: float) -> None:
        """Let `task` end, until `deadline` or until it is woken."""

        async def ended() -> None:
            while not task.done() and not self._woken:
                await asyncio.wait({task}, timeout=_LOOK)

        self._loop.run_until_complete(self._within(deadline, ended()))

    def arrive(self, what: Arrived | Refusal | BaseException) -> None:
        """Hand over what came, or why nothing will."""
        self._arrived.append(what)
        self._size += _size(what)
        self._news.set()

    async def deliver(self, what: Arrived) -> None:
        """Hand over one of many; waits while some 64 MiB lie there, and with it the server."""
        while self._size > MAX_MESSAGE:
            self._room.clear()
            await self._room.wait()
        self.arrive(what)

    def receive(self, deadline: float) -> Arrived | Refusal | None:
        """What came next, None if nothing came in time or it was woken."""
        if not self._loop.run_until_complete(self._within(deadline, self._news.wait())):
            return None
        if self._woken or not self._arrived:
            self._woken = False
            if not self._arrived:
                self._news.clear()
            return None
        found = self._arrived.popleft()
        self._size -= _size(found)
        self._room.set()
        if not self._arrived:
            self._news.clear()
        if isinstance(found, BaseException):
            raise found
        return found

    async def _within(self, deadline: float, work: Coroutine[Any, Any, object]) -> bool:
        """Whether `work` ends by `deadline`; raises what it raises, and `Failure` if aborted."""
        task = asyncio.ensure_future(work)
        stop = asyncio.ensure_future(self._stop.wait())
        try:
            remaining = max(deadline - time.monotonic(), 0)
            await asyncio.wait({task, stop}, timeout=remaining, return_when="FIRST_COMPLETED")
            if stop.done():
                raise Failure("interrupted")
            if task.done():
                task.result()
            return task.done()
        finally:
            task.cancel()
            stop.cancel()
            await asyncio.gather(task, stop, return_exceptions=True)

    def wake(self) -> None:
        """Let `receive` return; called from another thread."""
        with suppress(RuntimeError):  # the loop is closed already
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._woken = True
        self._news.set()

    def abort(self) -> None:
        """Make the thread stop waiting; called from another one."""
        with suppress(RuntimeError):  # the loop is closed already
            self._loop.call_soon_threadsafe(self._stop.set)

    def close(self, farewell: Coroutine[Any, Any, None] | None = None) -> None:
        """Say goodbye, then drop every connection."""
        if self._loop.is_closed():
            return
        if farewell:
            with suppress(Exception):  # nobody is left who could do anything about it
                soon = time.monotonic() + _FAREWELL
                self._loop.run_until_complete(self._within(soon, farewell))
        self._loop.run_until_complete(self._drop())
        self._loop.close()

    async def _drop(self) -> None:
        here = asyncio.current_task()
        tasks = [task for task in asyncio.all_tasks() if task is not here]
        for task in tasks:  # also what an interruption has left behind
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._client:
            with suppress(Exception):
                await self._client.aclose()
        await self._loop.shutdown_asyncgens()

    @asynccontextmanager
    async def respond(
        self, method: str, url: str, headers: Mapping[str, str], content: bytes = b""
    ) -> AsyncIterator["httpx2.Response"]:
        """The answer to a request, its body not read yet; redirects of one origin are followed.

        Raises `Failure` where there is none. Headers of the manifest win over `headers`.
        """
        import httpx2

        try:
            response = await self._follow(method, url, self._headers(headers), content)
            self._has_answered = True
            try:
                yield response
            finally:
                await response.aclose()
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            began = self._has_answered
            raise unreachable(error, self.url, self._proxy or "", began=began) from None

    async def _follow(
        self, method: str, url: str, headers: Mapping[str, str], content: bytes
    ) -> "httpx2.Response":
        client = self._open()
        for _ in range(_REDIRECTS + 1):
            try:
                request = client.build_request(method, url, headers=dict(headers), content=content)
            except UnicodeEncodeError:  # the manifest's own headers have been looked at
                raise Failure("gave a session or cookie that no header can hold") from None
            response = await self._given_access(request)
            if not response.has_redirect_location:
                return response
            await response.aclose()
            url = redirected(response.status_code, str(request.url), response.headers["location"])
        raise Failure(f"redirects more than {_REDIRECTS} times")

    async def _given_access(self, request: "httpx2.Request") -> "httpx2.Response":
        if self.access is None:
            return await self.send(request)
        return await self.access.send(request, self.send)

    async def send(self, request: "httpx2.Request") -> "httpx2.Response":
        """The answer to `request` as it is, its body not read yet; no redirect is followed."""
        return await self._open().send(request, stream=True, follow_redirects=False)

    def _headers(self, ours: Mapping[str, str]) -> dict[str, str]:
        headers = {name.lower(): value for name, value in ours.items()}
        if self._credentials:
            headers["authorization"] = self._credentials
        return headers | self._configured

    def _open(self) -> "httpx2.AsyncClient":
        import httpx2

        if self._client is None:
            try:
                self._client = httpx2.AsyncClient(
                    headers={"user-agent": "mcplock", "accept-encoding": "gzip, deflate"},
                    timeout=httpx2.Timeout(None, connect=_CONNECT),
                    verify=self._certificates(self._proxy),
                    proxy=self._proxy,
                    trust_env=False,  # the environment is the one that was handed in
                )
            except httpx2.InvalidURL:  # its words may quote a password
                raise Failure("its proxy cannot be used: it is no URL", hint=PROXY_HINT) from None
            except (ImportError, ValueError) as error:
                raise Failure(f"its proxy cannot be used: {error}", hint=PROXY_HINT) from None
        return self._client

    def _certificates(self, proxy: str | None) -> ssl.SSLContext:
        """What certificates are checked with; loading a store takes time."""
        addresses = (self.url, proxy or "")
        if self._abroad or any(address.startswith("https:") for address in addresses):
            return _certificates(self._environ, self._ca_file)
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # for no one


def _size(what: Arrived | Refusal | BaseException) -> int:
    return OVERHEAD + (len(what.text) if isinstance(what, Arrived) else 0)


def _without_credentials(url: str) -> tuple[str, str]:
    """`url` without its userinfo, and that as the value of an `Authorization` header."""
    parts = urlsplit(url)
    userinfo, found, place = parts.netloc.rpartition("@")
    if not found:
        return url, ""
    encoded = base64.b64encode(unquote(userinfo).encode()).decode()
    return urlunsplit(parts._replace(netloc=place)), f"Basic {encoded}"


def _proxy(url: str, environ: Mapping[str, str]) -> str | None:
    """The proxy that `environ` names for `url`, None where it is to be reached directly."""

    def value(name: str) -> str:
        return environ.get(name) or environ.get(name.upper()) or ""

    parts = urlsplit(url)
    proxy = value(f"{parts.scheme}_proxy") or value("all_proxy")
    if not proxy or _excepted(parts.hostname or "", parts.port, value("no_proxy")):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _excepted(host: str, port: int | None, no_proxy: str) -> bool:
    """Whether `no_proxy` names `host`: itself, a domain above it, its network, or `*`."""
    for written in no_proxy.lower().split(","):
        entry = written.strip().removeprefix("*.").removeprefix(".")
        if entry == "*" or (entry and f".{host}".endswith(f".{entry}")):
            return True
        if entry and entry == f"{host}:{port}":
            return True
        with suppress(ValueError):
            if ip_address(host) in ip_network(entry, strict=False):
                return True
    return False


def _certificates(environ: Mapping[str, str], ca_file: Path | None) -> ssl.SSLContext:
    """The certificates to trust: the system's store and `ca_file`."""
    import httpx2

    place = environ.get("SSL_CERT_FILE")
    folder = environ.get("SSL_CERT_DIR")
    try:
        if place or folder:
            context = ssl.create_default_context(cafile=place or None, capath=folder or None)
        else:
            context = httpx2.create_ssl_context(trust_env=False)
        place = str(ca_file) if ca_file else None
        if place:
            context.load_verify_locations(place)
    except (OSError, ssl.SSLError) as error:
        words = error.strerror or str(error)
        raise Failure(f"the certificates in {place or folder} cannot be read: {words}") from None
    return context
