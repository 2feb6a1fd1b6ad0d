"""Lints: content -> findings. A finding never changes a state; `high` stops a reviewer."""

from typing import TYPE_CHECKING

from mcplock.lazy import exports

if TYPE_CHECKING:
    from mcplock.audit.entries import (
        audit_entry,
        audit_lock,
        skeletons_of,
    )
    from mcplock.audit.findings import (
        Finding,
        Severity,
    )
    from mcplock.audit.lookalikes import (
        skeleton,
    )
    from mcplock.audit.names import (
        Skeletons,
        skeletons,
    )

__all__ = [
    "Finding",
    "Severity",
    "Skeletons",
    "audit_entry",
    "audit_lock",
    "skeleton",
    "skeletons",
    "skeletons_of",
]

__getattr__ = exports(
    __name__,
    {
        "entries": ["audit_entry", "audit_lock", "skeletons_of"],
        "findings": ["Finding", "Severity"],
        "lookalikes": ["skeleton"],
        "names": ["Skeletons", "skeletons"],
    },
)
