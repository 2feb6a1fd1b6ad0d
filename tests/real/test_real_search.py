"""How well a search finds what is meant, over the tools of the servers that others wrote.

`pytest -s tests/real/test_real_search.py` prints the figures and the worst queries.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import mcplock
from tests.search.figures import quality

from .conftest import RealWorkspace
from .servers import SERVERS

pytestmark = pytest.mark.real
QUERIES, OTHER_WORDS = (
    json.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))
    for name in ("queries.json", "queries_other_words.json")
)


def test_search_finds_what_is_meant_among_real_tools(
    real: Callable[..., RealWorkspace], capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = real(*SERVERS)
    workspace.ok("install", "--yes", "--baseline")
    catalog = mcplock.load(workspace.root / "mcp.lock")
    names = {tool.id for tool in catalog.tools}
    assert len(QUERIES) == 40
    graded = [*QUERIES.values(), *OTHER_WORDS.values()]
    assert {name for grades in graded for name in grades} <= names

    found, other = (
        quality(queries, lambda query: [hit.tool.id for hit in catalog.search(query)])
        for queries in (QUERIES, OTHER_WORDS)
    )

    with capsys.disabled():
        print(f"\n{found}\nin other words: {other}")
    assert found.recall >= 0.95
    assert found.mrr >= 0.9
    assert found.ndcg >= 0.92
    assert other.recall >= 0.88
    assert other.mrr >= 0.77
    assert other.ndcg >= 0.8
