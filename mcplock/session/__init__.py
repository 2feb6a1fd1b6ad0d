"""Talk to servers: start or connect, shake hands, list, close."""

from typing import TYPE_CHECKING

from mcplock.lazy import exports

if TYPE_CHECKING:
    from mcplock.session.fleet import (
        snapshots,
    )
    from mcplock.session.live import (
        connected,
    )
    from mcplock.session.model import (
        Failed,
        Progress,
        Target,
    )

__all__ = [
    "Failed",
    "Progress",
    "Target",
    "connected",
    "snapshots",
]

__getattr__ = exports(
    __name__,
    {
        "fleet": ["snapshots"],
        "live": ["connected"],
        "model": ["Failed", "Progress", "Target"],
    },
)
