"""A project on disk whose manifest is read."""

from pathlib import Path

import pytest

from mcplock.errors import FaultyFile
from mcplock.manifest import Manifest, load


class Project:
    """Files of one project; paths in messages are relative to it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / ".git").mkdir()

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def load(self, content: str | bytes, name: str = "mcp.toml") -> Manifest:
        return load(self.write(name, content))

    def faults(self, content: str | bytes, name: str = "mcp.toml") -> list[str]:
        with pytest.raises(FaultyFile) as caught:
            self.load(content, name)
        return [str(fault) for fault in caught.value.faults]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    return Project(root)
