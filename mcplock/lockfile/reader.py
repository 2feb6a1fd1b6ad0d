"""The text of mcp.lock -> `Lock`, strictly: every fault at once, nothing guessed."""

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import TypeGuard, TypeVar

from mcplock.canonical import PREFIX, hash_value
from mcplock.definitions import bad_schema
from mcplock.jsontext import Json, JsonFault, Path
from mcplock.lazy import pattern
from mcplock.lockfile.document import decoded, parsed
from mcplock.lockfile.faults import UPGRADE, Faults, TooMany
from mcplock.lockfile.writer import RESERVED, SOURCE_KEYS, VERSION, chunks
from mcplock.model import (
    SECTIONS,
    Entries,
    Entry,
    Invalid,
    Kind,
    Lock,
    LockedServer,
    Section,
    ServerInfo,
    Transport,
)

_T = TypeVar("_T")

_HASH = pattern(r"sha256:[0-9a-f]{64}")
_OTHER_HASH = pattern(rf"(?!{PREFIX})(?P<prefix>[A-Za-z0-9_]+[:-]).+", re.DOTALL)

_LOCK = frozenset({"lockfileVersion", "servers"})
_SERVER = frozenset(
    {"source", "package", "protocol", "server", "instructions", *RESERVED}
    | {section.key for section in SECTIONS}
)
_OWN_HEAD = frozenset({"hash", "approved", "denied", "note"})
_LISTED_HEAD = _OWN_HEAD | {"invalid", "absent"}
_TOOL_HEAD = _LISTED_HEAD | {"confirm"}
_SOURCE = _OWN_HEAD | set(SOURCE_KEYS)
_INSTRUCTIONS = _LISTED_HEAD | {"text"}
_TEXT = frozenset({"description", "definition"})
_DEFINITION = _LISTED_HEAD | _TEXT
_TOOL = _TOOL_HEAD | _TEXT
_ONLY_STDIO = frozenset({"command", "args", "cwd", "env"})
_ONLY_HTTP = frozenset({"url", "headers", "oauth"})

# An entry's content stands in the lock unless one of the other codes says why it cannot.
_WITH_CONTENT = (None, Invalid.SCHEMA, Invalid.SECRET)


def read_lock(data: bytes, name: str) -> tuple[Lock, bool]:
    """The lock that `data` holds, and whether it is written as the writer writes it.

    `name` is how messages call the file. Raises `FaultyFile`, mostly a `FaultyLock`, with
    every fault: conflict markers, syntax, duplicate and unknown keys, a newer version, wrong
    types, a hash that does not fit its content.
    """
    value, sound = parsed(decoded(data, name), name)
    faults = Faults()
    lock = Lock()
    with suppress(TooMany):
        lock = _Reader(faults).lock(value)
        if sound and not faults and is_written(lock, data):
            return lock, True  # so no key is there twice: the writer would not have done it
        faults.note_text(decoded(data, name), numbers=not sound)
    if faults:
        raise faults.error(name, decoded(data, name), value)
    return lock, False


def is_written(lock: Lock, data: bytes) -> bool:
    """Whether `data` is what the writer writes for `lock`."""
    at = 0
    for chunk in chunks(lock):
        piece = chunk.encode()
        if not data.startswith(piece, at):
            return False
        at += len(piece)
    return at == len(data)


def by_name(items: Mapping[str, _T]) -> dict[str, _T]:
    """`items` in code-point order of their names."""
    return dict(sorted(items.items()))


