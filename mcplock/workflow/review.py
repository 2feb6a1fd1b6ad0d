"""What waits for a person, and what is to be said of an entry before a decision."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mcplock.model import Entry, Invalid, Lock
from mcplock.records import NamedTuple

if TYPE_CHECKING:  # where nothing waits, no lint is loaded
    from mcplock.audit import Finding
    from mcplock.changes import Change
    from mcplock.naming import Named

_BECAUSE = {
    Invalid.DUPLICATE_KEY: "a key stands in it twice",
    Invalid.NUMBER: "it holds a number that is none, or that no double can hold",
    Invalid.SURROGATE: "it holds half of a character",
    Invalid.DEPTH: "it nests too deeply, or holds too many values",
    Invalid.DUPLICATE_NAME: "the server lists different definitions of this name",
    Invalid.SCHEMA: "its schema is not one of an object",
    Invalid.SECRET: "it holds the value of a secret variable",
}


def invalid_because(entry: Entry) -> str:
    """Why an invalid entry is one, in words."""
    return _BECAUSE[entry.invalid] if entry.invalid else ""


class Waiting(NamedTuple):
    """An entry that a person has still to decide on, and what the lints say of it.

    change: what differs from the text that was approved, where that was looked for.
    """

    named: "Named"
    findings: "Sequence[Finding]" = ()
    change: "Change | None" = None

    @property
    def high(self) -> bool:
        """Whether a finding is one that stops a reviewer."""
        from mcplock.audit import Severity

        return any(finding.severity is Severity.HIGH for finding in self.findings)


def waiting_entries(lock: Lock, servers: Sequence[str] | None = None) -> list[Waiting]:
    """What waits in `lock`, or in these servers of it: first what has a `high` finding."""
    if servers is not None and not servers:
        return []
    from mcplock.naming import entries_of

    found = [
        named
        for named in entries_of(lock)
        if named.entry.waits and (servers is None or named.server in servers)
    ]
    if not found:
        return []
    from mcplock.audit import audit_lock

    findings = audit_lock(lock, {named.key for named in found})
    rows = [Waiting(named, findings.get(named.key, ())) for named in found]
    return sorted(rows, key=lambda row: not row.high)
