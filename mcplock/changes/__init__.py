"""Two entries, two servers or two locks -> changes, classified."""

from mcplock.changes.compare import compare_entries, compare_locks, compare_server
from mcplock.changes.model import (
    DECISIONS,
    POLICY,
    RESEMBLES,
    Change,
    ChangeKind,
    FieldChange,
    Impact,
    Missing,
)
from mcplock.changes.suspicion import CIRCUMSTANCES

__all__ = [
    "CIRCUMSTANCES",
    "DECISIONS",
    "POLICY",
    "RESEMBLES",
    "Change",
    "ChangeKind",
    "FieldChange",
    "Impact",
    "Missing",
    "compare_entries",
    "compare_locks",
    "compare_server",
]
