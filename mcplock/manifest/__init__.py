"""Find and read the manifest: the committed file that names the servers."""

from mcplock.manifest.model import Launch, Manifest, Server, Unresolved

__all__ = ["Launch", "Manifest", "Server", "Unresolved"]
