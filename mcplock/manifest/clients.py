"""Another program's configuration: a document -> servers.

Such a file is read as its own program reads it, as far as it tells of servers: keys that
nobody here knows are its own affair. Every spelling of the same thing gives the same source.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from pathlib import PurePath

from mcplock.files import project_root
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
    ("extensions",),
)
_BUILT_IN = ("builtin", "platform", "frontend", "inline_python")
"""The types of Goose's extensions that are no servers."""


def servers(document: Document, path: PurePath, *, of_project: bool = True) -> dict[str, Server]:
    """The servers of `document`, another program's file at `path`, that have no fault.

    of_project: also those that it has for the project that mcplock is run in.
    """
    found: dict[str, Server] = {}
    places: dict[str, Path] = {}
    dialect = dialect_of(path)
    off = _switched_off(document.value)
    for name, place, value in _entries(document, of_project=of_project):
        first = places.setdefault(name, place)
        if first != place:
            if first[0] != "projects":  # what stands there is meant to replace the other
                where = f"{dotted(first)} ({document.place(first)})"
                is_listed = place[:-1] == first[:-1]
                said = "has the same name as" if is_listed else "is there under another root too:"
                document.fault(place, f"{said} {where}")
        elif read := _server(document, name, place, value, dialect):
            found[name] = read._replace(disabled=True) if off(name) else read
        else:
            document.left_out.append(name)
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


def _server(
    document: Document, name: str, place: Path, value: Json, dialect: Dialect
) -> Server | None:
    if not isinstance(value, dict):
        document.fault(place, f"must be an object, not {kind_of(value)}")
        return None
    if not looks_like_server(value):
        if value.get("enabled") is False or value.get("disabled") is True:
            document.warn(place, "is switched off and names neither a command nor a URL; left out")
            return None
        if value.get("type") in _BUILT_IN:
            document.warn(place, "is built into Goose and no server; left out")
            return None
        if "settings" in value:
            document.warn(place, "is started by an extension of its editor; left out")
            return None
    return server(name, entry_table(document, place, value, dialect))


def _entries(document: Document, *, of_project: bool) -> Iterator[tuple[str, Path, Json]]:
    """Each server's name, place and value, under every root that the file has."""
    if not isinstance(document.value, dict):
        document.fault((), f"must be an object, not {kind_of(document.value)}")
        return
    roots = [root for root in _ROOTS if _is_root(document.value, root)]
    projects = document.value.get("projects")
    if isinstance(projects, dict) and of_project:
        roots[:0] = _of_this_project(projects)
    elif not roots and _is_bare(document.value):
        roots = [()]
    if not roots and not isinstance(projects, dict):
        known = "`mcpServers`, `servers`, `mcp`, `context_servers`, `mcp_servers`, `extensions`"
        document.fault((), f"names no servers: it has none of the keys {known}")
    for root in roots:
        entries = _at(document.value, root)
        match entries:
            case dict():
                yield from ((name, (*root, name), value) for name, value in entries.items())
            case list():
                yield from _listed(document, root, entries)
            case _:
                document.fault(root, f"must be an object, not {kind_of(entries)}")


def _listed(
    document: Document, root: Path, entries: Sequence[Json]
) -> Iterator[tuple[str, Path, Json]]:
    """The servers of a list, as Continue has them: each says its own name."""
    for index, value in enumerate(entries):
        place = (*root, index)
        name = value.get("name") if isinstance(value, dict) else None
        if isinstance(name, str):
            yield name, place, value
        else:
            document.fault(place, "must be an object with a `name`")


def _of_this_project(projects: Mapping[str, Json]) -> list[Path]:
    """Where Claude Code keeps the servers of the project that this run works in."""
    here = FilePath.cwd()
    root = project_root(here)
    for directory in (here, *here.parents):
        place = ("projects", str(directory), "mcpServers")
        if isinstance(_at(projects, place[1:]), dict):
            return [place]
        if directory == root:
            break
    return []


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
        case ("extensions",):
            return isinstance(inside, dict) and all(map(_is_extension, inside.values()))
        case _:
            return root[0] in value


def _is_object(value: Json) -> bool:
    return isinstance(value, dict)


def _is_extension(value: Json) -> bool:
    """Whether `value` is an extension of Goose; other programs have a key of that name too."""
    return isinstance(value, dict) and "type" in value


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
