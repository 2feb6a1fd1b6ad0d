"""`status`: where each server stands, without asking any."""

from collections import Counter
from collections.abc import Mapping, Sequence

from mcplock.errors import MissingFile
from mcplock.lockfile import LockFile
from mcplock.marks import Mark
from mcplock.model import Lock, LockedServer, State
from mcplock.records import NamedTuple
from mcplock.workflow.doubts import Doubts, project_doubts, suspicions
from mcplock.workflow.local import Leniency, judge_offline
from mcplock.workflow.project import Project
from mcplock.workflow.report import Report
from mcplock.workflow.servers import chosen, strangers, trustable


class Standing(NamedTuple):
    """Where the project stands.

    report: the gate's, without upstream; states: by server, how many entries are in which
    state; untrusted: how many sources of the lock this machine may not start; suspicions:
    approved tools that calls of this machine found changed; doubts: what is to be said of
    tools beside their state.
    """

    lock: Lock
    report: Report
    states: Mapping[str, Counter[State]]
    untrusted: int
    suspicions: Sequence[Mark] = ()
    doubts: Doubts = Doubts()


def standing(project: Project) -> Standing:
    """Where the project stands, from manifest and lock alone; no lock is an empty one."""
    try:
        file = project.lock()
    except MissingFile:
        file = LockFile(project.lock_path, Lock(), b"", canonical=True)
    lock = file.lock
    ours = trustable(lock, chosen(project, ()))
    marks = suspicions(project.manifest, lock, project.machine.state_dir)
    return Standing(
        lock=lock,
        report=judge_offline(project, file, Leniency()),
        states={name: _states(locked) for name, locked in lock.servers.items()},
        untrusted=len(strangers(project, ours)),
        suspicions=marks,
        doubts=project_doubts(project.manifest, lock, marks),
    )


def _states(locked: LockedServer) -> Counter[State]:
    return Counter(entry.state for _, _, entry in locked.entries())
