"""Tools by the meaning of words: BM25 over the fields of their definitions.

Nothing is cut into words beforehand: each term of a query is searched for in the texts of
all tools at once, which for one query is quicker than to build an index for many.
"""

import math
from collections.abc import Sequence

from mcplock.approved import Tool
from mcplock.records import NamedTuple
from mcplock.search.fields import Field, fields
from mcplock.search.thesaurus import related
from mcplock.search.words import query_terms

__all__ = ["Hit", "Index"]

_SATURATION = 1.2


class Hit(NamedTuple):
    """A tool that was found; `score` compares hits of one query only."""

    tool: Tool
    score: float


class Index:
    """Finds tools by the words of their names, titles, descriptions and parameters.

    >>> log = Tool("git", "log", "", True, {"name": "log", "description": "Shows commits."})
    >>> push = Tool("git", "push", "", True, {"name": "push", "description": "Uploads."})
    >>> [hit.tool.name for hit in Index([log, push]).search("show a commit")]
    ['log']
    """

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = tools
        self._fields: list[Field] = fields(tools)

    def search(self, query: str, limit: int = 10) -> list[Hit]:
        """The tools that fit `query`, best first, `limit` at most; equals by their names."""
        scores: dict[int, float] = {}
        for term, weight in query_terms(query).items():
            frequencies = self._frequencies(term)
            others = len(self._tools) - len(frequencies)
            rarity = math.log(1 + (others + 0.5) / (len(frequencies) + 0.5))
            for at, frequency in frequencies.items():
                gain = weight * rarity * frequency / (_SATURATION + frequency)
                scores[at] = scores.get(at, 0.0) + gain
        hits = [Hit(self._tools[at], round(score, 6)) for at, score in scores.items()]
        hits.sort(key=lambda hit: (-hit.score, hit.tool.server, hit.tool.name))
        return hits[:limit]

    def _frequencies(self, term: str) -> dict[int, float]:
        """By position of the tool, how often it has `term` or a word for the same thing.

        Weighted by the field, its length, and how near the word is.
        """
        found: dict[int, float] = {}
        for word, nearness in {term: 1.0, **related().get(term, {})}.items():
            for field in self._fields:
                for at, frequency in field.hits(word):
                    found[at] = found.get(at, 0.0) + nearness * frequency
        return found
