"""Questions and answers over a channel, while the server talks back."""

import time
from collections.abc import Callable, Collection, Mapping

from mcplock.jsontext import Json
from mcplock.session import protocol
from mcplock.session.channel import (
    NOTHING,
    Arrived,
    Channel,
    Ended,
    Failure,
    Refusal,
    Rejected,
    TimedOut,
)
from mcplock.session.protocol import METHOD_NOT_FOUND, Face
from mcplock.session.wire import Answer, Call, Notice, RpcError, is_broken, read
from mcplock.session.words import Secrets, shown

_SHOWN = 3
_MOST_LINES = 100_000
_MOST_CHARACTERS = 64 << 20
_WIDTH = 200
_REFUSED = -1


class Refused(Rejected):
    """The server answered a request with an error."""

    def __init__(self, method: str, error: RpcError, secrets: Secrets) -> None:
        self.words = f"error {error.code}: {shown(error.message, secrets) or 'no reason given'}"
        super().__init__(f"answered `{method}` with {self.words}")
        self.error = error


class Noise:
    """Text where only protocol messages should be. `first`: the first ones, cut, not yet safe."""

    def __init__(self) -> None:
        self.count = 0
        self.characters = 0
        self.first: list[str] = []

    def add(self, text: str) -> None:
        """Count `text`; raises `Failure` once it is too much."""
        self.count += 1
        self.characters += len(text)
        if len(self.first) < _SHOWN:
            self.first.append(text[: 2 * _WIDTH])
        if self.count > _MOST_LINES or self.characters > _MOST_CHARACTERS:
            raise Failure("floods its output with text that is no protocol message")


def _overlook(message: Call | Notice) -> None:
    """What a server says unasked, where nobody wants to know."""


class Conversation:
    """One connection to one server.

    deadline: until when, on `time.monotonic()`, the server has to answer;
    noise: what came and is no message for us; list_changed: whether the server said, since
    that was last cleared, that a list of its has changed; watch: is told of each request and
    notification of the server's.
    """

    def __init__(self, channel: Channel, face: Face, secrets: Secrets, *, deadline: float) -> None:
        self.face = face
        self.deadline = deadline
        self.noise = Noise()
        self.list_changed = False
        self.watch: Callable[[Call | Notice], None] = _overlook
        self._channel = channel
        self._secrets = secrets
        self._revision = ""  # a modern one, which each request names
        self._last = 0
        self._asked: dict[int, str] = {}  # what is not answered yet, and the method of each
        self._answers: dict[int, Answer | Refusal] = {}

    def agree(self, revision: str, *, modern: bool) -> None:
        """Speak `revision` from now on."""
        self._revision = revision if modern else ""
        self._channel.agree(revision)

    def ask(
        self,
        method: str,
        params: Mapping[str, Json],
        *,
        with_progress: bool = False,
        headers: Mapping[str, str] = NOTHING,
    ) -> int:
        """Send a request; its id is what `wait` takes, and its token in news of its progress."""
        self._last += 1
        self._asked[self._last] = method
        if with_progress:
            params = {**params, "_meta": {"progressToken": self._last}}
        if self._revision:
            params = protocol.with_face(params, self.face, self._revision)
        message = protocol.request(self._last, method, params)
        self._channel.send(message, self.deadline, headers)
        return self._last

    def tell(self, method: str, params: Mapping[str, Json] | None = None) -> None:
        """Send a notification."""
        self._channel.send(protocol.notification(method, params), self.deadline)

    def cancel(self, number: int, reason: str) -> None:
        """Tell the server that nobody waits for this answer any more; it will be ignored."""
        if self._asked.pop(number, None):
            try:
                self.tell("notifications/cancelled", {"requestId": number, "reason": reason})
            finally:
                self._channel.drop(number)

    def request(self, method: str, params: Mapping[str, Json]) -> Answer:
        """Send a request and wait for its result.

        Raises `Failure`: `Refused` for an error, `TimedOut` where none came in time.
        """
        answer = self.wait({self.ask(method, params)})
        if answer is None:
            raise TimedOut(f"did not answer `{method}` in time")
        return self.usable(method, answer)

    def usable(self, method: str, answer: Answer | Refusal) -> Answer:
        """`answer` if it holds a result; raises `Failure` saying what it holds instead."""
        if isinstance(answer, Refusal):
            raise answer.failure
        if answer.error:
            raise Refused(method, answer.error, self._secrets)
        if answer.fault:
            raise Failure(f"answered `{method}` with what cannot be used: {answer.fault}")
        return answer

    def wait(self, numbers: Collection[int], until: float | None = None) -> Answer | Refusal | None:
        """The first answer to one of the requests `numbers`, None if none comes in time.

        The time ends at `until`, or else at the deadline of the conversation. Meanwhile
        the server's own requests are answered.
        """
        until = self.deadline if until is None else until
        while True:
            answer = self.attend(numbers, until)
            if answer or time.monotonic() > until:
                return answer

    def attend(self, numbers: Collection[int], until: float) -> Answer | Refusal | None:
        """As `wait`, but it may give up earlier: when the channel is woken."""
        while True:
            for number in numbers:
                if number in self._answers:
                    return self._answers.pop(number)
            if time.monotonic() > until:  # a flood must not outrun the clock
                return None
            arrived = self._receive(until)
            match arrived:
                case None:
                    return None
                case Refusal(number=number):
                    if self._asked.pop(number, None):
                        self._answers[number] = arrived
                case Arrived():
                    self._take(arrived, until)

    def _receive(self, until: float) -> Arrived | Refusal | None:
        try:
            return self._channel.receive(until)
        except Ended as ended:
            methods = " or ".join(f"`{method}`" for method in self._asked.values())
            ended.message += f" before it answered {methods}" if methods else ""
            raise

    def _take(self, arrived: Arrived, until: float) -> None:
        messages = read(arrived.text)
        if not messages and arrived.text.strip():
            if arrived.to is None:
                self.noise.add(arrived.text)
            elif is_broken(arrived.text):
                self._refuse_broken(arrived.text, arrived.to)
        for message in messages:
            match message:
                case Answer():
                    self._answered(message, arrived.to)
                case Call():
                    self.watch(message)
                    self._reply(message, until)
                case Notice(method=method):
                    self.watch(message)
                    self.list_changed |= method.endswith("/list_changed")

    def _refuse_broken(self, text: str, number: int) -> None:
        """Nothing is to be waited for: what came in answer to this request is no whole JSON."""
        if method := self._asked.pop(number, None):
            words = shown(" ".join(text[: 20 * _WIDTH].split()), self._secrets)
            told = f"answered `{method}` with JSON that breaks off or is broken: {words}"
            self._answers[number] = Refusal(number, Rejected(told))

    def _answered(self, answer: Answer, to: int | None) -> None:
        number = answer.number
        if number is None:
            number = to or self._probe() or 0
        if self._asked.pop(number, None):
            self._answers[number] = answer._replace(number=number)
        elif not 0 < number <= self._last:
            self.noise.add(answer.text)

    def _probe(self) -> int | None:
        """The probe, if it alone is open: an error without an id will be the answer to it."""
        match [*self._asked.items()]:
            case [(number, "server/discover")]:
                return number
        return None

    def _reply(self, call: Call, until: float) -> None:
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
        self._channel.reply(reply, until)
