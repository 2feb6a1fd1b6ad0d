"""What a session is given."""

from collections.abc import Callable
from typing import NamedTuple

from mcplock.manifest import Server
from mcplock.model import Issue
from mcplock.session.wire import RpcError

Progress = Callable[[str, str], None]
"""(server, what it does now): called from several threads."""


def ignore(server: str, what: str) -> None:
    """Progress that nobody looks at."""


class Target(NamedTuple):
    """A server to ask, and the protocol revision that the lock has for it, if any."""

    server: Server
    protocol: str | None = None


class Failed(Exception):
    """A server failed in a session that somebody has open; `issue` says how."""

    def __init__(self, issue: Issue) -> None:
        super().__init__(issue.message)
        self.issue = issue


class Denied(Failed):
    """The server answered a request with a protocol error; the session goes on."""

    def __init__(self, issue: Issue, error: RpcError) -> None:
        super().__init__(issue)
        self.error = error


class Lost(Failed):
    """The server has forgotten the session and did nothing; a new one may succeed."""
