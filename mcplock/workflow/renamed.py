"""Servers that got another name in the manifest: what was denied of them stays denied.

An approval names a name and is not carried over; a denial is, as the less trusting state.
"""

from collections.abc import Iterator, Mapping

from mcplock.manifest import Server
from mcplock.model import Entry, Kind, Lock, LockedServer
from mcplock.workflow.project import source_entry


def inherited(lock: Lock, servers: Mapping[str, Server]) -> dict[str, LockedServer]:
    """By name, each server of the manifest that is new, with what it inherits.

    It inherits where the lock has servers that the manifest lacks and that are reached in the
    same way: of those, the entries that are denied, and nothing else.
    """
    gone = [locked for name, locked in lock.servers.items() if name not in servers]
    found: dict[str, LockedServer] = {}
    for name, server in servers.items() if gone else ():
        if name in lock.servers:
            continue
        source = source_entry(server.source)
        denied = dict(_denied(locked for locked in gone if locked.source.hash == source.hash))
        if denied:
            found[name] = LockedServer(source).having(denied)
    return found


def _denied(servers: Iterator[LockedServer]) -> Iterator[tuple[tuple[Kind, str], Entry]]:
    for locked in servers:
        for kind, name, entry in locked.entries():
            if entry.denied is not None:
                yield (kind, name), entry._replace(approved=None, confirm=None, note=None)
