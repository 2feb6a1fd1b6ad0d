"""Talk to servers: start or connect, shake hands, list, close."""

from mcplock.session.model import Progress, Target

__all__ = ["Progress", "Target"]
