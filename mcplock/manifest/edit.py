"""Add a server to a manifest, or remove one: comments, order and all other bytes stay."""

import codecs
import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from mcplock.errors import FaultyFile, McplockError, UsageError
from mcplock.files import exclusive, refuse_link_away, shown, write_atomic
from mcplock.jsontext import Json
from mcplock.manifest.clients import root_of
from mcplock.manifest.document import Document, dotted
from mcplock.manifest.encoding import decode, encoding_of, read_file
from mcplock.manifest.fields import Table
from mcplock.manifest.find import OWN_NAMES, PYPROJECT, TABLE, has_table
from mcplock.manifest.load import document_of, load
from mcplock.manifest.model import Manifest, Server
from mcplock.manifest.own import YAML_SUFFIXES, servers_key
from mcplock.manifest.server import server
from mcplock.manifest.spans import (
    Edit,
    NotEditable,
    toml_addition,
    toml_removal,
    yaml_addition,
    yaml_removal,
)
from mcplock.model import Place
from mcplock.naming import nearest, typed
from mcplock.text import visible

_EXPLICIT = {
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


def checked(name: str, entry: Mapping[str, Json]) -> Server:
    """The server that `entry`, in the keys of our own format, tells of.

    Raises UsageError with all that is wrong with it; a secret that is written out is wrong.
    """
    document = Document("the command line")
    read = server(name, Table.of(document, ("servers", name), entry))
    if read is None:
        raise UsageError("\n".join(map(str, document.faults)))
    if read.refused:
        hint = "in single quotes the shell leaves the `${VAR}` as it is; set VAR where mcplock runs"
        raise UsageError(read.refused.message, hint=hint)
    return read


def add_server(path: Path, name: str, entry: Mapping[str, Json]) -> Server:
    """Write a new server into the manifest at `path`; the server as it is read from there."""
    wanted = checked(name, entry)

    _refuse_client(path, name, entry)

    def edits(text: str, before: Manifest) -> Sequence[Edit]:
        if there := before.servers.get(name):
            hint = f"`mcplock remove {typed(name)}` removes it"
            if not _stands_in(there, path):
                hint = f"{there.place.file} is included: change or remove it there"
            raise UsageError(f"{visible(name)} is there already, at {there.place}", hint=hint)
        if path.suffix in YAML_SUFFIXES:
            return yaml_addition(text, _yaml_key(text), name, entry)
        return toml_addition(text, _table(path), name, entry)

    _, after = _edited(path, edits, {name: wanted})
    return after.servers[name]


def remove_server(path: Path, name: str) -> Server:
    """Remove a server from the manifest at `path`; the server as it was."""
    _refuse_client(path, name, None)

    def edits(text: str, before: Manifest) -> Sequence[Edit]:
        there = before.servers.get(name)
        if there is None:
            near = nearest(name, list(before.servers))
            message = f"the manifest has no server {visible(name)}"
            raise UsageError(f"{message}; {near}" if near else message)
        if not _stands_in(there, path):
            message = f"{visible(name)} stands in {there.place}, which the manifest includes"
            raise UsageError(message, hint="remove it there")
        if other := next((one for one in before.again if one.name == name), None):
            message = f"{visible(name)} stands in {other.place} too, which the manifest includes"
            raise UsageError(message, hint="remove it there first")
        if path.suffix in YAML_SUFFIXES:
            return yaml_removal(text, _yaml_key(text), name)
        return toml_removal(text, _table(path), name)

    before, _ = _edited(path, edits, {name: None})
    return before.servers[name]


def _stands_in(there: Server, path: Path) -> bool:
    """Whether the manifest at `path` names the server itself, and no file that it includes."""
    return there.place.file == visible(shown(path))


Make = Callable[[str, Manifest], Sequence[Edit]]
"""(the text of a manifest, what it says) -> what is to be changed in it."""


def _edited(path: Path, make: Make, wanted: Mapping[str, Server | None]) -> tuple[Manifest, ...]:
    """Change the file and give what it said before and says now.

    Nothing is written unless what it then says is what it said before but for `wanted`, nor
    where another program changed the file meanwhile.
    """
    file = visible(shown(path))
    refuse_link_away(path)
    with exclusive(path):
        content = read_file(path)
        before = Manifest(path, {}) if _is_begun(path, wanted) else load(path)
        try:
            changed = _applied(content, make(decode(content, file), before))
            after = load(path, read=lambda one: changed if one == path else read_file(one))
        except NotEditable as problem:
            raise _by_hand(file, str(problem), wanted) from None
        except FaultyFile as problem:
            why = f"the outcome would have a fault:\n{problem.message}"
            raise _by_hand(file, why, wanted) from problem
        if _sources(after) != _sources(before, wanted):
            raise _by_hand(file, "more than this server would change", wanted)
        if read_file(path) != content:
            raise McplockError(f"{file} was changed meanwhile; nothing was written")
        write_atomic(path, changed)
    return before, after


def _is_begun(path: Path, wanted: Mapping[str, Server | None]) -> bool:
    """Whether the first server begins our table in a `pyproject.toml`."""
    return path.name == PYPROJECT and any(wanted.values()) and not has_table(path)


def _refuse_client(path: Path, name: str, entry: Mapping[str, Json] | None) -> None:
    """Say what to change by hand in a client's own file; `entry` is None where it is to go."""
    if path.name in OWN_NAMES or path.suffix != ".json":
        return
    file = visible(shown(path))
    hint = f"edit {file} by hand, or `mcplock init`, whose `mcp.toml` includes it"
    if entry is not None:
        root = dotted(root_of(document_of(path, read_file(path)).value))
        hint = f"{hint}; below `{root}` belongs\n{_json_lines(name, entry)}"
    raise McplockError(f"{file} is a client's own file, which mcplock does not change", hint=hint)


def _json_lines(name: str, entry: Mapping[str, Json]) -> str:
    """An entry as it stands in a client's file."""
    import json
    import textwrap

    written = json.dumps({name: entry}, indent=2, ensure_ascii=False)
    return textwrap.indent("\n".join(written.split("\n")[1:-1]), "  ")


def _by_hand(file: str, why: str, wanted: Mapping[str, Server | None]) -> McplockError:
    (name,) = wanted
    verb = "added to" if wanted[name] else "removed from"
    message = f"{visible(name)} cannot be {verb} {file}: {why}"
    return McplockError(message, hint=f"edit {file} by hand")


def _sources(
    manifest: Manifest, wanted: Mapping[str, Server | None] | None = None
) -> dict[str, Server]:
    """What tells servers apart, whatever line they stand on."""
    servers = {**manifest.servers, **(wanted or {})}
    return {name: one._replace(place=Place("")) for name, one in servers.items() if one is not None}


def _applied(content: bytes, edits: Sequence[Edit]) -> bytes:
    """`content` with `edits`, whose positions count each line break as one character."""
    mark = next((mark for mark in _EXPLICIT if content.startswith(mark)), b"")
    codec = _EXPLICIT.get(mark) or encoding_of(content)
    raw = content[len(mark) :].decode(codec)
    breaks = [hit.start() - index for index, hit in enumerate(re.finditer("\r\n", raw))]
    first = re.search("\r\n|\n|\r", raw)
    newline = first[0] if first else "\n"
    for edit in sorted(edits, reverse=True):
        start, end = (at + bisect_left(breaks, at) for at in edit[:2])
        raw = raw[:start] + edit.text.replace("\n", newline) + raw[end:]
    return mark + raw.encode(codec)


def _table(path: Path) -> tuple[str, ...]:
    return TABLE if path.name == PYPROJECT else ()


def _yaml_key(text: str) -> str:
    from mcplock.manifest import yaml

    return servers_key(yaml.read(text, "f.yaml"))
