"""mcp.lock <-> `Lock`: a strict reader, a canonical writer, edits that lose nothing."""

from mcplock.lockfile.damage import FaultyLock
from mcplock.lockfile.reader import read_lock
from mcplock.lockfile.store import LockFile, edit, load, read_file
from mcplock.lockfile.writer import format_lock

__all__ = ["FaultyLock", "LockFile", "edit", "format_lock", "load", "read_file", "read_lock"]
