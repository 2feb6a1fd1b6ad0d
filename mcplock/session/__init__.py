"""Talk to servers: start or connect, shake hands, list, close."""

from mcplock.session.model import Progress, Target
from mcplock.session.snapshots import snapshots

__all__ = ["Progress", "Target", "snapshots"]
