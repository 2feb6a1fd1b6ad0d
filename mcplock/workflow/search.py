"""`search`: the tools that fit a question, from the locks alone."""

from mcplock.search import Hit, Index
from mcplock.workflow.levels import Seen


def search(seen: Seen, query: str, limit: int) -> list[Hit]:
    """The tools that an agent may have and that fit `query`, best first."""
    return Index(seen.approved.tools).search(query, limit)
