"""Tools by the meaning of words: BM25 over the fields of their definitions.

Nothing is cut into words beforehand: each term of a query is searched for in the texts of
all tools at once, which for one query is quicker than to build an index for many.
"""

import math
from collections.abc import Mapping, Sequence

from mcplock.approved import Tool
from mcplock.records import NamedTuple
from mcplock.search.fields import Field, fields
from mcplock.search.guesses import likely
from mcplock.search.query import Term, terms
from mcplock.search.thesaurus import Related, related

__all__ = ["Hit", "Index"]

_SATURATION = 1.6
_REGARDLESS = 0.4
"""What a tool keeps of its score that has next to nothing of what else the query asks for."""
_ALONE = Related({}, {})


class Hit(NamedTuple):
    """A tool that was found; `score` compares hits of one query only."""

    tool: Tool
    score: float


class _Found(NamedTuple):
    """Where a term was found: its rarity, and by position of the tool (score, nearness)."""

    rarity: float
    tools: dict[int, tuple[float, float]]


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
        self._words: set[str] = set()

    def search(self, query: str, limit: int = 10) -> list[Hit]:
        """The tools that fit `query`, best first, `limit` at most; equals by their names.

        A tool that has more of what the query asks for comes before one that has more of one
        word of it.
        """
        scores: dict[int, float] = {}
        covered: dict[int, float] = {}
        whole = 0.0
        for term in terms(query):
            found = self._found(term)
            importance = term.weight * found.rarity
            whole += importance
            for at, (score, nearness) in found.tools.items():
                scores[at] = scores.get(at, 0.0) + importance * score
                covered[at] = covered.get(at, 0.0) + importance * nearness
        hits = []
        for at, score in scores.items():
            kept = _REGARDLESS + (1 - _REGARDLESS) * covered[at] / whole
            hits.append(Hit(self._tools[at], round(score * kept, 6)))
        hits.sort(key=lambda hit: (-hit.score, hit.tool.server, hit.tool.name))
        return hits[:limit]

    def _found(self, term: Term) -> _Found:
        """The tools that have `term`, a word for the same thing, or else what it may be."""
        others = related().get(term.stem, _ALONE)
        found = self._as_one({term.stem: 1.0, **others.same})
        near = [self._as_one({word: 1.0}) for word in others.near]
        rarity = found.rarity or max((other.rarity for other in near), default=0.0)
        for other, nearness in zip(near, others.near.values(), strict=True):
            share = nearness * min(1.0, other.rarity / rarity) if rarity else 0.0
            for at, (score, _) in other.tools.items():
                best = found.tools.get(at, (0.0, 0.0))
                found.tools[at] = (max(best[0], share * score), max(best[1], nearness))
        if not found.tools and term.spelt:
            return self._as_one(likely(term.spelt, self._vocabulary()))
        return _Found(rarity, found.tools)

    def _as_one(self, words: Mapping[str, float]) -> _Found:
        """The tools that have one of `words`, as if these were one word; each has a nearness."""
        frequencies: dict[int, float] = {}
        nearest: dict[int, float] = {}
        for word, nearness in words.items():
            for field in self._fields:
                for at, frequency in field.hits(word):
                    frequencies[at] = frequencies.get(at, 0.0) + nearness * frequency
                    nearest[at] = max(nearest.get(at, 0.0), nearness)
        if not frequencies:
            return _Found(0.0, {})
        others = len(self._tools) - len(frequencies)
        rarity = math.log(1 + (others + 0.5) / (len(frequencies) + 0.5))
        scores = {at: often / (_SATURATION + often) for at, often in frequencies.items()}
        return _Found(rarity, {at: (score, nearest[at]) for at, score in scores.items()})

    def _vocabulary(self) -> set[str]:
        if not self._words:
            self._words = set().union(*(field.words() for field in self._fields))
        return self._words
