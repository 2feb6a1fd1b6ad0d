"""What a policy preselects, and that nothing else decides."""

from typing import Any

import pytest

from mcplock.manifest import Manifest, Server
from mcplock.model import Kind, Place, Source, Transport
from mcplock.naming import Named
from mcplock.workflow.confirming import only_reads, preselected, preselection
from tests.locks import entry, tool


def named(annotations: Any = None) -> Named:
    more = {} if annotations is None else {"annotations": annotations}
    return Named("docs", Kind.TOOL, "search", tool("search", more=more))


READS = named({"readOnlyHint": True})


@pytest.mark.parametrize(
    ("annotations", "reads"),
    [
        (None, False),
        ({}, False),
        ({"readOnlyHint": True}, True),
        ({"readOnlyHint": True, "destructiveHint": False, "openWorldHint": True}, True),
        ({"readOnlyHint": True, "destructiveHint": True}, False),
        ({"readOnlyHint": True, "destructiveHint": "no"}, False),
        ({"readOnlyHint": "true"}, False),
        ({"readOnlyHint": 1}, False),
        ({"readOnlyHint": False}, False),
        ([], False),
        ("readOnlyHint", False),
    ],
)
def test_a_hint_counts_only_where_it_is_plain(annotations: Any, reads: bool) -> None:
    assert only_reads(named(annotations).entry.content) is reads
    assert only_reads(None) is False


@pytest.mark.parametrize(
    ("policy", "trusted", "entry_", "found"),
    [
        ("all", True, READS, None),
        ("writes", True, READS, "never"),
        ("writes", False, READS, None),
        ("writes", True, named(), None),
        ("none", False, named(), "never"),
        ("none", True, Named("docs", Kind.SOURCE, "", entry({"type": "stdio"})), None),
        ("another", True, READS, None),
    ],
)
def test_a_policy_preselects(policy: str, trusted: bool, entry_: Named, found: str | None) -> None:
    assert preselected(policy, entry_, is_trusted=trusted) == found


@pytest.mark.parametrize("trusted", [True, False])
def test_only_a_person_makes_hints_count(tmp_path: Any, trusted: bool) -> None:
    source = Source(Transport.STDIO, command="serve")
    docs = Server("docs", source, Place("mcp.toml"), trust_annotations=trusted)
    preselect = preselection(Manifest(tmp_path / "mcp.toml", {"docs": docs}, confirm="writes"))
    assert preselect(READS) == ("never" if trusted else None)
    assert preselect(READS._replace(server="other")) is None
    assert preselection(None)(READS) is None
