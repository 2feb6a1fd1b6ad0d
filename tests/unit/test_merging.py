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


def noted(note: str | None) -> Entry:
    return OURS._replace(note=note)


@pytest.mark.parametrize(
    ("before", "ours", "theirs", "note"),
    [
        (None, "Looked.", None, "Looked."),
        (None, None, "Looked.", "Looked."),
        (None, "Looked.", "Asked.", "Looked.; Asked."),
        (None, "Looked.", "Looked.; Asked.", "Looked.; Asked."),
        ("Old.", "Old.", "New.", "New."),
        ("Old.", None, "Old.", "Old."),
    ],
)
def test_a_note_stays_with_the_approval_that_either_side_gave_it_to(
    before: str | None, ours: str | None, theirs: str | None, note: str | None
) -> None:
    # Both sides differ from the base in something else too, so that neither is simply taken.
    base = noted(before)._replace(denied="no") if before else BASE
    sides = [noted(ours), noted(theirs)._replace(confirm="never")]
    merged = merge_locks(lock(docs=server(base)), *[lock(docs=server(side)) for side in sides])
    (*_, entry) = merged.lock.servers["docs"].entries()
    assert entry[2].note == note
