"""JSON-RPC messages, read from their texts so that nothing in them is repaired or lost."""

import json
from collections.abc import Mapping
from types import MappingProxyType

from mcplock.jsontext import Json, JsonFault, array_items, parse, spans
from mcplock.records import NamedTuple

Members = Mapping[str, Json]
"""The members of an object; what only a definition can be is empty here (`_value`)."""

MAX_MESSAGE = 64 << 20
"""The longest message that is read, in bytes."""

OVERHEAD = 256
"""Bytes that each message which waits takes, however short it is."""

_DEFINITIONS = 1 << 16  # characters: a list that is longer holds definitions


class RpcError(NamedTuple):
    """The `error` of an answer."""

    code: int
    message: str
    data: Json = None


class Answer(NamedTuple):
    """An answer to a request of ours.

    text: the whole message; number: its id, None where that is null; result: the members of
    its result; error: what it has instead; fault: why it is neither.
    """

    text: str
    number: int | None
    result: Members | None = None
    error: RpcError | None = None
    fault: str = ""

    def items(self, key: str) -> list[str]:
        """The text of each element of the list under `key` of the result."""
        return array_items(self.text, ("result", key))


class Call(NamedTuple):
    """A request that the server makes."""

    number: int | str
    method: str
    params: Members = MappingProxyType({})


class Notice(NamedTuple):
    """A notification."""

    method: str
    params: Members = MappingProxyType({})


Message = Answer | Call | Notice


def read(text: str) -> list[Message]:
    """The messages in `text`: one, or those of a batch; none where it is no JSON-RPC."""
    text = text.strip(" \t\r\n\ufeff")
    if not text.startswith(("{", "[")):
        return []
    try:
        if text[0] == "{":
            message = _read_one(text)
            return [message] if message else []
        return [message for item in array_items(text, ()) if (message := _read_one(item))]
    except JsonFault:
        return []


def is_broken(text: str) -> bool:
    """Whether `text`, which begins as JSON does, is none."""
    text = text.strip(" \t\r\n\ufeff")
    if not text.startswith(("{", "[")):
        return False
    try:
        json.loads(text)
    except RecursionError:
        return False
    except ValueError:
        return True
    return False


def _read_one(text: str) -> Message | None:
    """The message that `text` is; only its first two levels are looked at."""
    members: dict[str, Json] = {}
    result: dict[str, Json] = {}
    fault = ""
    for path, start, end in spans(text, levels=2):
        if len(path) == 1:
            target = members
        elif len(path) == 2 and path[0] == "result":
            target = result
        else:
            continue
        if path[-1] in target:
            fault = f"the key {json.dumps(path[-1])} is in it twice"
        if path == ("result",) and text[start] == "{":
            members["result"] = result  # its members have come before it
        else:
            target[str(path[-1])] = _value(text, start, end)
    return _message(text, members, fault)


def _value(text: str, start: int, end: int) -> Json:
    """The value that stands there as far as it matters; else an empty container.

    The last of two equal keys counts; a number may be infinite; what is too deep, and a list
    so long that it can hold nothing but definitions, is empty.
    """
    if text[start] == "[" and end - start > _DEFINITIONS:
        return []
    try:
        return parse(text[start:end], unique_keys=False)
    except JsonFault:
        pass
    try:
        return json.loads(text[start:end])
    except (ValueError, RecursionError):
        return {} if text[start] == "{" else []


def _message(text: str, value: Members, fault: str) -> Message | None:
    if value.get("jsonrpc") != "2.0":
        return None
    method = value.get("method")
    number = value.get("id")
    if isinstance(method, str):
        params = value.get("params")
        params = params if isinstance(params, dict) else {}
        if isinstance(number, int | str) and not isinstance(number, bool):
            return Call(number, method, params)
        return Notice(method, params) if number is None else None
    if not ("result" in value or "error" in value):
        return None
    if not isinstance(number, int | None) or isinstance(number, bool):
        return None
    return _answer(text, number, value, fault)


def _answer(text: str, number: int | None, value: Members, fault: str) -> Answer:
    if value.get("error") is not None:
        return Answer(text, number, error=_error(value["error"]))
    result = value.get("result")
    if not isinstance(result, dict):
        fault = fault or "its `result` is no object"
    return Answer(text, number, fault=fault) if fault else Answer(text, number, result=result)


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


def encode(message: Members) -> bytes:
    """`message` as one line of JSON, without the newline."""
    return json.dumps(message, separators=(",", ":")).encode()


def decode(line: bytes) -> str:
    """The text of `line`; a byte that is not UTF-8 becomes a lone surrogate, which no JSON has.

    So two texts that differ in such a byte stay different, and whatever holds one is invalid.
    """
    return line.decode("utf-8", "surrogateescape")
