"""What an approved text does not tell: whether agents get the tool, and whether it changed."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from mcplock.approved import Omitted, of_lock
from mcplock.manifest import Manifest
from mcplock.marks import Mark, Marks
from mcplock.model import Kind, Lock, State
from mcplock.records import NamedTuple
from mcplock.workflow.levels import Seen, closed_servers

Identity = tuple[str, str]
"""The server and the name of a tool."""


class Doubts(NamedTuple):
    """What is to be said of tools beside the state of their text.

    left_out: those that agents do not get, and why; suspected: those that a call of this
    machine found changed, and which are called no more.
    """

    left_out: Mapping[Identity, str] = {}
    suspected: Collection[Identity] = ()


NO_DOUBTS = Doubts()


class Unusable(NamedTuple):
    """How many tools of a server agents do not get for one reason, which is told of a tool."""

    server: str
    tools: int
    reason: str


def doubts(seen: Seen, state_dir: Path) -> Doubts:
    """What is to be said of the tools that are seen."""
    marks = [
        mark
        for level in seen.levels
        if level.manifest
        for mark in suspicions(level.manifest, level.lock, state_dir)
        if seen.level(mark.server) is level
    ]
    return _doubts(seen.approved.omitted, marks)


def project_doubts(manifest: Manifest, lock: Lock, marks: Sequence[Mark]) -> Doubts:
    """The same of one project; marks: its `suspicions`."""
    return _doubts(of_lock(lock, closed_servers(manifest, lock)).omitted, marks)


def _doubts(omitted: Sequence[Omitted], marks: Sequence[Mark]) -> Doubts:
    return Doubts(
        {(left.server, left.tool): left.reason for left in omitted},
        {(mark.server, mark.tool) for mark in marks},
    )


def suspicions(manifest: Manifest, lock: Lock, state_dir: Path) -> list[Mark]:
    """What calls saw of tools that are approved as they were then."""
    return [
        mark
        for mark in Marks(state_dir, manifest.path).all()
        if (locked := lock.servers.get(mark.server))
        and (entry := locked.of(Kind.TOOL).get(mark.tool))
        and entry.hash == mark.approved
        and entry.state is State.APPROVED
    ]


def unusable(lock: Lock, found: Doubts, *, states: Collection[State]) -> list[Unusable]:
    """The tools in one of `states` that agents do not get, counted by server and reason."""
    counted = Counter(
        (server, reason)
        for (server, tool), reason in found.left_out.items()
        if (locked := lock.servers.get(server))
        and (entry := locked.of(Kind.TOOL).get(tool))
        and entry.state in states
    )
    return [Unusable(server, number, reason) for (server, reason), number in counted.items()]
