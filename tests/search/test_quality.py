"""How well a search finds what a person means, over the tools of 70 real servers.

The listings are an input beside the checkout, not a part of it; where they are absent this
is skipped. `pytest -s tests/search` prints the figures and the worst queries.
"""

import json
from pathlib import Path

import pytest

from mcplock.approved import Tool
from mcplock.search import Index
from tests.search.figures import quality

LISTINGS = Path(__file__).parents[3] / "shared" / "data" / "livemcptool_tools.json"
QUERIES, OTHER_WORDS = (
    json.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))
    for name in ("queries.json", "queries_other_words.json")
)


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


def test_the_queries_are_forty():
    assert len(QUERIES) == 40


def test_search_finds_what_is_meant(index: Index, capsys: pytest.CaptureFixture[str]):
    found = quality(QUERIES, lambda query: [hit.tool.id for hit in index.search(query)])
    with capsys.disabled():
        print(f"\n{found}")
    assert found.recall >= 0.82
    assert found.mrr >= 0.9
    assert found.ndcg >= 0.85


def test_search_finds_what_is_said_in_other_words(index: Index, capsys: pytest.CaptureFixture[str]):
    found = quality(OTHER_WORDS, lambda query: [hit.tool.id for hit in index.search(query)])
    with capsys.disabled():
        print(f"\n{found}")
    assert found.recall >= 0.88
    assert found.mrr >= 0.8
    assert found.ndcg >= 0.82
