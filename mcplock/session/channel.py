"""What a conversation runs over, whatever carries it, and how it fails."""

from dataclasses import dataclass
from typing import Protocol

from mcplock.jsontext import Json


class Failure(Exception):
    """Why a server cannot be asked or its answer cannot be used; text is safe to print."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Ended(Failure):
    """The server is gone: it closed its output, or its process ended."""


class TimedOut(Failure):
    """The server's time is over."""


class Expired(Failure):
    """The server has forgotten the session; a new one may succeed."""


class Rejected(Failure):
    """The server understood enough to say no to one request; another one may succeed."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The transport's own no to one request: `number` is the request's id."""

    number: int
    failure: Failure


class Channel(Protocol):
    """Carries messages to one server and its texts back.

    Deadlines are values of `time.monotonic()`. Only one thread sends and receives;
    `abort` may be called from any.
    """

    def send(self, message: dict[str, Json], deadline: float) -> None:
        """Send `message`; raises `Failure`."""

    def receive(self, deadline: float) -> str | Refusal | None:
        """The next text that came, None if none came in time; raises `Failure`."""

    def agree(self, revision: str) -> None:
        """Take note of the protocol revision that both sides have settled on."""

    def abort(self) -> None:
        """Make every `receive` that waits, and every later one, raise `Failure`."""

    def close(self) -> None:
        """End what the channel holds, politely at first; never raises."""
