"""What exporters take."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcplock.jsontext import Json


@dataclass(frozen=True, slots=True)
class Tool:
    """An approved tool; `wire` is its whole definition, `hash` the approved one."""

    server: str
    name: str
    hash: str
    wire: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Loss:
    """What an export says otherwise than the definition.

    pointer: RFC 6901, over the definition; message: what was done there.
    """

    pointer: str
    message: str


@dataclass(frozen=True, slots=True)
class Exported:
    """A tool as it is exported: the name it bears, its definition, what was lost."""

    name: str
    tool: Tool
    wire: Mapping[str, Json]
    losses: Sequence[Loss] = ()
