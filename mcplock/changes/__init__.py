"""Two entries, two servers or two locks -> changes, classified."""

from typing import TYPE_CHECKING

from mcplock.lazy import exports

if TYPE_CHECKING:
    from mcplock.changes.compare import (
        compare_entries,
        compare_locks,
        compare_server,
    )
    from mcplock.changes.model import (
        DECISIONS,
        POLICY,
        RESEMBLES,
        Change,
        ChangeKind,
        Exchange,
        FieldChange,
        Impact,
        Missing,
    )
    from mcplock.changes.surroundings import Facts, kinds_of, with_surroundings
    from mcplock.changes.suspicion import (
        CIRCUMSTANCES,
    )

__all__ = [
    "CIRCUMSTANCES",
    "DECISIONS",
    "POLICY",
    "RESEMBLES",
    "Change",
    "ChangeKind",
    "Exchange",
    "Facts",
    "FieldChange",
    "Impact",
    "Missing",
    "compare_entries",
    "compare_locks",
    "compare_server",
    "kinds_of",
    "with_surroundings",
]

__getattr__ = exports(
    __name__,
    {
        "compare": ["compare_entries", "compare_locks", "compare_server"],
        "model": [
            "DECISIONS",
            "POLICY",
            "RESEMBLES",
            "Change",
            "ChangeKind",
            "Exchange",
            "FieldChange",
            "Impact",
            "Missing",
        ],
        "surroundings": ["Facts", "kinds_of", "with_surroundings"],
        "suspicion": ["CIRCUMSTANCES"],
    },
)
