"""mcplock, the lockfile for the tools that AI agents use."""

__version__ = "0.1.0"
