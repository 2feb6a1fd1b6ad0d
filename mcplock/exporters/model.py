"""What exporters give."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcplock.approved import Tool
from mcplock.jsontext import Json


@dataclass(frozen=True, slots=True)
class Loss:
    """What an export says otherwise than the definition.

    pointer: RFC 6901, over the definition; message: what was done there.
    """

    pointer: str
    message: str


@dataclass(frozen=True, slots=True)
class Exported:
    """A tool as it is exported: the name it bears, its wire in the format, what was lost."""

    name: str
    tool: Tool
    wire: Mapping[str, Json]
    losses: Sequence[Loss] = ()


@dataclass(frozen=True, slots=True)
class Options:
    """What a format may be told; one that does not know an option refuses it.

    defer: the provider loads tools when its own search finds them; keep: names of the tools
    that are loaded all the same; tool_search: which of the provider's searches is added:
    `bm25`, `regex` or `none`; namespaces: the tools of a server stand together.
    """

    defer: bool = False
    keep: frozenset[str] = frozenset()
    tool_search: str = ""
    namespaces: bool = False

    def is_deferred(self, tool: Exported) -> bool:
        """Whether the provider is to load `tool` later."""
        return self.defer and tool.name not in self.keep


def described(tool: Tool) -> dict[str, Json]:
    """The description of `tool` as one member, where it has one."""
    text = tool.content.get("description")
    return {"description": text} if isinstance(text, str) else {}
