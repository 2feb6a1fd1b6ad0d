"""`status`: where each server stands, without asking any."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcplock.model import WAITING, LockedServer, State
from mcplock.naming import Named, entries_of
from mcplock.workflow.check import Leniency, check
from mcplock.workflow.project import Project
from mcplock.workflow.report import Report


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the project stands.

    report: the gate's, without upstream; states: by server, how many entries are in which
    state; waiting: what a person has still to review.
    """

    report: Report
    states: Mapping[str, Counter[State]]
    waiting: Sequence[Named]
    untrusted: int


def standing(project: Project) -> Standing:
    """Where the project stands, from manifest and lock alone."""
    from mcplock.workflow.trust import to_trust

    lock = project.lock().lock
    return Standing(
        report=check(project, None, Leniency()),
        states={name: _states(locked) for name, locked in lock.servers.items()},
        waiting=[named for named in entries_of(lock) if named.entry.state in WAITING],
        untrusted=len(to_trust(project, ())),
    )


def _states(locked: LockedServer) -> Counter[State]:
    return Counter(entry.state for _, _, entry in locked.entries())
