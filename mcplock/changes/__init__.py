"""Two entries, two servers or two locks -> changes, classified."""

from mcplock.changes.compare import compare_entries, compare_locks, compare_server
from mcplock.changes.model import (
    DECISIONS,
    POLICY,
    Change,
    ChangeKind,
    FieldChange,
    Impact,
    Missing,
)

__all__ = [
    "DECISIONS",
    "POLICY",
    "Change",
    "ChangeKind",
    "FieldChange",
    "Impact",
    "Missing",
    "compare_entries",
    "compare_locks",
    "compare_server",
]
