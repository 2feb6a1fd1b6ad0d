"""How good a ranking is, against graded answers: 3 is what was meant, 2 helps, 1 is near it."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

Grades = Mapping[str, int]


class Quality(NamedTuple):
    """Means over all queries, and the rows they come from: nDCG, recall, MRR, query."""

    recall: float
    mrr: float
    ndcg: float
    rows: Sequence[tuple[float, float, float, str]]

    def __str__(self) -> str:
        means = f"recall@5 {self.recall:.3f}  MRR {self.mrr:.3f}  nDCG@10 {self.ndcg:.3f}"
        return "\n".join([means, *(f"  {row[0]:.2f}  {row[3]}" for row in sorted(self.rows)[:5])])


def quality(queries: Mapping[str, Grades], search: Callable[[str], list[str]]) -> Quality:
    """The quality of `search`, which gives names, the best first."""
    rows = []
    for query, grades in queries.items():
        found = search(query)
        rows.append((ndcg(found, grades), recall(found, grades), rank(found, grades), query))
    means = [sum(row[at] for row in rows) / len(rows) for at in range(3)]
    return Quality(means[1], means[2], means[0], rows)


def recall(found: list[str], grades: Grades, depth: int = 5) -> float:
    """Of the answers that fit well, how many are among the first `depth`."""
    good = {name for name, grade in grades.items() if grade >= 2}
    return len(good.intersection(found[:depth])) / min(len(good), depth)


def rank(found: list[str], grades: Grades) -> float:
    """The reciprocal of the place of the first answer that fits well."""
    ranks = (at for at, name in enumerate(found, start=1) if grades.get(name, 0) >= 2)
    return 1 / next(ranks, math.inf)


def ndcg(found: list[str], grades: Grades, depth: int = 10) -> float:
    """Normalised discounted cumulative gain."""

    def gain(values: list[int]) -> float:
        return sum((2**grade - 1) / math.log2(at + 2) for at, grade in enumerate(values[:depth]))

    return gain([grades.get(name, 0) for name in found]) / gain(sorted(grades.values())[::-1])
