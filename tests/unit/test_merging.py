"""What is said of a decision that a merge undoes."""

import pytest

from mcplock.merging import merge_locks
from mcplock.model import Entry
from tests.locks import lock, server, tool

BASE = tool("t", "Old.", approve=True)
OURS = tool("t", "Ours.", approve=True)


@pytest.mark.parametrize(
    ("theirs", "why"),
    [
        (tool("t", "Theirs.", approve=True), "theirs approved another text; our text stayed, and"),
        (tool("t", "Theirs.", approved=BASE.hash), "theirs has another text, which"),
        (OURS._replace(approved=BASE.hash), "theirs has that text unapproved; it"),
    ],
)
def test_it_is_said_why_an_approval_does_not_hold(theirs: Entry, why: str) -> None:
    sides = [lock(docs=server(side)) for side in (OURS, theirs)]
    remark = merge_locks(None, *sides).lost[0]
    told = f"ours approved {OURS.hash[:19]}, which is undone: {why} waits for review"
    assert tuple(remark) == ("docs/t", told)


def test_a_denial_outweighs_an_approval_and_is_named() -> None:
    sides = [lock(docs=server(side)) for side in (OURS, BASE._replace(denied="no"))]
    (remark,) = merge_locks(lock(docs=server(BASE)), *sides).lost
    assert remark.what == f"ours approved {OURS.hash[:19]}, which is undone: theirs denied it"
