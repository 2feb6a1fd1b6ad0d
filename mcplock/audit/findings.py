"""What a lint noticed."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from mcplock.jsontext import Json
from mcplock.pointers import step


class Severity(StrEnum):
    """How much a finding weighs; `high` stops a reviewer."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a lint noticed in one entry.

    rule: its short name; pointer: RFC 6901, over the entry's content; a key is named by the
    pointer to its value, "" is the entry as a whole. message: safe to print as it is.
    """

    rule: str
    severity: Severity
    pointer: str
    message: str


def strings(content: Json) -> Iterator[tuple[str, str]]:
    """(pointer, text) of every string and every key in `content`."""
    waiting: list[tuple[str, Json]] = [("", content)]
    while waiting:
        at, value = waiting.pop()
        match value:
            case str():
                yield at, value
            case dict():
                yield from ((at + step(key), key) for key in value)
                waiting += [(at + step(key), item) for key, item in reversed(value.items())]
            case list():
                waiting += [
                    (at + step(index), value[index]) for index in reversed(range(len(value)))
                ]
            case _:
                pass
