"""What tools cost of a model's context in every request, and what a search would."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from mcplock.approved import Tool, of_lock
from mcplock.model import Kind, Lock
from mcplock.naming import Named
from mcplock.tokens import tokenizer, tokens
from mcplock.workflow.doubts import Identity

FOUND = 5
"""So many tools a search is taken to load."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Tokens by tool, in the order of the lock.

    tokenizer: the encoding that counted them; "" where they are an estimate; counted: what of
    a tool was counted, in words.
    """

    tools: Sequence[tuple[Tool, int]]
    tokenizer: str = ""
    counted: str = "name, description and input schema"

    @property
    def total(self) -> int:
        """What all tools cost in every request."""
        return sum(cost for _, cost in self.tools)

    @property
    def of_search(self) -> int:
        """What a search costs that loads `FOUND` of them, of middling size."""
        count = len(self.tools)
        return self.total if count <= FOUND else round(self.total / count * FOUND)

    @property
    def by_server(self) -> Mapping[str, int]:
        """What the tools of each server cost, the dearest first."""
        sums = Counter[str]()
        for tool, cost in self.tools:
            sums[tool.server] += cost
        return dict(sums.most_common())


def costs(
    lock: Lock,
    entries: Sequence[Named] | None = None,
    encoding: str = "",
    *,
    left_out: Collection[Identity] = (),
) -> Costs:
    """What the tools that agents may have cost, of `entries` or of all.

    encoding: which one of tiktoken counts; "" estimates; left_out: approved tools that agents do
    not get all the same. Raises what `tokenizer` raises.
    """
    counter = tokenizer(encoding) if encoding else None
    tools = [tool for tool in of_lock(lock).tools if (tool.server, tool.name) not in left_out]
    if entries is not None:
        wanted = {(named.server, named.name) for named in entries if named.kind is Kind.TOOL}
        tools = [tool for tool in tools if (tool.server, tool.name) in wanted]
    return Costs([(tool, _cost(tool, counter)) for tool in tools], encoding)


def _cost(tool: Tool, counter: Callable[[str], int] | None) -> int:
    """As every provider is sent a tool, but for the keys around it."""
    schema = tool.content.get("inputSchema") or {"type": "object"}
    wire = {"name": tool.exported, "description": tool.description, "parameters": schema}
    return tokens(wire, counter)
