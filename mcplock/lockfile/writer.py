"""`Lock` -> the text of mcp.lock: the same lock, the same bytes."""

from collections.abc import Iterator

from mcplock.jsontext import Json
from mcplock.lockfile.layout import INDENT, block, lay_out, one_line
from mcplock.model import SECTIONS, Entries, Entry, Lock, LockedServer, Section

VERSION = 1


def format_lock(lock: Lock) -> str:
    """The canonical text of `lock`, with a newline at its end."""
    return "".join(chunks(lock))


def chunks(lock: Lock) -> Iterator[str]:
    """The canonical text in pieces, one a server, so that a comparison needs no whole copy."""
    yield f'{{\n{INDENT}"lockfileVersion": {VERSION},\n{INDENT}"servers": {{'
    separator = "\n"
    for name in sorted(lock.servers):
        yield f"{separator}{INDENT * 2}{one_line(name)}: {_server(lock.servers[name])}"
        separator = ",\n"
    yield f"\n{INDENT}}}\n}}\n" if lock.servers else "}\n}\n"


def _server(server: LockedServer) -> str:
    indent = INDENT * 2
    inner = indent + INDENT
    members = [f"{inner}{one_line(key)}: {text}" for key, text in _members(server, inner)]
    return "{\n" + ",\n".join(members) + f"\n{indent}}}"


def _members(server: LockedServer, indent: str) -> Iterator[tuple[str, str]]:
    yield "source", block(_head(server.source) | server.source.content, indent)
    if server.package:
        yield "package", block(_head(server.package) | server.package.content, indent)
    if server.protocol is not None:
        yield "protocol", one_line(server.protocol)
    if server.info:
        info = {"name": server.info.name, "version": server.info.version}
        yield "server", lay_out(info, indent, len('"server": ') + 1)
    if server.instructions:
        yield "instructions", _prose_block(instructions_object(server.instructions), indent)
    for section in SECTIONS:
        entries = server.of(section.kind)
        if entries:
            yield section.key, _section(section, entries, indent)
    for key in ("varying", "profiles"):
        if key in server.reserved:
            yield key, lay_out(server.reserved[key], indent, len(key) + 5)


def _section(section: Section, entries: Entries, indent: str) -> str:
    inner = indent + INDENT
    rows = [
        f"{one_line(name)}: {_prose_block(definition_object(section, entries[name]), inner)}"
        for name in sorted(entries)
    ]
    body = f",\n{inner}".join(rows)
    return f"{{\n{inner}{body}\n{indent}}}"


def _prose_block(value: dict[str, Json], indent: str) -> str:
    """`block`, but prose of several lines stands one line a row even where it is short."""
    inner = indent + INDENT
    rows = []
    for key, item in value.items():
        if key in ("description", "text") and len(item) > 1:
            text = block(item, inner)
        else:
            comma = key != next(reversed(value))
            text = lay_out(item, inner, len(key) + len('"": ') + comma)
        rows.append(f'"{key}": {text}')
    body = f",\n{inner}".join(rows)
    return f"{{\n{inner}{body}\n{indent}}}"


def _head(entry: Entry) -> dict[str, Json]:
    """The keys that every entry has, in their order; what is unset is left out."""
    head: dict[str, Json] = {"hash": entry.hash}
    for key in ("approved", "denied", "confirm", "note"):
        value = getattr(entry, key)
        if value is not None:
            head[key] = value
    if entry.invalid:
        head["invalid"] = entry.invalid.value
    if entry.absent:
        head["absent"] = True
    return head


def instructions_object(entry: Entry) -> dict[str, Json]:
    """The object that the lock holds for a server's instructions."""
    if entry.content is None:
        return _head(entry)
    return _head(entry) | {"text": entry.content.split("\n")}


def definition_object(section: Section, entry: Entry) -> dict[str, Json]:
    """The object that the lock holds for one definition."""
    value = _head(entry)
    if entry.content is None:
        return value
    rest = {key: item for key, item in entry.content.items() if key != section.identity}
    if isinstance(rest.get("description"), str):
        value["description"] = rest.pop("description").split("\n")
    return value | {"definition": rest}
