"""mcp.lock <-> `Lock`: a strict reader, a canonical writer, edits that lose nothing."""

from mcplock.lockfile.reader import read_lock
from mcplock.lockfile.store import LockFile, edit, load
from mcplock.lockfile.writer import format_lock

__all__ = ["LockFile", "edit", "format_lock", "load", "read_lock"]
