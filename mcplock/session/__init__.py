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
        Denied,
        Failed,
        Lost,
        Progress,
        Target,
    )
    from mcplock.session.orphans import (
        claim,
    )
    from mcplock.session.shared import (
        Heard,
        Shared,
    )

__all__ = [
    "Denied",
    "Failed",
    "Heard",
    "Lost",
    "Progress",
    "Shared",
    "Target",
    "claim",
    "connected",
    "snapshots",
]

__getattr__ = exports(
    __name__,
    {
        "fleet": ["snapshots"],
        "live": ["connected"],
        "model": ["Denied", "Failed", "Lost", "Progress", "Target"],
        "orphans": ["claim"],
        "shared": ["Heard", "Shared"],
    },
)
