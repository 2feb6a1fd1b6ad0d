"""`list` and `show`: entries of the lock with what is to be said of them."""

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mcplock.audit import Finding, audit_lock
from mcplock.changes import Change
from mcplock.model import Kind, Lock, LockedServer, State
from mcplock.naming import Named, Selection, entries_of, select
from mcplock.workflow.doubts import NO_DOUBTS, Doubts
from mcplock.workflow.pending import pending_changes
from mcplock.workflow.project import Machine


@dataclass(frozen=True, slots=True)
class View:
    """One entry to look at.

    since: how it differs from the other text that was approved, if one was; yours: whether it comes
    from the user's own level, seen from a project; barred: why agents do not get an approved
    tool; suspected: whether a call found it changed.
    """

    named: Named
    server: LockedServer
    findings: Sequence[Finding] = ()
    since: Change | None = None
    yours: bool = False
    barred: str = ""
    suspected: bool = False


def chosen_entries(lock: Lock, words: Sequence[str]) -> Selection:
    """The entries that `words` name; all of them without any."""
    return select(lock, words) if words else Selection(list(entries_of(lock)), several=True)


def views(
    lock: Lock,
    entries: Sequence[Named],
    users: Container[str] = (),
    known: Doubts = NO_DOUBTS,
) -> list[View]:
    """What is to be said of `entries`; users: servers of the user's level; known: of tools."""
    findings = audit_lock(lock, {named.key for named in entries})
    return [
        View(
            named,
            lock.servers[named.server],
            findings.get(named.key, ()),
            yours=named.server in users,
            barred=_barred(named, known),
            suspected=named.kind is Kind.TOOL and (named.server, named.name) in known.suspected,
        )
        for named in entries
    ]


def _barred(named: Named, known: Doubts) -> str:
    if named.kind is not Kind.TOOL or named.entry.state is not State.APPROVED:
        return ""
    return known.left_out.get((named.server, named.name), "")


def whole_views(
    lock: Lock,
    entries: Sequence[Named],
    path: Path,
    machine: Machine,
    users: Container[str] = (),
) -> list[View]:
    """The same, and of what waits also what comparison finds: how it differs, what it is like."""
    pending = {
        (change.server, change.what, change.name): change
        for change in pending_changes(lock, entries, path, machine)
    }
    return [_compared(view, pending.get(view.named.key)) for view in views(lock, entries, users)]


def _compared(view: View, change: Change | None) -> View:
    if change is None:
        return view
    since = change if view.named.entry.approved else None
    return replace(view, findings=change.findings, since=since)
