"""Find and read the manifest: the committed file that names the servers."""

from mcplock.manifest.find import find
from mcplock.manifest.load import load
from mcplock.manifest.model import Launch, Manifest, Server, Unresolved
from mcplock.manifest.resolve import resolve, variables

__all__ = [
    "Launch",
    "Manifest",
    "Server",
    "Unresolved",
    "find",
    "load",
    "resolve",
    "variables",
]
