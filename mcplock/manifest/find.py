"""Which file is the manifest."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from mcplock.errors import MissingFile
from mcplock.files import project_root, shown

PYPROJECT = "pyproject.toml"
TABLE = ("tool", "mcplock")
"""The table of `pyproject.toml` that is a manifest."""
OWN_NAMES = ("mcp.toml", "mcp.yaml", "mcp.yml", PYPROJECT)
CLIENTS = ".mcp.json"
"""A client's file that is a manifest where there is none of ours."""
NAMES = (*OWN_NAMES, CLIENTS)
"""In the order they are looked for in a directory; the first that is there counts."""
_HEADER = re.compile(rb"^\s*\[+\s*tool\s*\.\s*[\"']?mcplock\b", re.MULTILINE)

ADVICE = "`mcplock init` writes an `mcp.toml`; or name the file with `--manifest FILE`"
"""What to do where there is no manifest."""
USERS_ADVICE = "`mcplock init --user` writes an `mcp.toml` there"


def manifest_in(directory: Path) -> Path | None:
    """The manifest that lies in `directory`; of `pyproject.toml` one with our table."""
    for name in NAMES:
        path = directory / name
        if os.path.lexists(path) and (name != PYPROJECT or has_table(path)):
            return path
    return None


def others_in(directory: Path, path: Path) -> Iterator[Path]:
    """What would be a manifest in `directory` too if `path` were not there."""
    for name in NAMES:
        other = directory / name
        if other == path or not os.path.lexists(other):
            continue
        if name != PYPROJECT or (_has_header(other) and has_table(other)):
            yield other


def _has_header(path: Path) -> bool:
    """Whether our table seems to be there; to read all of a `pyproject.toml` takes long."""
    try:
        return _HEADER.search(path.read_bytes()) is not None
    except OSError:
        return False


def has_table(path: Path) -> bool:
    """Whether a `pyproject.toml` has our table; of a broken one its header tells."""
    try:
        content = path.read_bytes()
        if TABLE[-1].encode() not in content:
            return False
        import tomllib

        value = tomllib.loads(content.decode("utf-8-sig"))
    except OSError:
        return False
    except (ValueError, RecursionError):
        return _HEADER.search(content) is not None
    return isinstance(tool := value.get(TABLE[0]), dict) and TABLE[1] in tool


_told = "`mcp.toml`, `mcp.yaml`, `pyproject.toml` with `[tool.mcplock]`, `.mcp.json`"


def find(start: Path, explicit: Path | None = None, only: bool = False) -> Path:
    """The manifest for work in `start`: `explicit`, else the nearest up to the project's root.

    With `only` it is looked for in `start` itself, as that of a user is.
    What bears the name is taken, whatever it is: a broken manifest never gives way to
    another one. Raises MissingFile.
    """
    if explicit is not None:
        path = (start / explicit).absolute()
        if not os.path.lexists(path):
            raise MissingFile(f"{shown(path)}: no such file")
        return path
    start = start.absolute()
    root = start if only else project_root(start)
    for directory in (start, *start.parents):
        if found := manifest_in(directory):
            return found
        if directory == root:
            break
    places = shown(start) if start == root else f"{shown(start)} and above, up to {shown(root)}"
    raise MissingFile(
        f"no manifest: none of {_told} in {places}",
        hint=USERS_ADVICE if only else ADVICE,
    )
