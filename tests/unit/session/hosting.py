"""People with a browser, and what tests of logins share."""

import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcplock.errors import McplockError
from mcplock.logins import Login
from mcplock.manifest import Server, resolve
from mcplock.model import Place, Snapshot, Source, Transport
from mcplock.session.login import Setting, Visit, log_in


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def back_from(url: str) -> str:
    """Where the authorization server sends the browser that opens `url`."""
    try:
        urllib.request.build_opener(NoRedirect).open(url, timeout=10)
    except urllib.error.HTTPError as answer:
        assert answer.code == 302, answer.read()
        return str(answer.headers["location"])
    raise AssertionError("it was not sent back")


class Browser:
    """A person with a browser on this machine. back: what becomes of where it is sent back."""

    def __init__(self, *back: Callable[[str], str]) -> None:
        self.visits: list[Visit] = []
        self.pages: list[tuple[int, str]] = []
        self.problems: list[str] = []
        self._back = back or (str,)

    def visit(self, visit: Visit) -> None:
        self.visits.append(visit)
        threading.Thread(target=self._open, args=(visit.url,), daemon=True).start()

    def _open(self, url: str) -> None:
        address = back_from(url)
        for change in self._back:
            try:
                with urllib.request.urlopen(change(address), timeout=10) as page:
                    self.pages.append((page.status, page.read().decode()))
            except urllib.error.HTTPError as error:
                self.pages.append((error.code, error.read().decode()))

    def paste(self, gone: threading.Event) -> str | None:
        return None

    def complain(self, problem: str) -> None:
        self.problems.append(problem)


class Elsewhere(Browser):
    """A person whose browser is on another machine, and who pastes where it is sent back."""

    def visit(self, visit: Visit) -> None:
        self.visits.append(visit)
        address = back_from(visit.url)
        self._typed = [change(address) for change in self._back]

    def paste(self, gone: threading.Event) -> str | None:
        return self._typed.pop(0) if self._typed else None


def server(url: str, **more: Any) -> Server:
    port = more.pop("redirect_port", 0)
    headers = more.pop("headers", {})
    source = Source(Transport.HTTP, url=url, headers=headers, oauth=more)
    return Server("web", source, Place("mcp.toml", 1), timeout=20.0, redirect_port=port)


def login(
    hosted: Any, person: Browser | None = None, environ: dict[str, str] | None = None, **oauth: Any
) -> Login:
    target = server(hosted.url, **oauth)
    launch = resolve(target, Path(), environ or {})
    return log_in(target, launch, Setting({}), person or Browser())


def refusal(hosted: Any, person: Browser | None = None, **more: Any) -> tuple[str, str]:
    with pytest.raises(McplockError) as caught:
        login(hosted, person, **more)
    told = caught.value.message + caught.value.hint
    assert not [secret for secret in hosted.provider.given if secret in told]
    return caught.value.message, caught.value.hint


Visited = Callable[..., Snapshot]
