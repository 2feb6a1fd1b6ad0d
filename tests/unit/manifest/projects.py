"""A project on disk whose manifest is read."""

from pathlib import Path

import pytest

from mcplock.errors import FaultyFile
from mcplock.manifest import Manifest, load


class Project:
    """Files of one project, which is the working directory: messages name them as they are."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / ".git").mkdir()

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def load(self, content: str | bytes, name: str = "mcp.toml") -> Manifest:
        """The manifest `name` with this content."""
        return load(self.write(name, content))

    def faults(self, content: str | bytes, name: str = "mcp.toml") -> list[str]:
        """What is told of a manifest that cannot be taken."""
        with pytest.raises(FaultyFile) as caught:
            self.load(content, name)
        return [str(fault) for fault in caught.value.faults]
