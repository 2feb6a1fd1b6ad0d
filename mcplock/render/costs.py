"""What tools cost of a model's context, as a table and in a sentence."""

from collections.abc import Iterable

from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import count
from mcplock.text import visible
from mcplock.workflow.costs import FOUND, Costs


def cost_lines(costs: Costs) -> list[Line]:
    """A line a tool, the dearest first, then a line a server."""
    tools = sorted((-cost, visible(tool.id)) for tool, cost in costs.tools)
    return _table(costs, [*((-cost, name) for cost, name in tools), *_servers(costs)])


def server_cost_lines(costs: Costs) -> list[Line]:
    """A line a server, the dearest first."""
    return _table(costs, _servers(costs))


def cost_verdict(costs: Costs) -> Line:
    """What all of them cost in every request, against a search for them."""
    said = f"{count(len(costs.tools), 'tool')}: {total(costs)} in every request"
    if len(costs.tools) > FOUND:
        said += f"; a search that loads {FOUND} of them: about {costs.of_search:,}"
    return line(said)


def total(costs: Costs) -> str:
    """What all of them cost, with how that was counted."""
    said = count(costs.total, "token")
    return f"{said} of {visible(costs.tokenizer)}" if costs.tokenizer else f"about {said}"


def _servers(costs: Costs) -> Iterable[tuple[int, str]]:
    return [(cost, f"{visible(server)}, all") for server, cost in costs.by_server.items()]


_TOKENS = "tokens"


def _table(costs: Costs, rows: Iterable[tuple[int, str]]) -> list[Line]:
    """The rows below a head that says what is counted; nothing where there are none."""
    rows = list(rows)
    if not rows:
        return []
    width = max(len(_TOKENS), *(len(f"{cost:,}") for cost, _ in rows))
    head = line(Span(Style.DIM, f"{_TOKENS:>{width}}  of a tool, counting {costs.counted}"))
    return [head, *(line(f"{cost:>{width},}  ", Span(Style.NAME, name)) for cost, name in rows)]