class _Reader:
    """Builds the lock and notes the faults; the values built beside a fault are not used."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._fault = faults.note

    def lock(self, value: Json) -> Lock:
        if not self._object(value, ()):
            return Lock()
        version = value.get("lockfileVersion")
        if not isinstance(version, int) or isinstance(version, bool) or version < 1:
            self._fault(("lockfileVersion",), f"must be {VERSION}")
        elif version > VERSION:
            self._fault(("lockfileVersion",), UPGRADE)
            return Lock()
        self._known(value, (), _LOCK)
        servers = self._member(value, "servers", ()) or {}
        return Lock(
            by_name({name: self._server(servers[name], ("servers", name)) for name in servers})
        )

    def _server(self, value: Json, path: Path) -> LockedServer:
        if not self._object(value, path):
            return LockedServer(Entry(hash=""))
        self._known(value, path, _SERVER)
        return LockedServer(
            source=self._source(value, path),
            package=self._package(value, path) if "package" in value else None,
            protocol=self._string(value, "protocol", path),
            info=self._info(value["server"], (*path, "server")) if "server" in value else None,
            instructions=self._instructions(value, path) if "instructions" in value else None,
            definitions={
                section.kind: entries
                for section in SECTIONS
                if (entries := self._section(section, value, path))
            },
            reserved={key: self._reserved(value, key, path) for key in RESERVED if key in value},
        )

    def _source(self, server: Mapping[str, Json], path: Path) -> Entry:
        value = self._member(server, "source", path)
        path = (*path, "source")
        if value is None:
            return Entry(hash="")
        self._known(value, path, _SOURCE)
        content = {key: value[key] for key in SOURCE_KEYS if key in value}
        match content.get("type"):
            case Transport.STDIO:
                self._reached_by("command", _ONLY_HTTP, content, path)
            case Transport.HTTP | Transport.SSE:
                self._reached_by("url", _ONLY_STDIO, content, path)
            case _:
                self._fault((*path, "type"), "must be stdio, http or sse")
        return self._own_entry(value, content, path)

    def _reached_by(
        self, needed: str, foreign: Collection[str], source: Mapping[str, Json], path: Path
    ) -> None:
        if source.get(needed, "") == "":
            self._fault((*path, needed), "must be there and not empty")
        for key in source:
            if key in foreign:
                self._fault((*path, key), f"a source of type {source['type']} has no `{key}`")
            elif key != "type":
                self._source_value(key, source[key], (*path, key))

    def _source_value(self, key: str, item: Json, path: Path) -> None:
        match key:
            case "args" | "capabilities":
                if not (isinstance(item, list) and all(isinstance(word, str) for word in item)):
                    self._fault(path, "must be a list of strings")
            case "env" | "headers" | "oauth":
                if not (isinstance(item, dict) and all(isinstance(v, str) for v in item.values())):
                    self._fault(path, "must be an object of strings")
            case _:
                if not isinstance(item, str):
                    self._fault(path, "must be a string")

    def _package(self, server: Mapping[str, Json], path: Path) -> Entry:
        value = self._member(server, "package", path)
        path = (*path, "package")
        if value is None:
            return Entry(hash="")
        content = {key: item for key, item in value.items() if key not in _TOOL_HEAD}
        self._known(value, path, _OWN_HEAD | content.keys())
        return self._own_entry(value, content, path)

    def _own_entry(self, value: Mapping[str, Json], content: Json, path: Path) -> Entry:
        """The entry of what a manifest says: it is never invalid, absent or called."""
        head = {key: value[key] for key in _OWN_HEAD if key in value}
        return self._entry(head, content, path)

    def _info(self, value: Json, path: Path) -> ServerInfo:
        if not self._object(value, path):
            return ServerInfo()
        self._known(value, path, frozenset({"name", "version"}))
        for key in ("name", "version"):
            if not isinstance(value.get(key), str):
                self._fault((*path, key), "must be a string")
        return ServerInfo(value.get("name", ""), value.get("version", ""))

    def _reserved(self, server: Mapping[str, Json], key: str, path: Path) -> Json:
        try:
            hash_value(server[key])
        except JsonFault as fault:
            self._fault((*path, key), fault.message)
        return server[key]

    def _instructions(self, server: Mapping[str, Json], path: Path) -> Entry:
        value = self._member(server, "instructions", path)
        path = (*path, "instructions")
        if value is None:
            return Entry(hash="")
        self._known(value, path, _INSTRUCTIONS)
        text = self._prose(value["text"], (*path, "text")) if "text" in value else None
        entry = self._entry(value, text, path)
        if entry.invalid not in (None, Invalid.SURROGATE, Invalid.SECRET):
            self._fault((*path, "invalid"), "instructions cannot be that")
        return entry

    def _section(self, section: Section, server: Mapping[str, Json], path: Path) -> Entries:
        value = self._member(server, section.key, path) if section.key in server else None
        path = (*path, section.key)
        if value is None:
            return {}
        known = _TOOL if section.kind is Kind.TOOL else _DEFINITION
        return by_name(
            {
                name: self._definition(section, known, name, value[name], (*path, name))
                for name in value
            }
        )

    def _definition(
        self, section: Section, known: Collection[str], name: str, value: Json, path: Path
    ) -> Entry:
        if not self._object(value, path):
            return Entry(hash="")
        self._known(value, path, known)
        if not value.keys() & _TEXT:
            return self._entry(value, None, path)
        rest = self._member(value, "definition", path)
        if rest is None:
            return Entry(hash="")
        content = {section.identity: name, **self._described(value, rest, path), **rest}
        if section.identity in rest:
            message = "unknown key: the entry's own key is its name"
            self._fault((*path, "definition", section.identity), message)
        entry = self._entry(value, content, path)
        says = entry.invalid is Invalid.SCHEMA
        if says != bad_schema(section.kind, content) and entry.invalid is not Invalid.SECRET:
            self._fault(path, "`invalid` does not fit the schema of this definition")
        return entry

    def _described(self, value: Mapping[str, Json], rest: Json, path: Path) -> dict[str, Json]:
        """The description, where it stands beside the definition."""
        inner = (*path, "definition", "description")
        if "description" not in value:
            if isinstance(rest.get("description"), str):
                self._fault(inner, "text belongs beside `definition`, a line a string")
            return {}
        if "description" in rest:
            self._fault(inner, "stands beside `definition` already")
        return {"description": self._prose(value["description"], (*path, "description"))}

    def _entry(self, value: Mapping[str, Json], content: Json, path: Path) -> Entry:
        """The head that all entries share, and its content held against its hash."""
        if value.get("confirm", "never") != "never":
            self._fault((*path, "confirm"), 'must be "never"')
        if value.get("absent", True) is not True or ("absent" in value and "denied" not in value):
            self._fault((*path, "absent"), "must be true, of a denied entry")
        entry = Entry(
            hash=self._hash(value, "hash", path),
            content=content,
            approved=self._hash(value, "approved", path) if "approved" in value else None,
            denied=self._string(value, "denied", path),
            confirm=value.get("confirm"),
            note=self._string(value, "note", path),
            invalid=self._invalid(value, path) if "invalid" in value else None,
            absent="absent" in value,
        )
        self._fits(entry, path)
        return entry

    def _hash(self, value: Mapping[str, Json], key: str, path: Path) -> str:
        text = value.get(key)
        if isinstance(text, str):
            if _HASH.fullmatch(text):
                return text
            if other := _OTHER_HASH.fullmatch(text):
                self._fault((*path, key), f"unknown hash `{other['prefix'][:20]}`: {UPGRADE}")
                return ""
        self._fault((*path, key), "must be `sha256:` and 64 hexadecimal digits")
        return ""

    def _invalid(self, value: Mapping[str, Json], path: Path) -> Invalid | None:
        code = value["invalid"]
        if code not in list(Invalid):
            self._fault((*path, "invalid"), f"must be one of {', '.join(Invalid)}")
            return None
        return Invalid(code)

    def _fits(self, entry: Entry, path: Path) -> None:
        if entry.content is None:
            if entry.invalid in _WITH_CONTENT:
                self._fault(path, "the text of this entry is missing")
            return
        if entry.invalid not in _WITH_CONTENT:
            self._fault(path, f"an entry that is invalid ({entry.invalid}) holds no text")
            return
        try:
            fits = hash_value(entry.content) == entry.hash
        except JsonFault as fault:
            self._fault(path, f"its text has no canonical form: {fault.message}")
            return
        if not fits and entry.hash:
            self._faults.misfit(path, "does not fit the text of this entry; one was edited")

    def _prose(self, value: Json, path: Path) -> str:
        good = isinstance(value, list) and value and all(isinstance(line, str) for line in value)
        if not good or any("\n" in line for line in value):
            self._fault(path, "must be a list of strings, one a line")
            return ""
        return "\n".join(value)

    def _string(self, value: Mapping[str, Json], key: str, path: Path) -> str | None:
        text = value.get(key)
        if key in value and not isinstance(text, str):
            self._fault((*path, key), "must be a string")
        return text

    def _object(self, value: Json, path: Path) -> TypeGuard[dict[str, Json]]:
        if not isinstance(value, dict):
            self._fault(path, "must be an object")
        return isinstance(value, dict)

    def _member(self, value: Mapping[str, Json], key: str, path: Path) -> dict[str, Json] | None:
        """The object under `key`, which must be there."""
        if key not in value:
            self._fault((*path, key), "is missing")
            return None
        item = value[key]
        return item if self._object(item, (*path, key)) else None

    def _known(self, value: Mapping[str, Json], path: Path, known: Collection[str]) -> None:
        for key in sorted(value.keys() - known):
            from mcplock.naming import nearest

            near = nearest(key, sorted(known))
            self._fault((*path, key), f"unknown key; {near}" if near else "unknown key")
