import pytest

from mcplock.session.channel import Failure
from mcplock.session.events import Event, Events

STREAM = (
    b"\xef\xbb\xbf: comment\nretry: 5\n\n"
    b"data: one\n\n"
    b"event: endpoint\r\ndata:/x\r\n\r\n"
    b"id: 7\rdata: two\rdata:  lines\r\r"
    b"data\n\n"
    b"event: lonely\n\n"
    b"data: \xe2\x9c\x93\n\n"
    b"data: unfinished\n"
)
EXPECTED: list[Event] = [
    ("message", "one"),
    ("endpoint", "/x"),
    ("message", "two\n lines"),
    ("message", ""),
    ("message", "✓"),
]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 1_000])
def test_events_are_the_same_however_the_stream_is_cut(size: int) -> None:
    events = Events()
    pieces = [STREAM[:3]] + [STREAM[at : at + size] for at in range(3, len(STREAM), size)]
    assert [event for piece in pieces for event in events.feed(piece)] == EXPECTED


def test_a_long_event_is_a_failure_and_many_short_ones_are_none() -> None:
    events = Events()
    short = b"data: x\n\n" * 1_000
    for _ in range(3):
        assert len(list(events.feed(short))) == 1_000
    with pytest.raises(Failure, match="64 MiB"):
        for _ in range(70):
            list(events.feed(b"x" * (1 << 20)))
