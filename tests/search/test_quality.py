"""How well a search finds what a person means, over the tools of 70 real servers.

The listings are an input beside the checkout, not a part of it; where they are absent this
is skipped. `pytest -s tests/search` prints the figures and the worst queries.
"""

import json
import math
from pathlib import Path

import pytest

from mcplock.approved import Tool
from mcplock.search import Index

LISTINGS = Path(__file__).parents[3] / "shared" / "data" / "livemcptool_tools.json"
QUERIES = json.loads((Path(__file__).parent / "queries.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def index() -> Index:
    if not LISTINGS.is_file():
        pytest.skip(f"SEARCH QUALITY WAS NOT MEASURED: there are no listings at {LISTINGS}")
    rows = json.loads(LISTINGS.read_text(encoding="utf-8"))["tools"]
    return Index(
        [
            Tool(
                row["server"],
                row["tool"],
                "",
                True,
                {
                    "name": row["tool"],
                    "description": row["description"],
                    "inputSchema": row.get("inputSchema") or {"type": "object"},
                },
            )
            for row in rows
        ]
    )


def recall(found: list[str], grades: dict[str, int], depth: int = 5) -> float:
    """Of the answers that fit well, how many are among the first `depth`."""
    good = {name for name, grade in grades.items() if grade >= 2}
    return len(good.intersection(found[:depth])) / min(len(good), depth)


def reciprocal_rank(found: list[str], grades: dict[str, int]) -> float:
    ranks = (at for at, name in enumerate(found, start=1) if grades.get(name, 0) >= 2)
    return 1 / next(ranks, math.inf)


def ndcg(found: list[str], grades: dict[str, int], depth: int = 10) -> float:
    """Normalised discounted cumulative gain."""

    def gain(values: list[int]) -> float:
        return sum((2**grade - 1) / math.log2(at + 2) for at, grade in enumerate(values[:depth]))

    return gain([grades.get(name, 0) for name in found]) / gain(sorted(grades.values())[::-1])


def test_the_queries_are_forty():
    assert len(QUERIES) == 40


def test_search_finds_what_is_meant(index: Index, capsys: pytest.CaptureFixture[str]):
    rows = []
    for query, grades in QUERIES.items():
        found = [hit.tool.id for hit in index.search(query)]
        rows.append(
            (ndcg(found, grades), recall(found, grades), reciprocal_rank(found, grades), query)
        )
    mean = [sum(row[at] for row in rows) / len(rows) for at in range(3)]
    with capsys.disabled():
        print(f"\nrecall@5 {mean[1]:.3f}  MRR {mean[2]:.3f}  nDCG@10 {mean[0]:.3f}")
        for row in sorted(rows)[:5]:
            print(f"  {row[0]:.2f}  {row[3]}")
    assert mean[1] >= 0.8
    assert mean[2] >= 0.85
    assert mean[0] >= 0.8
