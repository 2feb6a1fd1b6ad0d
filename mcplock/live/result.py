"""What a call came to."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from mcplock.approved import Tool
from mcplock.definitions import Scrubber
from mcplock.errors import InputRequired, ServerTrouble
from mcplock.jsontext import Json, JsonFault, exact, most_values, too_deep
from mcplock.text import visible

_INPUT_REQUIRED = "input_required"
_MOST_VALUES = 2_000_000
_MOST_TOLD = 5
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a call, whole.

    server, tool: whose it is; wire: the result as the server sent it, a secret of this
    machine's replaced by its variable's name, and a number that no `float` holds a `Number`
    with its own `text`; compared: whether the live definition was found
    equal to the approved one; violations: where structured content is not what the locked
    `outputSchema` says, as (JSON Pointer, what is wrong there); remarks: what the server
    wanted besides and did not get, what of the schemas could not be checked, and which numbers
    Python does not have, in words.

    >>> result = Result("git", "log", {"content": [{"type": "text", "text": "a1b2 Begin"}]})
    >>> result.text, result.structured, result.is_error
    ('a1b2 Begin', None, False)
    """

    server: str
    tool: str
    wire: Mapping[str, Json]
    compared: bool = False
    violations: Sequence[tuple[str, str]] = ()
    remarks: Sequence[str] = ()

    @property
    def is_error(self) -> bool:
        """Whether the tool ran and says that it failed."""
        return self.wire.get("isError") is True

    @property
    def structured(self) -> Json:
        """The structured content, None where there is none."""
        return self.wire.get("structuredContent")

    @property
    def content(self) -> Sequence[Json]:
        """The blocks of content, as they were sent."""
        blocks = self.wire.get("content")
        return blocks if isinstance(blocks, list) else ()

    @property
    def text(self) -> str:
        """The blocks that are text, in their order, a line break between two."""
        return "\n".join(block["text"] for block in self.content if _is_text(block))

    @property
    def meta(self) -> Mapping[str, Json]:
        """The `_meta` of the server; nothing of mcplock's stands in it."""
        meta = self.wire.get("_meta")
        return meta if isinstance(meta, dict) else {}


def _is_text(block: Json) -> bool:
    return (
        isinstance(block, dict)
        and block.get("type") == "text"
        and isinstance(block.get("text"), str)
    )


def block_text(block: Json) -> str | None:
    """The text that a block of content is, or that its resource holds; None where it is none."""
    match block:
        case {"type": "text", "text": str(text)}:
            return text
        case {"type": "resource", "resource": {"text": str(text)}}:
            return text
        case _:
            return None


def read_result(
    tool: Tool, text: str, secrets: Mapping[str, str]
) -> tuple[dict[str, Json], list[str]]:
    """The result in the JSON-RPC answer `text`, and what is to be remarked on its numbers.

    Raises `InputRequired` where the tool wants something first, `ServerTrouble` where the
    answer is no result.
    """
    where = f"{visible(tool.id)}: the answer"
    if too_deep(text):
        raise ServerTrouble(f"{where} nests too deep to be read")
    if most_values(text) > _MOST_VALUES:
        raise ServerTrouble(f"{where} holds more than {_MOST_VALUES:,} values")
    try:
        numbers = _Numbers()
        wire = numbers.decoder.decode(text)["result"]
        if secrets:
            wire = Scrubber(secrets).value(wire)
    except JsonFault as fault:
        raise ServerTrouble(f"{where} cannot be cleaned of secrets: {fault.message}") from None
    except ValueError as error:  # an integer of more digits than the interpreter reads
        raise ServerTrouble(f"{where} cannot be read: {visible(str(error))}") from None
    kind = wire.get("resultType", "complete")
    if kind == _INPUT_REQUIRED:
        raise InputRequired(_wanted(tool, wire.get("inputRequests")))
    return wire, numbers.remarks


class _Numbers:
    """Reads numbers, and takes note of those that have no value in Python or in JSON."""

    def __init__(self) -> None:
        self.decoder = json.JSONDecoder(parse_float=self._float, parse_constant=self._constant)
        self._told: dict[str, None] = {}

    def _float(self, digits: str) -> float:
        value = exact(digits)
        if not isfinite(value):
            shown = digits if len(digits) <= _SHOWN else f"{digits[:_SHOWN]}…"
            self._tell(f"{shown} is {value} in Python; `mcplock call` prints it as it was sent")
        return value

    def _constant(self, name: str) -> float:
        self._tell(f"{name} is no JSON; `mcplock call` prints null")
        return float(name)

    def _tell(self, remark: str) -> None:
        if len(self._told) < _MOST_TOLD:
            self._told.setdefault(remark)

    @property
    def remarks(self) -> list[str]:
        return [f"the number {told}" for told in self._told]


def _wanted(tool: Tool, requests: Json) -> str:
    """What a tool asks for instead of giving a result."""
    asked = requests.values() if isinstance(requests, dict) else ()
    methods = [request.get("method") for request in asked if isinstance(request, dict)]
    names = list(dict.fromkeys(visible(str(method))[:100] for method in methods))[:10]
    told = f" (`{'`, `'.join(names)}`)" if names else ""
    return (
        f"{visible(tool.id)} wants input before it goes on{told}, and mcplock gives none: "
        "no person and no model takes part in this call"
    )
