"""Find out how a server wants to be spoken to, and let it introduce itself."""

import time
from collections.abc import Sequence

from mcplock.jsontext import Json
from mcplock.model import ServerInfo
from mcplock.records import NamedTuple
from mcplock.session import protocol
from mcplock.session.channel import Ended, Failure, Refusal, Rejected, TimedOut
from mcplock.session.conversation import Conversation
from mcplock.session.protocol import HANDSHAKE, META_SERVER, MODERN
from mcplock.session.wire import Answer, Members
from mcplock.text import visible

_PATIENCE = 0.5  # seconds for the question whether a server has a modern era too
_SILENCE = 2.0  # seconds until a server that does not answer the probe is also greeted


class Introduction(NamedTuple):
    """What a server says of itself before it is asked for anything.

    capabilities: those it declares; instructions: None where it has none;
    warnings: what was odd, in words.
    """

    revision: str
    capabilities: frozenset[str]
    info: ServerInfo | None = None
    instructions: str | None = None
    warnings: Sequence[str] = ()


class ProbeKilled(Ended):
    """The server ended before it answered anything but had been asked `server/discover`."""


def introduce(
    conversation: Conversation, locked: str | None, *, probe: bool = True
) -> Introduction:
    """Shake hands in the revision `locked`, or in the newest that both sides know.

    Without a locked revision both eras are tried, the modern one first; without `probe` only
    the older one. Raises `Failure`; `ProbeKilled` where another start without the probe is due.
    """
    if locked in HANDSHAKE:
        try:
            return _initialize(conversation, locked)
        except Rejected as rejected:
            try:
                return _discover(conversation)
            except Failure:
                raise rejected from None
    if not probe:
        return _initialize(conversation, HANDSHAKE[-1])
    return _probe(conversation)


def _probe(conversation: Conversation) -> Introduction:
    """Ask `server/discover`; greet with `initialize` on a refusal, or after some silence."""
    number = _ask_discover(conversation)
    try:
        answer = conversation.wait(
            {number}, min(conversation.deadline, time.monotonic() + _SILENCE)
        )
        if answer is None:
            return _both(conversation, number)
    except Ended as ended:
        raise ProbeKilled(ended.message, hint=ended.hint) from None
    return _after_probe(conversation, answer)


def _both(conversation: Conversation, probe: int) -> Introduction:
    """Greet a server that is silent yet; what it answers first counts."""
    params = protocol.initialize_params(conversation.face, HANDSHAKE[-1])
    greeting = conversation.ask("initialize", params)
    answer = conversation.wait({probe, greeting})
    if answer is None:
        raise TimedOut("did not answer `server/discover` or `initialize` in time")
    if answer.number == probe:
        _stop_if_hopeless(answer)
        if found := _modern(conversation, answer):
            return found
        answer = conversation.wait({greeting})
        if answer is None:
            raise TimedOut("did not answer `initialize` in time")
    return _greeted(conversation, answer, HANDSHAKE[-1])


def _after_probe(conversation: Conversation, answer: Answer | Refusal) -> Introduction:
    _stop_if_hopeless(answer)
    return _modern(conversation, answer) or _initialize(
        conversation, _best(_supported(answer)) or HANDSHAKE[-1]
    )


def _stop_if_hopeless(answer: Answer | Refusal) -> None:
    """Raise what no other request could change, such as a wrong key or a dead host."""
    if isinstance(answer, Refusal) and not isinstance(answer.failure, Rejected):
        raise answer.failure


def _discover(conversation: Conversation) -> Introduction:
    number = _ask_discover(conversation)
    answer = conversation.wait({number})
    if answer is None:
        raise TimedOut("did not answer `server/discover` in time")
    answer = conversation.usable("server/discover", answer)
    found = _modern(conversation, answer)
    if found is None:
        raise Failure("answered `server/discover` without a revision that is known here")
    return found


