"""What follows from what is written of an entry."""

import pytest

from mcplock.model import Entry, Invalid, State

OLD, NEW = "sha256:0", "sha256:1"
BAD = {"invalid": Invalid.NUMBER}


@pytest.mark.parametrize(
    ("head", "state", "waits"),
    [
        ({}, State.NEW, True),
        ({"approved": OLD}, State.CHANGED, True),
        ({"approved": NEW}, State.APPROVED, False),
        ({"denied": "no"}, State.DENIED, False),
        ({"denied": "no", "approved": OLD}, State.DENIED, False),
        (BAD, State.INVALID, False),
        (BAD | {"approved": OLD}, State.INVALID, True),
        (BAD | {"approved": NEW}, State.INVALID, False),
        (BAD | {"approved": OLD, "denied": "no"}, State.DENIED, False),
    ],
)
def test_what_waits_follows_from_the_head(head: dict, state: State, waits: bool) -> None:
    entry = Entry(NEW, **head)
    assert (entry.state, entry.waits) == (state, waits)
