"""`export`: the approved tools for agents, from the lock alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from mcplock.approved import Approved, Omitted
from mcplock.errors import Refused
from mcplock.exported import exported_name
from mcplock.exporters import Exported, Options
from mcplock.exporters.make import make, refuse_losses
from mcplock.jsontext import Json
from mcplock.model import Kind, Lock
from mcplock.naming import select
from mcplock.tokens import tokenizer, tokens
from mcplock.workflow.costs import Costs
from mcplock.workflow.levels import Seen


@dataclass(frozen=True, slots=True)
class Wishes:
    """How to export.

    format: one of `FORMATS`; options: what that format is told; raw_names: keep the names
    that the servers gave; only, but: words that name what to take, and what not to; keep:
    words that name what is loaded although the others are deferred; strict: refuse where a
    schema would have to be changed; max_tokens: refuse what costs more; encoding: which one of
    tiktoken counts that; "" estimates.
    """

    format: str
    options: Options = field(default_factory=Options)
    raw_names: bool = False
    only: Sequence[str] = ()
    but: Sequence[str] = ()
    keep: Sequence[str] = ()
    strict: bool = False
    max_tokens: int | None = None
    encoding: str = ""


@dataclass(frozen=True, slots=True)
class Export:
    """What was made: the document, each tool in it, and what is not in it.

    lines: whether each member of the document is a line of its own.
    """

    document: Json
    lines: bool
    tools: Sequence[Exported]
    left_out: Sequence[Omitted]


def export(seen: Seen, wishes: Wishes) -> Export:
    """The catalog of what agents see."""
    lock = seen.lock
    found = _wished(seen.approved, lock, wishes)
    kept = frozenset(exported_name(*identity) for identity in _tools(lock, wishes.keep))
    options = replace(wishes.options, keep=kept)
    made = make(
        found.tools,
        wishes.format,
        options,
        instructions=found.instructions,
        raw_names=wishes.raw_names,
    )
    if wishes.strict:
        refuse_losses(made.tools)
    if wishes.max_tokens is not None:
        _refuse_cost(made.tools, wishes)
    return Export(made.document, made.lines, made.tools, [*found.omitted, *made.nameless])


class TooMuch(Refused):
    """The tools cost more than was allowed; `costs`: what each does."""

    def __init__(self, costs: Costs, limit: int) -> None:
        about = "" if costs.tokenizer else "about "
        message = f"these tools are {about}{costs.total:,} tokens, more than {limit:,}"
        super().__init__(message, hint="leave some out with `--except`, or take some with `--only`")
        self.costs = costs


def _refuse_cost(tools: Sequence[Exported], wishes: Wishes) -> None:
    limit, encoding = wishes.max_tokens, wishes.encoding
    counter = tokenizer(encoding) if encoding else None
    counted = [(exported.tool, tokens(exported.wire, counter)) for exported in tools]
    found = Costs(counted, encoding, f"what `--format {wishes.format}` writes")
    if limit is not None and found.total > limit:
        raise TooMuch(found, limit)


def _wished(found: Approved, lock: Lock, wishes: Wishes) -> Approved:
    wanted, unwanted = _tools(lock, wishes.only), _tools(lock, wishes.but, widely=True)

    def is_wished(server: str, tool: str) -> bool:
        return (not wishes.only or (server, tool) in wanted) and (server, tool) not in unwanted

    return found._replace(
        tools=[tool for tool in found.tools if is_wished(tool.server, tool.name)],
        omitted=[left for left in found.omitted if is_wished(left.server, left.tool)],
    )


def _tools(lock: Lock, words: Sequence[str], *, widely: bool = False) -> set[tuple[str, str]]:
    chosen = select(lock, words, widely=widely).entries
    return {(named.server, named.name) for named in chosen if named.kind is Kind.TOOL}
