"""Another program's configuration: a document -> servers.

Such a file is read as its own program reads it, as far as it tells of servers: keys that
nobody here knows are its own affair. Every spelling of the same thing gives the same source.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePath

from mcplock.jsontext import Json, Path
from mcplock.manifest.dialects import Dialect, dialect_of
from mcplock.manifest.document import Document, dotted
from mcplock.manifest.entries import entry_table, looks_like_server
from mcplock.manifest.fields import kind_of
from mcplock.manifest.model import Server
from mcplock.manifest.server import server

_ROOTS: tuple[Path, ...] = (
    ("mcpServers",),
    ("servers",),
    ("mcp", "servers"),
    ("mcp.servers",),
    ("mcp",),
    ("context_servers",),
    ("mcp_servers",),
)


def servers(document: Document, path: PurePath) -> dict[str, Server]:
    """The servers of `document`, another program's file at `path`, that have no fault."""
    found: dict[str, Server] = {}
    places: dict[str, Path] = {}
    dialect = dialect_of(path)
    off = _switched_off(document.value)
    for place, value in _entries(document):
        name = str(place[-1])
        first = places.setdefault(name, place)
        if first != place:
            where = f"{dotted(first)} ({document.place(first)})"
            document.fault(place, f"is there under another root too: {where}")
        elif read := _server(document, place, value, dialect):
            found[name] = read._replace(disabled=True) if off(name) else read
    return found


def root_of(value: Json) -> Path:
    """The key, or keys, that servers stand under in the file that says `value`."""
    if not isinstance(value, dict):
        return _ROOTS[0]
    return next((root for root in _ROOTS if _is_root(value, root)), _ROOTS[0])


def names_servers(value: Json) -> bool:
    """Whether the file that says `value` has a place for servers."""
    return isinstance(value, dict) and (
        _is_bare(value) or any(_is_root(value, root) for root in _ROOTS)
    )


def _server(document: Document, place: Path, value: Json, dialect: Dialect) -> Server | None:
    if not isinstance(value, dict):
        document.fault(place, f"must be an object, not {kind_of(value)}")
        return None
    if not looks_like_server(value):
        if value.get("enabled") is False or value.get("disabled") is True:
            document.warn(place, "is switched off and names neither a command nor a URL; left out")
            return None
        if "settings" in value:
            document.warn(place, "is started by an extension of its editor; left out")
            return None
    return server(str(place[-1]), entry_table(document, place, value, dialect))


def _entries(document: Document) -> Iterator[tuple[Path, Json]]:
    """Each server's place and value, under every root that the file has."""
    if not isinstance(document.value, dict):
        document.fault((), f"must be an object, not {kind_of(document.value)}")
        return
    roots = [root for root in _ROOTS if _is_root(document.value, root)]
    if not roots and _is_bare(document.value):
        roots = [()]
    if not roots:
        known = "`mcpServers`, `servers`, `mcp`, `context_servers`, `mcp_servers`"
        document.fault((), f"names no servers: it has none of the keys {known}")
    for root in roots:
        entries = _at(document.value, root)
        if not isinstance(entries, dict):
            document.fault(root, f"must be an object, not {kind_of(entries)}")
            continue
        for name, value in entries.items():
            yield (*root, name), value


def _at(value: Json, path: Path) -> Json:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _is_root(value: Mapping[str, Json], root: Path) -> bool:
    """Whether servers stand under `root`: `mcp` may hold them, settings, or a `servers`."""
    inside = _at(value, root)
    match root:
        case ("mcp", "servers"):
            return isinstance(inside, dict) and not looks_like_server(inside)
        case ("mcp",):
            if "mcpServers" in value or _is_root(value, ("mcp", "servers")):
                return False
            return isinstance(inside, dict) and any(map(_is_object, inside.values()))
        case _:
            return root[0] in value


def _is_object(value: Json) -> bool:
    return isinstance(value, dict)


def _is_bare(value: Mapping[str, Json]) -> bool:
    """Whether the file is nothing but a map of servers, as a plugin's `.mcp.json` may be."""
    return bool(value) and all(
        isinstance(item, dict) and looks_like_server(item) for item in value.values()
    )


def _switched_off(value: Json) -> Callable[[str], bool]:
    """Whether a name is among those that Gemini's lists switch off."""
    excluded = _at(value, ("mcp", "excluded"))
    allowed = _at(value, ("mcp", "allowed"))
    return lambda name: (
        (isinstance(excluded, list) and name in excluded)
        or (isinstance(allowed, list) and name not in allowed)
    )
