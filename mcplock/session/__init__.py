"""Talk to servers: start or connect, shake hands, list, close."""

from mcplock.session.fleet import snapshots
from mcplock.session.model import Progress, Target

__all__ = ["Progress", "Target", "snapshots"]
