"""`Lock` -> the text of mcp.lock: the same lock, the same bytes."""

from collections.abc import Iterator, Mapping

from mcplock.jsontext import Json
from mcplock.lockfile.layout import INDENT, key, lay_out
from mcplock.model import SECTIONS, Entry, Lock, LockedServer, Section

VERSION = 1

SOURCE_KEYS = ("type", "command", "args", "cwd", "env", "url", "headers", "oauth", "capabilities")
PACKAGE_KEYS = ("registry", "name", "version", "integrity")
RESERVED = ("varying", "profiles")


def format_lock(lock: Lock) -> str:
    """The canonical text of `lock`, with a newline at its end."""
    return "".join(chunks(lock))


def chunks(lock: Lock) -> Iterator[str]:
    """The canonical text in pieces, one a server, so that a comparison needs no whole copy."""
    yield f'{{\n{INDENT}"lockfileVersion": {VERSION},\n{INDENT}"servers": {{'
    indent = INDENT * 2
    separator = "\n"
    for name in sorted(lock.servers):
        server = lay_out(server_object(lock.servers[name]), indent)
        yield f"{separator}{indent}{key(name)}{server}"
        separator = ",\n"
    yield f"\n{INDENT}}}\n}}\n" if lock.servers else "}\n}\n"


def server_object(server: LockedServer) -> dict[str, Json]:
    """The object that the lock holds for one server."""
    value: dict[str, Json] = {"source": _own_object(server.source, SOURCE_KEYS)}
    if server.package:
        value["package"] = _own_object(server.package, PACKAGE_KEYS)
    if server.protocol is not None:
        value["protocol"] = server.protocol
    if server.info:
        value["server"] = {"name": server.info.name, "version": server.info.version}
    if server.instructions:
        value["instructions"] = instructions_object(server.instructions)
    for section in SECTIONS:
        entries = server.of(section.kind)
        if entries:
            value[section.key] = {
                name: definition_object(section, entries[name]) for name in sorted(entries)
            }
    return value | _first(server.reserved, RESERVED)


def instructions_object(entry: Entry) -> dict[str, Json]:
    """The object that the lock holds for a server's instructions."""
    value = _head(entry)
    if entry.content is not None:
        value["text"] = entry.content.split("\n")
    return value


def definition_object(section: Section, entry: Entry) -> dict[str, Json]:
    """The object that the lock holds for one definition."""
    value = _head(entry)
    if entry.content is not None:
        rest = dict(entry.content)
        del rest[section.identity]
        if isinstance(rest.get("description"), str):
            value["description"] = rest.pop("description").split("\n")
        value["definition"] = rest
    return value


def _own_object(entry: Entry, order: tuple[str, ...]) -> dict[str, Json]:
    return _head(entry) | _first(entry.content, order)


def _first(value: Mapping[str, Json], order: tuple[str, ...]) -> dict[str, Json]:
    """`value` with the keys of `order` first, in that order."""
    return {name: value[name] for name in order if name in value} | dict(value)


def _head(entry: Entry) -> dict[str, Json]:
    """The keys that every entry has, in their order; what is unset is left out."""
    head: dict[str, Json] = {"hash": entry.hash}
    if entry.approved is not None:
        head["approved"] = entry.approved
    if entry.denied is not None:
        head["denied"] = entry.denied
    if entry.confirm is not None:
        head["confirm"] = entry.confirm
    if entry.note is not None:
        head["note"] = entry.note
    if entry.invalid is not None:
        head["invalid"] = entry.invalid.value
    if entry.absent:
        head["absent"] = True
    return head
