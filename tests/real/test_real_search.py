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
QUERIES = json.loads((Path(__file__).parent / "queries.json").read_text(encoding="utf-8"))


def test_search_finds_what_is_meant_among_real_tools(
    real: Callable[..., RealWorkspace], capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = real(*SERVERS)
    workspace.ok("install", "--yes", "--baseline")
    catalog = mcplock.load(workspace.root / "mcp.lock")
    names = {tool.id for tool in catalog.tools}
    assert len(QUERIES) == 40
    assert {name for grades in QUERIES.values() for name in grades} <= names

    found = quality(QUERIES, lambda query: [hit.tool.id for hit in catalog.search(query)])

    with capsys.disabled():
        print(f"\n{found}")
    assert found.recall >= 0.85
    assert found.mrr >= 0.78
    assert found.ndcg >= 0.8
