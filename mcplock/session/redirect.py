"""The loopback address that a browser comes back to when a login is over."""

import asyncio
import os
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from secrets import compare_digest
from socketserver import ThreadingTCPServer
from typing import Self
from urllib.parse import parse_qsl, urlsplit

from mcplock.session.channel import Failure

_PATH = "/callback"
_TAKEN = "mcplock has the answer: close this window and go back to the terminal.\n"


class Redirect:
    """Listens on loopback until the answer to one login has come; made on a running loop.

    An answer counts where it brings the `state` of this login, whichever way it comes:
    any page in a browser can send others here.
    """

    def __init__(self, port: int) -> None:
        """port: 0 for any that is free; raises `Failure` where it is not."""
        self._loop = asyncio.get_running_loop()
        self._came: asyncio.Future[Mapping[str, str]] = self._loop.create_future()
        self._state = ""
        try:
            self._server = _Server(self, port)
        except OSError as error:
            raise Failure(f"port {port} cannot be listened on: {error.strerror}") from None
        threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True).start()

    @property
    def port(self) -> int:
        """The port that is listened on."""
        return int(self._server.server_address[1])

    @property
    def uri(self) -> str:
        """The address, as the authorization server is told it."""
        return f"http://127.0.0.1:{self.port}{_PATH}"

    def expect(self, state: str) -> None:
        """Take the answer to the login with this `state`, and no other."""
        self._state = state

    def take(self, address: str) -> str:
        """Take the answer in `address`; what is wrong with it, "" where nothing is."""
        if problem := self.judge(address):
            return problem
        self._loop.call_soon_threadsafe(self._arrive, _fields(address))
        return ""

    def judge(self, address: str) -> str:
        """What is wrong with the answer in `address`, "" where nothing is."""
        try:
            fields = _fields(address)
        except ValueError:
            return "that is no address"
        state = fields.get("state", "")
        if not self._state or not compare_digest(state.encode(), self._state.encode()):
            return "that is not the answer to this login"
        if not {"code", "error"} & fields.keys():
            return "that holds no answer"
        return ""

    def _arrive(self, fields: Mapping[str, str]) -> None:
        if not self._came.done():
            self._came.set_result(fields)

    async def answer(self, seconds: float) -> Mapping[str, str]:
        """The fields of the answer; raises `TimeoutError`."""
        return await asyncio.wait_for(self._came, seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _fields(address: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(address.strip()).query))


class _Server(ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = os.name == "posix"  # elsewhere it would let others listen too

    def __init__(self, redirect: Redirect, port: int) -> None:
        self.redirect = redirect
        super().__init__(("127.0.0.1", port), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Nothing: a browser that went away is no news."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 10

    def log_message(self, *_: object) -> None:
        """Nothing: the address holds the code."""

    def do_GET(self) -> None:
        """Take the answer, or say what is wrong with it."""
        port = self.server.redirect.port
        here = (f"127.0.0.1:{port}", f"localhost:{port}")
        if self.headers.get("host") not in here or urlsplit(self.path).path != _PATH:
            self._say(404, "nothing is here\n")
        elif problem := self.server.redirect.judge(self.path):
            self._say(400, f"{problem}\n")
        else:
            self._say(200, _TAKEN)  # first: once the answer is taken, the program may end
            self.server.redirect.take(self.path)

    def _say(self, status: int, text: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.end_headers()
        self.wfile.write(text.encode())
