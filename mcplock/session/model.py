"""What a session is given."""

from collections.abc import Callable
from dataclasses import dataclass

from mcplock.manifest import Server

Progress = Callable[[str, str], None]
"""(server, what it does now): called from several threads."""


def ignore(server: str, what: str) -> None:
    """Progress that nobody looks at."""


@dataclass(frozen=True, slots=True)
class Target:
    """A server to ask, and the protocol revision that the lock has for it, if any."""

    server: Server
    protocol: str | None = None
