"""Questions and answers over a channel, while the server talks back."""

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from mcplock.jsontext import Json
from mcplock.session import protocol
from mcplock.session.channel import Channel, Failure, Refusal, Rejected, TimedOut
from mcplock.session.protocol import METHOD_NOT_FOUND, Face
from mcplock.session.wire import Answer, Call, Notice, RpcError, read
from mcplock.session.words import Secrets, shown

_SHOWN = 3
_MOST_LINES = 100_000
_MOST_CHARACTERS = 64 << 20
_WIDTH = 200
_REFUSED = -1


class Refused(Rejected):
    """The server answered a request with an error."""

    def __init__(self, method: str, error: RpcError, secrets: Secrets) -> None:
        words = shown(error.message, secrets) or "no reason given"
        super().__init__(f"answered `{method}` with error {error.code}: {words}")
        self.error = error


@dataclass(slots=True)
class Noise:
    """Text where only protocol messages should be. `first`: the first ones, cut, not yet safe."""

    count: int = 0
    characters: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, text: str) -> None:
        """Count `text`; raises `Failure` once it is too much."""
        self.count += 1
        self.characters += len(text)
        if len(self.first) < _SHOWN:
            self.first.append(text[: 2 * _WIDTH])
        if self.count > _MOST_LINES or self.characters > _MOST_CHARACTERS:
            raise Failure("floods its output with text that is no protocol message")


class Conversation:
    """One connection to one server.

    noise: what came and is no message for us; list_changed: whether the server said, since
    that was last cleared, that a list of its has changed.
    """

    def __init__(self, channel: Channel, face: Face, secrets: Secrets) -> None:
        self.channel = channel
        self.face = face
        self._secrets = secrets
        self.noise = Noise()
        self.list_changed = False
        self.unparsed = False
        self._revision = ""  # a modern one, which each request names
        self._last = 0
        self._answers: dict[int, Answer | Refusal] = {}

    def agree(self, revision: str, *, modern: bool) -> None:
        """Speak `revision` from now on."""
        self._revision = revision if modern else ""
        self.channel.agree(revision)

    def ask(self, method: str, params: Mapping[str, Json], deadline: float) -> int:
        """Send a request; its id is what `wait` takes."""
        self._last += 1
        if self._revision:
            params = protocol.with_face(params, self.face, self._revision)
        self.channel.send(protocol.request(self._last, method, params), deadline)
        return self._last

    def tell(self, method: str, deadline: float) -> None:
        """Send a notification."""
        self.channel.send(protocol.notification(method), deadline)

    def request(self, method: str, params: Mapping[str, Json], deadline: float) -> Answer:
        """Send a request and wait for its result.

        Raises `Failure`: `Refused` for an error, `TimedOut` where none came in time.
        """
        answer = self.wait({self.ask(method, params, deadline)}, deadline)
        if answer is None:
            raise TimedOut(f"did not answer `{method}` in time")
        return self.usable(method, answer)

    def wait(self, numbers: Collection[int], deadline: float) -> Answer | Refusal | None:
        """The first answer to one of the requests `numbers`, None if none comes in time.

        Meanwhile the server's own requests are answered.
        """
        while True:
            for number in numbers:
                if number in self._answers:
                    return self._answers.pop(number)
            if time.monotonic() > deadline:  # a flood must not outrun the clock
                return None
            received = self.channel.receive(deadline)
            if received is None:
                return None
            if isinstance(received, Refusal):
                self._answers[received.number] = received
            else:
                self._take(received, deadline)

    def _take(self, text: str, deadline: float) -> None:
        messages = read(text)
        if not messages and text.strip():
            self.noise.add(text)
        for message in messages:
            match message:
                case Answer(number=int(number)) if 0 < number <= self._last:
                    self._answers[number] = message
                case Answer(number=number):
                    self.unparsed |= number is None
                    self.noise.add(text)
                case Call():
                    self._reply(message, deadline)
                case Notice(method=method):
                    self.list_changed |= method.endswith("/list_changed")

    def _reply(self, call: Call, deadline: float) -> None:
        match call.method:
            case "ping":
                reply = protocol.result(call.number, {})
            case "roots/list":
                reply = protocol.result(call.number, {"roots": []})
            case "sampling/createMessage" | "elicitation/create":
                words = "refused: no person and no model takes part"
                reply = protocol.error(call.number, _REFUSED, words)
            case method:
                words = f"Method not found: {method}"
                reply = protocol.error(call.number, METHOD_NOT_FOUND, words)
        self.channel.send(reply, deadline)

    def usable(self, method: str, answer: Answer | Refusal) -> Answer:
        """`answer` if it holds a result; raises `Failure` saying what it holds instead."""
        if isinstance(answer, Refusal):
            raise answer.failure
        if answer.error:
            raise Refused(method, answer.error, self._secrets)
        if answer.fault:
            raise Failure(f"answered `{method}` with what cannot be used: {answer.fault}")
        return answer
