"""Changes that bring again what was denied."""

from collections.abc import Iterable
from dataclasses import replace

from mcplock.audit.denied import RULE, Denied
from mcplock.changes.model import DECISIONS, Change
from mcplock.model import Kind, Lock


def with_denied(changes: Iterable[Change], lock: Lock) -> list[Change]:
    """`changes`, each that waits and is like what `lock` holds as denied with that finding."""
    denied = Denied(lock)
    return [_told(change, denied) for change in changes] if denied else list(changes)


def _told(change: Change, denied: Denied) -> Change:
    if change.new is None or not isinstance(change.what, Kind) or change.kind in DECISIONS:
        return change
    if any(finding.rule == RULE for finding in change.findings):
        return change
    found = denied.before(change.server, change.what, change.name, change.new)
    return replace(change, findings=(*found, *change.findings)) if found else change
