"""Talk to servers: start or connect, shake hands, list, close."""

from mcplock.session.fleet import snapshots
from mcplock.session.live import connected
from mcplock.session.model import Failed, Progress, Target

__all__ = ["Failed", "Progress", "Target", "connected", "snapshots"]
