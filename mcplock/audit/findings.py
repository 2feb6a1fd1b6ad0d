"""What a lint noticed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from mcplock.jsontext import Json


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


def pointer(path: Iterable[str | int]) -> str:
    """`path` as a JSON Pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def strings(content: Json) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """(path, text) of every string and every key in `content`, in order."""
    waiting: list[tuple[tuple[str | int, ...], Json]] = [((), content)]
    while waiting:
        path, value = waiting.pop()
        match value:
            case str():
                yield path, value
            case dict():
                yield from (((*path, key), key) for key in value)
                waiting += [((*path, key), item) for key, item in reversed(value.items())]
            case list():
                waiting += [((*path, at), item) for at, item in reversed([*enumerate(value)])]
            case _:
                pass
