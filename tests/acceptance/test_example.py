"""`mcp.lock.example` is what the program writes, and shows every kind of entry there is."""

from pathlib import Path

from mcplock.lockfile import load
from mcplock.model import Kind, State, Transport
from mcplock.naming import entries_of
from tests.documents.example import example_lock

EXAMPLE = Path(__file__).parents[2] / "mcp.lock.example"


def test_it_is_what_the_program_writes() -> None:
    assert example_lock().decode() == EXAMPLE.read_text(encoding="utf-8"), "run `make example`"


def test_it_shows_every_kind_of_entry() -> None:
    file = load(EXAMPLE)
    entries = [named.entry for named in entries_of(file.lock)]
    kinds = {kind for server in file.lock.servers.values() for kind, _, _ in server.entries()}
    types = {server.source.content["type"] for server in file.lock.servers.values()}
    assert file.canonical
    assert {entry.state for entry in entries} == set(State)
    assert kinds >= {Kind.SOURCE, Kind.INSTRUCTIONS, Kind.TOOL, Kind.PROMPT, Kind.TEMPLATE}
    assert types == {Transport.STDIO.value, Transport.HTTP.value}
    for told in ("note", "confirm", "denied", "invalid", "absent"):
        assert any(getattr(entry, told) for entry in entries), told
