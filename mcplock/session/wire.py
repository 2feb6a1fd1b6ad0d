"""JSON-RPC messages, read from their texts so that nothing in them is repaired or lost."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from mcplock.jsontext import FaultCode, Json, JsonFault, array_items, parse, spans

Members = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class RpcError:
    """The `error` of an answer."""

    code: int
    message: str
    data: Json = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a request of ours.

    text: the whole message; number: its id, None where that is null; result: the members of
    its result; error: what it has instead; fault: why it is neither; strict: whether the
    text is plain JSON, so that `result` holds exactly what was sent.
    """

    text: str
    number: int | None
    result: Members | None = None
    error: RpcError | None = None
    fault: str = ""
    strict: bool = True

    def items(self, key: str) -> list[Json]:
        """The elements of the list under `key` of the result, or their texts if not strict."""
        if self.strict and self.result:
            return list(self.result[key])
        return list(array_items(self.text, ("result", key)))


@dataclass(frozen=True, slots=True)
class Call:
    """A request that the server makes."""

    number: int | str
    method: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A notification."""

    method: str


Message = Answer | Call | Notice


def read(text: str) -> list[Message]:
    """The messages in `text`: one, or those of a batch; none where it is no JSON-RPC."""
    text = text.strip(" \t\r\n\ufeff")
    if text[:1] not in ("{", "["):
        return []
    try:
        if text[0] == "{":
            message = _read_one(text)
            return [message] if message else []
        return [message for item in array_items(text, ()) if (message := _read_one(item))]
    except JsonFault:
        return []


def _read_one(text: str) -> Message | None:
    try:
        value = parse(text)
    except JsonFault as fault:
        if fault.code is FaultCode.SYNTAX:
            return None
        return _read_loose(text)
    return _message(text, value, fault="", strict=True)


def _read_loose(text: str) -> Message | None:
    """Read a text whose depth, numbers or keys only the scanner can take."""
    members: dict[str, Json] = {}
    result: dict[str, Json] = {}
    fault = ""
    for path, start, end in spans(text, levels=2):
        if len(path) == 1:
            target: dict[str, Json] = members
        elif len(path) == 2 and path[0] == "result":
            target = result
        else:
            continue
        if path[-1] in target:
            fault = f"the key {json.dumps(path[-1])} is in it twice"
        target[str(path[-1])] = _loosely(text[start:end])
    if isinstance(members.get("result"), dict):
        members["result"] = result
    return _message(text, members, fault=fault, strict=False)


def _loosely(text: str) -> Json:
    """The value of `text` as far as it can be known; an empty container where it cannot."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return {} if text.startswith("{") else []


def _message(text: str, value: Json, *, fault: str, strict: bool) -> Message | None:
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        return None
    method = value.get("method")
    number = value.get("id")
    if isinstance(method, str):
        if isinstance(number, int | str) and not isinstance(number, bool):
            return Call(number, method)
        return Notice(method) if number is None else None
    if not ("result" in value or "error" in value):
        return None
    if not isinstance(number, int | None) or isinstance(number, bool):
        return None
    return _answer(text, number, value, fault=fault, strict=strict)


def _answer(text: str, number: int | None, value: Members, *, fault: str, strict: bool) -> Answer:
    if value.get("error") is not None:
        return Answer(text, number, error=_error(value["error"]), strict=strict)
    result = value.get("result")
    if not isinstance(result, dict):
        fault = fault or "its `result` is no object"
    if fault:
        return Answer(text, number, fault=fault, strict=strict)
    return Answer(text, number, result=result, strict=strict)


def _error(value: Json) -> RpcError:
    if not isinstance(value, dict):
        return RpcError(0, json.dumps(value))
    code = value.get("code")
    message = value.get("message")
    return RpcError(
        code if isinstance(code, int) else 0,
        message if isinstance(message, str) else "",
        value.get("data"),
    )


MAX_MESSAGE = 64 << 20
"""The longest message that is read, in bytes."""


def encode(message: Members) -> bytes:
    """`message` as one line of JSON, without the newline."""
    return json.dumps(message, separators=(",", ":")).encode()


def decode(line: bytes) -> str:
    """The text of `line`; a byte that is not UTF-8 becomes a lone surrogate, which no JSON has.

    So two texts that differ in such a byte stay different, and whatever holds one is invalid.
    """
    return line.decode("utf-8", "surrogateescape")
