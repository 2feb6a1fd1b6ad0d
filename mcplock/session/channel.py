"""What a conversation runs over, whatever carries it, and how it fails."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from mcplock.jsontext import Json
from mcplock.records import NamedTuple

NOTHING: Mapping[str, str] = MappingProxyType({})
"""No headers but those that every message has."""


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


class Unauthorized(Failure):
    """The server wants other credentials than it was sent; `hint` says how it gets them.

    scopes: those that it wants more of a token, safe to print and to type.
    """

    def __init__(self, message: str, *, hint: str = "", scopes: Sequence[str] = ()) -> None:
        super().__init__(message, hint=hint)
        self.scopes = scopes


class Expired(Failure):
    """The server has forgotten the session; a new one may succeed."""


class Rejected(Failure):
    """The server said no to one request; another one may succeed.

    maybe_sse: it may be one that speaks the older HTTP+SSE transport only.
    """

    def __init__(self, message: str, *, hint: str = "", maybe_sse: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.maybe_sse = maybe_sse


class Bug(Failure):
    """mcplock failed, not the server: `error` is what nobody foresaw."""

    def __init__(self, message: str, error: Exception) -> None:
        super().__init__(message)
        self.error = error


def unexpected(error: Exception, what: str = "cannot deal with what it answered") -> Bug:
    """What an error that nobody foresaw means for the one server that led to it.

    Its own words may hold anything, and are told in the report alone.
    """
    return Bug(f"mcplock {what}: {type(error).__name__}; this is a bug in mcplock", error)


class Arrived(NamedTuple):
    """A text that came. to: the request it answers, where the transport knows that."""

    text: str
    to: int | None = None


class Refusal(NamedTuple):
    """The transport's own no to the request `number`; void if that was answered before."""

    number: int
    failure: Failure


class Channel(Protocol):
    """Carries messages to one server and its texts back.

    Deadlines are values of `time.monotonic()`. Only one thread sends, receives and closes;
    `wake`, `abort` and `kill` may be called from any.
    """

    def send(
        self, message: dict[str, Json], deadline: float, headers: Mapping[str, str] = NOTHING
    ) -> None:
        """Send `message`, over HTTP with `headers` besides; raises `Failure`."""

    def reply(self, message: dict[str, Json], deadline: float) -> None:
        """Send the answer to a request of the server's, now or while more is received.

        Whether it is taken is not waited for; where too many answers lie there that are not,
        that is waited for until `deadline`, or until `wake` is called.
        """

    def drop(self, number: int) -> None:
        """Stop carrying the answer to the request `number`, which nobody waits for."""

    def receive(self, deadline: float) -> Arrived | Refusal | None:
        """What came next, None if nothing came in time or `wake` was called; raises `Failure`.

        Whoever called `wake` is served first, or a flood would keep it waiting for ever.
        """

    def agree(self, revision: str) -> None:
        """Take note of the protocol revision that both sides have settled on."""

    def explain(self, failure: Failure) -> Failure:
        """`failure` with what the transport knows of its cause."""

    def wake(self) -> None:
        """Make `receive` return, the one that waits now or else the next one."""

    def abort(self) -> None:
        """Make what waits raise `Failure`, and all that is asked for later."""

    def kill(self) -> None:
        """End what the channel holds at once; called from any thread."""

    def close(self) -> None:
        """End what the channel holds, politely at first; never raises."""
