"""A first manifest: which clients' files it could include, and writing it."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from mcplock.errors import McplockError, UsageError
from mcplock.files import exclusive, shown, write_atomic
from mcplock.manifest.clients import names_servers
from mcplock.manifest.encoding import read_file
from mcplock.manifest.find import CLIENTS, manifest_in
from mcplock.manifest.load import document_of, load
from mcplock.manifest.model import Manifest, Server
from mcplock.manifest.reach import located, users_home, written_as
from mcplock.manifest.unread import IN_PROJECTS
from mcplock.records import NamedTuple
from mcplock.text import visible

_IN_HOMES = (
    ".claude.json",
    ".cursor/mcp.json",
    ".copilot/mcp-config.json",
    ".codeium/windsurf/mcp_config.json",
    ".codeium/mcp_config.json",
    ".config/devin/mcp_config.json",
    ".config/zed/settings.json",
    "AppData/Roaming/Zed/settings.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".gemini/antigravity/mcp_config.json",
    ".gemini/config/mcp_config.json",
    ".config/goose/config.yaml",
    "AppData/Roaming/Block/goose/config/config.yaml",
    ".continue/config.yaml",
    ".continue/mcpServers/*.yaml",
    ".continue/mcpServers/*.json",
    ".cline/data/settings/cline_mcp_settings.json",
    ".cline/mcp.json",
    ".config/opencode/opencode.json",
    ".config/opencode/opencode.jsonc",
    ".lmstudio/mcp.json",
    ".junie/mcp/mcp.json",
    ".aws/amazonq/mcp.json",
    ".kiro/settings/mcp.json",
    ".warp/.mcp.json",
    ".config/crush/crush.json",
    ".mcp-inspector/mcp.json",
)
"""Where clients keep the servers of a user, below his home directory."""
_OF_PROGRAMS = ("Library/Application Support", ".config", "AppData/Roaming")
"""Where programs keep their settings below it: macOS, Linux, Windows."""
_IN_PROGRAMS = (
    "Claude/claude_desktop_config.json",
    "Code/User/mcp.json",
    "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    "Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
)
_HEAD = "# The MCP servers of this project; `mcplock install` locks what they say.\n"
_USERS_HEAD = "# Your own MCP servers; `mcplock install --user` locks what they say.\n"


class Offer(NamedTuple):
    """A client's file that the manifest to be could include.

    file: as `include` has it; servers: what it names; again: what it names as a file before it
    does; problem: why it is not included, if so.
    """

    file: str
    servers: Sequence[Server] = ()
    again: Sequence[Server] = ()
    problem: str = ""


def offers(path: Path) -> list[Offer]:
    """The clients' files that a new manifest at `path` could include, in that order."""
    found: list[Offer] = []
    for file in _candidates(path):
        before = [offer.file for offer in found if not offer.problem]
        if offer := _offer(path, file, before):
            found.append(offer)
    return found


def _candidates(path: Path) -> Iterator[str]:
    home = users_home(path)
    directory = path.parent if home is None else home
    known: set[Path] = set()  # a file that two clients share by a link is one
    for pattern in IN_PROJECTS if home is None else users_files():
        for file in sorted(directory.glob(pattern)):
            if (real := file.resolve()) in known:
                continue
            known.add(real)
            yield written_as(file, path.parent, home)


def users_files() -> Iterator[str]:
    """The patterns of clients' files below a home directory."""
    yield from _IN_HOMES
    for file in _IN_PROGRAMS:
        yield from (f"{base}/{file}" for base in _OF_PROGRAMS)


def _offer(path: Path, file: str, before: Sequence[str]) -> Offer | None:
    """What to say of `file` behind those that are included `before`; None: it has no servers."""
    beside = located(file, path.parent, users_home(path))
    try:
        document = document_of(beside, read_file(beside))
        if not document.faults and not names_servers(document.value):
            return None
        manifest = _as_written(path, [*before, file])
    except McplockError as error:
        lines = map(visible, error.message.split("\n"))
        return Offer(file, problem="\n".join(lines))
    name = visible(shown(beside))
    servers = [server for server in manifest.servers.values() if server.place.file == name]
    again = [server for server in manifest.again if server.place.file == name]
    return Offer(file, servers, again) if servers or again else None


def begin(path: Path, include: Sequence[str]) -> Manifest:
    """Write a manifest that includes these files, relative to it; what is read from it.

    Raises `UsageError` where there is a manifest, and FaultyFile where it could not be read;
    then nothing is written.
    """
    with exclusive(path):
        refuse_another(path)
        _as_written(path, include)
        write_atomic(path, _text(path, include))
    return load(path)


def refuse_another(path: Path) -> None:
    """Raise if there is a manifest already, of ours or at `path` itself."""
    there = path if path.exists() or path.is_symlink() else manifest_in(path.parent)
    if there is not None and (there == path or there.name != CLIENTS):
        hint = "`mcplock add NAME -- COMMAND` adds a server to it"
        raise UsageError(f"{visible(shown(there))} is there already", hint=hint)


def _as_written(path: Path, include: Sequence[str]) -> Manifest:
    """What such a manifest would say."""
    return load(path, read=lambda one: _text(path, include) if one == path else read_file(one))


def _text(path: Path, include: Sequence[str]) -> bytes:
    head = _HEAD if users_home(path) is None else _USERS_HEAD
    files = f"include = {json.dumps(list(include), ensure_ascii=False)}\n" if include else ""
    return (head + files).encode()
