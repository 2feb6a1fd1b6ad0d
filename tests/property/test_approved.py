"""The quick way through a lock, against the strict one, on locks with anything in them."""

from hypothesis import given, settings

from mcplock.approved import of_lock, of_text
from mcplock.lockfile import format_lock, read_lock
from tests.property.locks import LOCKS


@settings(max_examples=150, deadline=None)
@given(LOCKS)
def test_the_quick_way_finds_what_the_strict_one_finds(lock):
    data = format_lock(lock).encode()
    strict = of_lock(read_lock(data, "mcp.lock")[0])
    quick = of_text(data)
    reserved = any(server.reserved for server in lock.servers.values())
    assert quick == (None if reserved else strict)
