"""What agents load: the approved tools of a lock, and why the others are not among them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mcplock.exporters import Tool
from mcplock.model import Entry, Kind, Lock, LockedServer, State


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A tool that no agent gets, and why."""

    server: str
    tool: str
    reason: str


@dataclass(frozen=True, slots=True)
class Catalog:
    """Tools in the order of the lock."""

    tools: Sequence[Tool]
    left_out: Sequence[LeftOut]


def catalog(lock: Lock, closed: Mapping[str, str]) -> Catalog:
    """The usable tools of `lock`; `closed`: servers none of whose tools are, and why."""
    tools: list[Tool] = []
    left_out: list[LeftOut] = []
    for server, name, entry in _tools(lock):
        reason = closed.get(server) or _reason(lock.servers[server], entry)
        if reason:
            left_out.append(LeftOut(server, name, reason))
        else:
            tools.append(Tool(server, name, entry.hash, entry.content))
    return Catalog(tools, left_out)


def _tools(lock: Lock) -> Iterator[tuple[str, str, Entry]]:
    for server, locked in lock.servers.items():
        for name, entry in locked.of(Kind.TOOL).items():
            yield server, name, entry


def _reason(locked: LockedServer, entry: Entry) -> str:
    """Why an agent may not have the tool; "" where it may."""
    if entry.state is not State.APPROVED:
        return f"{entry.state}: {entry.denied}" if entry.denied else entry.state.value
    if locked.usable(entry):
        return ""
    if locked.source.state is not State.APPROVED:
        return f"its server's source is {locked.source.state}"
    return "its server's package is changed"
