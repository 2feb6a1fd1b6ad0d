"""What a session is given."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from mcplock.manifest import Server
from mcplock.model import Issue
from mcplock.records import NamedTuple

if TYPE_CHECKING:  # what a server answers is read once it has been started
    from mcplock.logins import Logins
    from mcplock.session.wire import RpcError

Progress = Callable[[str, str], None]
"""(server, what it does now): called from several threads."""


def ignore(server: str, what: str) -> None:
    """Progress that nobody looks at."""


class Target(NamedTuple):
    """A server to ask, and the protocol revision that the lock has for it, if any."""

    server: Server
    protocol: str | None = None


class Setting(NamedTuple):
    """What all servers of a run share.

    directory: the manifest's; logins: where tokens for hosted servers are, if anywhere.
    """

    directory: Path
    environ: Mapping[str, str]
    client_name: str = "mcplock"
    ca_file: Path | None = None
    logins: "Logins | None" = None


class Failed(Exception):
    """A server failed in a session that somebody has open; `issue` says how."""

    def __init__(self, issue: Issue) -> None:
        super().__init__(issue.message)
        self.issue = issue


class Denied(Failed):
    """The server answered a request with a protocol error; the session goes on."""

    def __init__(self, issue: Issue, error: "RpcError") -> None:
        super().__init__(issue)
        self.error = error


class Lost(Failed):
    """The server has forgotten the session and did nothing; a new one may succeed."""
