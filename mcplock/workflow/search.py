"""`search`: the tools that fit a question, from the locks alone."""

from collections.abc import Collection, Sequence
from pathlib import Path

from mcplock.model import State
from mcplock.records import NamedTuple
from mcplock.search import Hit, Index
from mcplock.workflow.doubts import Identity, Unusable, doubts, unusable
from mcplock.workflow.levels import Seen

_UNDENIED = frozenset(State) - {State.DENIED}


class Search(NamedTuple):
    """What was found, best first, and what was not even looked at.

    suspected: tools that a call of this machine found changed; left_out: what agents do not
    get, but for the tools that a person denied.
    """

    hits: Sequence[Hit]
    suspected: Collection[Identity]
    left_out: Sequence[Unusable]


def search(seen: Seen, query: str, limit: int, state_dir: Path) -> Search:
    """The tools that an agent may have and that fit `query`."""
    known = doubts(seen, state_dir)
    hits = Index(seen.approved.tools).search(query, limit)
    return Search(hits, known.suspected, unusable(seen.lock, known, states=_UNDENIED))
