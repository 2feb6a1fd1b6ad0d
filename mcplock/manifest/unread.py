"""Clients' files in a project whose servers its manifest does not have."""

from collections.abc import Iterable, Iterator, Sequence
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING

from mcplock.manifest.find import CLIENTS, OWN_NAMES
from mcplock.records import NamedTuple

if TYPE_CHECKING:  # most projects have no such file
    from mcplock.manifest.model import Manifest

IN_PROJECTS = (
    CLIENTS,
    ".cursor/mcp.json",
    ".vscode/mcp.json",
    ".github/mcp.json",
    ".gemini/settings.json",
    ".codex/config.toml",
    ".zed/settings.json",
    "opencode.json",
    "opencode.jsonc",
    ".roo/mcp.json",
    ".junie/mcp/mcp.json",
    ".air/mcp.json",
    ".amazonq/mcp.json",
    ".kiro/settings/mcp.json",
    ".devin/mcp_config.json",
    ".warp/.mcp.json",
    ".continue/mcpServers/*.yaml",
    ".continue/mcpServers/*.json",
    ".crush.json",
    "crush.json",
)
"""Where clients keep the servers of a project; `.pre-commit-hooks.yaml` names the same files."""


class Unread(NamedTuple):
    """A client's file that the manifest does not include, and that says what it does not.

    missing: servers that the manifest does not have; differing: those that it has otherwise;
    faulty: whether the file cannot be taken, so that nobody knows.
    """

    file: Path
    missing: Sequence[str] = ()
    differing: Sequence[str] = ()
    faulty: bool = False


def unread(manifest: "Manifest", files: Iterable[Path] | None = None) -> list[Unread]:
    """The clients' files of the project, or `files`, that name what the manifest does not have.

    `.mcp.json` beside a manifest of ours is left to the manifest's own warnings.
    """
    found = [
        _compared(manifest, file)
        for file in (_present(str(manifest.directory)) if files is None else files)
        if not (file.name == CLIENTS and manifest.path.name in OWN_NAMES)
        and file.resolve() not in manifest.files
    ]
    return [one for one in found if one.missing or one.differing or one.faulty]


def _present(directory: str) -> Iterator[Path]:
    """The files that are there; every prompt may ask, so that only those become paths."""
    for pattern in IN_PROJECTS:
        path = f"{directory}/{pattern}"
        if "*" in pattern:
            if lexists(path.rpartition("/")[0]):
                yield from sorted(Path(directory).glob(pattern))
        elif lexists(path):
            yield Path(path)


def _compared(manifest: "Manifest", file: Path) -> Unread:
    from mcplock.errors import McplockError
    from mcplock.manifest.clients import names_servers
    from mcplock.manifest.encoding import read_file
    from mcplock.manifest.load import document_of, load

    try:
        document = document_of(file, read_file(file))
        if not document.faults and not names_servers(document.value):
            return Unread(file)
        servers = load(file).servers
    except McplockError:
        return Unread(file, faulty=True)
    known = manifest.servers
    return Unread(
        file,
        [name for name in servers if name not in manifest.names],
        [name for name, one in servers.items() if name in known and not one.is_as(known[name])],
    )