def modern_too(conversation: Conversation) -> Introduction | None:
    """How a server that was greeted introduces itself in the modern era, None if it does not.

    An error, silence or the server's end are no failure: it owes no answer to this question.
    From then on the conversation is of that era.
    """
    until = min(conversation.deadline, time.monotonic() + _PATIENCE)
    try:
        answer = conversation.wait({_ask_discover(conversation)}, until)
        return _modern(conversation, answer) if answer else None
    except Failure:
        return None


def _ask_discover(conversation: Conversation) -> int:
    params = protocol.with_face({}, conversation.face, MODERN[-1])
    return conversation.ask("server/discover", params)


def _modern(conversation: Conversation, answer: Answer | Refusal) -> Introduction | None:
    """The introduction in an answer to `server/discover`, None if it is not of that era."""
    if isinstance(answer, Refusal) or answer.result is None:
        return None
    revision = next((known for known in MODERN if known in _supported(answer)), None)
    if revision is None:
        return None
    conversation.agree(revision, modern=True)
    meta = answer.result.get("_meta")
    info = meta.get(META_SERVER) if isinstance(meta, dict) else None
    return _introduction(revision, answer.result, info, ())


def _initialize(conversation: Conversation, revision: str) -> Introduction:
    params = protocol.initialize_params(conversation.face, revision)
    answer = conversation.wait({conversation.ask("initialize", params)})
    if answer is None:
        raise TimedOut("did not answer `initialize` in time")
    return _greeted(conversation, answer, revision)


def _greeted(conversation: Conversation, answer: Answer | Refusal, asked: str) -> Introduction:
    """The introduction in an answer to `initialize`; a refusal that names revisions is obeyed."""
    if isinstance(answer, Answer) and answer.error:
        supported = _supported(answer)
        other = _best(supported)
        if other and other != asked:
            params = protocol.initialize_params(conversation.face, other)
            answer = conversation.request("initialize", params)
        elif set(supported) & set(MODERN):
            return _discover(conversation)
    answer = conversation.usable("initialize", answer)
    assert answer.result is not None  # noqa: S101 - `usable` has seen to it
    said = answer.result.get("protocolVersion")
    warnings = []
    if said not in HANDSHAKE:
        known = HANDSHAKE[-1]
        warnings.append(f"speaks an unknown revision, {_show(said)}; it is read as {known}")
    conversation.agree(said if isinstance(said, str) else asked, modern=False)
    conversation.tell("notifications/initialized")
    revision = said if said in HANDSHAKE else HANDSHAKE[-1]
    return _introduction(revision, answer.result, answer.result.get("serverInfo"), warnings)


def _introduction(
    revision: str, result: Members, info: Json, warnings: Sequence[str]
) -> Introduction:
    capabilities = result.get("capabilities")
    if not isinstance(capabilities, dict):
        raise Failure(f"declares no `capabilities` object but {_show(capabilities)}")
    declared = frozenset(key for key, value in capabilities.items() if value not in (None, False))
    instructions = result.get("instructions")
    if not isinstance(instructions, str | None):
        raise Failure(f"has `instructions` that are no text but {_show(instructions)}")
    return Introduction(revision, declared, _server_info(info), instructions, tuple(warnings))


def _server_info(info: Json) -> ServerInfo | None:
    if not isinstance(info, dict):
        return None
    name, version = info.get("name"), info.get("version")
    return ServerInfo(
        name if isinstance(name, str) else "", version if isinstance(version, str) else ""
    )


def _supported(answer: Answer | Refusal) -> list[str]:
    """The revisions that an answer says the server has."""
    match answer:
        case Answer(result=dict(result)):
            listed = result.get("supportedVersions")
        case Answer(error=error) if error and isinstance(error.data, dict):
            listed = error.data.get("supported")
        case _:
            listed = None
    return [item for item in listed if isinstance(item, str)] if isinstance(listed, list) else []


def _best(supported: Sequence[str]) -> str | None:
    return next((known for known in reversed(HANDSHAKE) if known in supported), None)


def _show(value: Json) -> str:
    """A wire value in a message, short and safe."""
    match value:
        case None:
            return "null"
        case str():
            return f'"{visible(value[:60])}"'
        case bool() | int() | float():
            return str(value).lower()[:60]
        case list():
            return "a list"
        case _:
            return "an object"
