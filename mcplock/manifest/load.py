"""Read a manifest completely: the file, what it includes, every fault at once."""

from collections.abc import Callable
from pathlib import Path

from mcplock.errors import FaultyFile
from mcplock.files import read_bytes, shown
from mcplock.manifest import own, toml
from mcplock.manifest.model import Manifest

Read = Callable[[Path], bytes]
"""The content of a file; raises McplockError where there is none."""


def load(path: Path, *, read: Read = read_bytes) -> Manifest:
    """The manifest at `path`, read completely.

    `read` gives the content of it and of its includes: from disk, or from a git revision.
    Raises FaultyFile with every fault of every file.
    """
    path = path.absolute()
    document = toml.read(read(path).decode(), shown(path))
    if document.value is None:
        raise FaultyFile(document.faults)
    settings = own.settings(document)
    servers = own.servers(document)
    if document.faults:
        raise FaultyFile(sorted(document.faults, key=lambda fault: fault.line))
    return Manifest(path, servers, settings.confirm, settings.client_name, document.warnings)
