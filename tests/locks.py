"""Locks for tests, built from contents: the hashes are right by construction."""

from mcplock.canonical import hash_value
from mcplock.definitions import bad_schema
from mcplock.jsontext import Json
from mcplock.model import Entry, Invalid, Kind, Lock, LockedServer, ServerInfo

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}
SOURCE = {"type": "stdio", "command": "python", "args": ["-m", "docs"]}
OTHER_HASH = "sha256:" + "0" * 64


def entry(content: Json, *, approve: bool = False, **head) -> Entry:
    """An entry of `content`; `head`: what else stands in it."""
    hashed = hash_value(content)
    if approve:
        head["approved"] = hashed
    return Entry(hash=hashed, content=content, **head)


def tool(name: str, description: Json = "Does it.", *, approve: bool = False, **head) -> Entry:
    """A tool; one whose schema is bad is invalid."""
    content = {"name": name, "description": description, "inputSchema": SCHEMA}
    content |= head.pop("more", {})
    if bad_schema(Kind.TOOL, content):
        head.setdefault("invalid", Invalid.SCHEMA)
    return entry(content, approve=approve, **head)


def server(*tools: Entry, **more) -> LockedServer:
    """A server with these tools; `more`: fields of `LockedServer`."""
    definitions = {Kind.TOOL: {t.content["name"]: t for t in tools}} if tools else {}
    more.setdefault("source", entry(SOURCE, approve=True))
    more.setdefault("protocol", "2025-11-25")
    more.setdefault("info", ServerInfo("docs", "1.0"))
    return LockedServer(definitions=definitions | more.pop("definitions", {}), **more)


def lock(**servers: LockedServer) -> Lock:
    """A lock of these servers."""
    return Lock(servers)


def reworded(before: Lock, old: str, new: str) -> Lock:
    """A lock with another reason or note: one that a command takes from nobody."""

    def worded(entry: Entry) -> Entry:
        words = {"denied": entry.denied, "note": entry.note}
        return entry._replace(**{key: new for key, said in words.items() if said == old})

    return Lock(
        {
            name: server.having({(kind, at): worded(e) for kind, at, e in server.entries()})
            for name, server in before.servers.items()
        }
    )
