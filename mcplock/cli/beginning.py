"""Where `init` and the first `add` write a manifest."""

from pathlib import Path

from mcplock.cli.settings import Settings
from mcplock.errors import McplockError, UsageError
from mcplock.files import make_private, shown
from mcplock.text import visible


def new_manifest(settings: Settings) -> Path:
    """The file that a new manifest would be; the directory that it lies in is there."""
    where = settings.where
    path = where.start / (where.explicit or "mcp.toml")
    if path.suffix != ".toml":
        raise UsageError(f"{visible(shown(path))} would be no TOML; name a file `….toml`")
    if settings.user:
        try:
            make_private(path.parent)
        except OSError as error:
            message = f"{visible(shown(path.parent))}: cannot be written: {error.strerror}"
            raise McplockError(message) from None
    return path
