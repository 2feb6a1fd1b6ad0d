"""`search`: the tools that fit a question, from the lock alone."""

from pathlib import Path

from mcplock.approved import of_lock
from mcplock.lockfile import load
from mcplock.manifest import Manifest
from mcplock.search import Hit, Index
from mcplock.workflow.export import closed_servers


def search(lock_path: Path, manifest: Manifest | None, query: str, limit: int) -> list[Hit]:
    """The tools that an agent may have and that fit `query`, best first."""
    lock = load(lock_path).lock
    found = of_lock(lock, closed_servers(manifest, lock))
    return Index(found.tools).search(query, limit)
