"""Which file is the manifest."""

import os
from pathlib import Path

from mcplock.errors import MissingFile
from mcplock.files import project_root, shown

NAMES = ("mcp.toml", ".mcp.json")
"""In the order they are looked for in a directory; the first that is there counts."""


EXAMPLE = """\
  [servers.time]
  command = "uvx"
  args = ["mcp-server-time@2026.1.26"]"""
"""A whole manifest, for whoever writes the first one."""


def find(start: Path, explicit: Path | None = None) -> Path:
    """The manifest for work in `start`: `explicit`, else the nearest up to the project's root.

    What bears the name is taken, whatever it is: a broken manifest never gives way to
    another one. Raises MissingFile.
    """
    if explicit is not None:
        path = (start / explicit).absolute()
        if not os.path.lexists(path):
            raise MissingFile(f"{shown(path)}: no such file")
        return path
    start = start.absolute()
    root = project_root(start)
    for directory in (start, *start.parents):
        for name in NAMES:
            if os.path.lexists(directory / name):
                return directory / name
        if directory == root:
            break
    places = shown(start) if start == root else f"{shown(start)} and above, up to {shown(root)}"
    raise MissingFile(
        f"no manifest: neither `mcp.toml` nor `.mcp.json` in {places}",
        hint=f"pass `--manifest FILE`, or write an `mcp.toml` such as\n{EXAMPLE}",
    )
