"""The text of mcp.lock -> `Lock`, strictly: every fault at once, nothing guessed."""

import re
from collections.abc import Collection, Mapping
from typing import NoReturn, TypeGuard

from mcplock.canonical import PREFIX, hash_value
from mcplock.definitions import bad_schema
from mcplock.errors import Fault, FaultyFile
from mcplock.jsontext import (
    Json,
    JsonFault,
    Path,
    duplicate_keys,
    line_at,
    lines,
    parse,
    placed,
)
from mcplock.lockfile.writer import VERSION, chunks
from mcplock.model import (
    SECTIONS,
    Entries,
    Entry,
    Invalid,
    Lock,
    LockedServer,
    Section,
    ServerInfo,
)
from mcplock.text import visible

UPGRADE = "upgrade mcplock: a newer version wrote this file"
_HEAD = ("hash", "approved", "denied", "confirm", "note", "invalid", "absent")
_SOURCE = ("type", "command", "args", "cwd", "env", "url", "headers", "capabilities")
_SERVER = ("source", "package", "protocol", "server", "instructions", "varying", "profiles")
_HASH = re.compile(r"sha256:[0-9a-f]{64}")
_PREFIXED = re.compile(r"[a-z0-9-]+:[0-9a-f]+")
_CONFLICT = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?: .*)?$", re.MULTILINE)
# A definition's content stands in the lock unless one of these says why it cannot.
_WITH_CONTENT = (None, Invalid.SCHEMA, Invalid.SECRET)


def read_lock(data: bytes, name: str) -> tuple[Lock, bool]:
    """The lock that `data` holds, and whether it is written as the writer writes it.

    `name` is how messages call the file. Raises `FaultyFile` with every fault: conflict
    markers, syntax, duplicate and unknown keys, a newer version, wrong types, a hash that
    does not fit its content.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FaultyFile([Fault(name, line, "", "not UTF-8; save it as UTF-8")]) from None
    reader = _Reader(name, text)
    lock = reader.lock(_value(name, text))
    reader.finish()
    if _is_written(lock, data):
        return lock, True  # and so no key is there twice: the writer would not have done it
    twice = [
        Fault(name, line, _dotted(path), "this key is there twice")
        for path, line in duplicate_keys(text)
    ]
    if twice:
        raise FaultyFile(twice)
    return lock, False


def _is_written(lock: Lock, data: bytes) -> bool:
    at = 0
    for chunk in chunks(lock):
        piece = chunk.encode()
        if not data.startswith(piece, at):
            return False
        at += len(piece)
    return at == len(data)


def _value(name: str, text: str) -> Json:
    try:
        return parse(text, unique_keys=False)
    except JsonFault as fault:
        _refuse(name, text, fault)


def _refuse(name: str, text: str, fault: JsonFault) -> NoReturn:
    if not text.strip():
        hint = "restore it with `git checkout mcp.lock`, or delete it and run `mcplock install`"
        raise FaultyFile([Fault(name, 0, "", "the file is empty")], hint=hint)
    marks = list(_CONFLICT.finditer(text))
    if marks:
        faults = [
            Fault(name, line_at(text, mark.start()), "", f"conflict marker {mark[0][:7]}")
            for mark in marks
        ]
        hint = "take one side, `git checkout --ours mcp.lock` or `--theirs`, then `mcplock update`"
        raise FaultyFile(faults, hint=hint)
    fault = placed(text, fault)
    message = f"not JSON: {fault.message}"
    raise FaultyFile([Fault(name, line_at(text, fault.position), "", message)])


def _dotted(path: Path) -> str:
    return ".".join(visible(str(step)) for step in path)


class _Reader:
    """Builds the lock and notes the faults; the values built beside a fault are not used."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self.faults: list[tuple[Path, str]] = []

    def finish(self) -> None:
        """Raise what was noted, each with the line of its key."""
        if not self.faults:
            return
        places = lines(self.text, [path for path, _ in self.faults])
        newer = any(message == UPGRADE for _, message in self.faults)
        raise FaultyFile(
            [
                Fault(self.name, places.get(path, 0), _dotted(path), message)
                for path, message in self.faults
            ],
            hint="" if newer else "restore the line with `git checkout mcp.lock`",
        )

    def fault(self, path: Path, message: str) -> None:
        self.faults.append((path, message))

    def object(self, value: Json, path: Path) -> TypeGuard[dict[str, Json]]:
        if not isinstance(value, dict):
            self.fault(path, "must be an object")
            return False
        return True

    def known(self, value: Mapping[str, Json], path: Path, *keys: Collection[str]) -> None:
        for key in value:
            if not any(key in group for group in keys):
                self.fault((*path, key), "unknown key")

    def lock(self, value: Json) -> Lock:
        if not self.object(value, ()):
            return Lock()
        version = value.get("lockfileVersion")
        if not isinstance(version, int) or isinstance(version, bool) or version < 1:
            self.fault(("lockfileVersion",), "must be 1")
            return Lock()
        if version > VERSION:
            self.fault(("lockfileVersion",), UPGRADE)
            return Lock()
        self.known(value, (), ("lockfileVersion", "servers"))
        servers = value.get("servers")
        if not self.object(servers, ("servers",)):
            return Lock()
        return Lock({name: self.server(servers[name], ("servers", name)) for name in servers})

    def server(self, value: Json, path: Path) -> LockedServer:
        if not self.object(value, path):
            return LockedServer(Entry(hash=""))
        self.known(value, path, _SERVER, [section.key for section in SECTIONS])
        protocol = value.get("protocol")
        if protocol is not None and not isinstance(protocol, str):
            self.fault((*path, "protocol"), "must be a string")
        return LockedServer(
            source=self.source(value.get("source"), (*path, "source")),
            package=self.package(value["package"], path) if "package" in value else None,
            protocol=protocol,
            info=self.info(value["server"], (*path, "server")) if "server" in value else None,
            instructions=self.instructions(value, path) if "instructions" in value else None,
            definitions={
                section.kind: self.section(section, value[section.key], (*path, section.key))
                for section in SECTIONS
                if section.key in value
            },
            reserved={key: value[key] for key in ("varying", "profiles") if key in value},
        )

    def source(self, value: Json, path: Path) -> Entry:
        if not self.object(value, path):
            return Entry(hash="")
        self.known(value, path, _HEAD, _SOURCE)
        content = {key: item for key, item in value.items() if key not in _HEAD}
        if content.get("type") not in ("stdio", "http", "sse"):
            self.fault((*path, "type"), "must be stdio, http or sse")
        for key, item in content.items():
            self.source_value(key, item, (*path, key))
        return self.entry(value, content, path)

    def source_value(self, key: str, item: Json, path: Path) -> None:
        match key:
            case "args" | "capabilities":
                if not (isinstance(item, list) and all(isinstance(word, str) for word in item)):
                    self.fault(path, "must be a list of strings")
            case "env" | "headers":
                if not (isinstance(item, dict) and all(isinstance(v, str) for v in item.values())):
                    self.fault(path, "must be an object of strings")
            case _:
                if not isinstance(item, str):
                    self.fault(path, "must be a string")

    def package(self, value: Json, path: Path) -> Entry:
        path = (*path, "package")
        if not self.object(value, path):
            return Entry(hash="")
        content = {key: item for key, item in value.items() if key not in _HEAD}
        return self.entry(value, content, path)

    def info(self, value: Json, path: Path) -> ServerInfo:
        if not self.object(value, path):
            return ServerInfo()
        self.known(value, path, ("name", "version"))
        for key in ("name", "version"):
            if not isinstance(value.get(key), str):
                self.fault((*path, key), "must be a string")
        return ServerInfo(value.get("name", ""), value.get("version", ""))

    def instructions(self, server: Mapping[str, Json], path: Path) -> Entry:
        value = server["instructions"]
        path = (*path, "instructions")
        if not self.object(value, path):
            return Entry(hash="")
        self.known(value, path, _HEAD, ("text",))
        text = self.prose(value["text"], (*path, "text")) if "text" in value else None
        return self.entry(value, text, path)

    def prose(self, value: Json, path: Path) -> str:
        good = isinstance(value, list) and value and all(isinstance(line, str) for line in value)
        if not good or any("\n" in line for line in value):
            self.fault(path, "must be a list of strings, one a line")
            return ""
        return "\n".join(value)

    def section(self, section: Section, value: Json, path: Path) -> Entries:
        if not self.object(value, path):
            return {}
        return {
            name: self.definition(section, name, item, (*path, name))
            for name, item in value.items()
        }

    def definition(self, section: Section, name: str, value: Json, path: Path) -> Entry:
        if not self.object(value, path):
            return Entry(hash="")
        self.known(value, path, _HEAD, ("description", "definition"))
        if "definition" not in value:
            return self.entry(value, None, path)
        rest = value["definition"]
        inner = (*path, "definition")
        if not self.object(rest, inner):
            return Entry(hash="")
        if section.identity in rest:
            self.fault((*inner, section.identity), "unknown key: the entry's own key is its name")
        content: dict[str, Json] = {section.identity: name}
        if "description" in value:
            if "description" in rest:
                self.fault((*inner, "description"), "stands beside `definition` already")
            content["description"] = self.prose(value["description"], (*path, "description"))
        elif isinstance(rest.get("description"), str):
            self.fault((*inner, "description"), "text belongs beside `definition`, a line a string")
        content |= rest
        entry = self.entry(value, content, path)
        if (entry.invalid is Invalid.SCHEMA) != bad_schema(section.kind, content) and (
            entry.invalid is not Invalid.SECRET
        ):
            self.fault(path, "`invalid` does not fit the schema of this definition")
        return entry

    def entry(self, value: Mapping[str, Json], content: Json, path: Path) -> Entry:
        """The head that all entries share, and its content held against its hash."""
        for key in ("denied", "note"):
            if key in value and not isinstance(value[key], str):
                self.fault((*path, key), "must be a string")
        if value.get("confirm", "never") != "never":
            self.fault((*path, "confirm"), 'must be "never"')
        if value.get("absent", True) is not True or ("absent" in value and "denied" not in value):
            self.fault((*path, "absent"), "must be true, of a denied entry")
        entry = Entry(
            hash=self.hash(value, "hash", path),
            content=content,
            approved=self.hash(value, "approved", path) if "approved" in value else None,
            denied=value.get("denied"),
            confirm=value.get("confirm"),
            note=value.get("note"),
            invalid=self.invalid(value, path),
            absent="absent" in value,
        )
        self.fits(entry, path)
        return entry

    def hash(self, value: Mapping[str, Json], key: str, path: Path) -> str:
        text = value.get(key)
        if isinstance(text, str) and _HASH.fullmatch(text):
            return text
        if isinstance(text, str) and _PREFIXED.fullmatch(text) and not text.startswith(PREFIX):
            self.fault((*path, key), UPGRADE)
        else:
            self.fault((*path, key), "must be `sha256:` and 64 hexadecimal digits")
        return ""

    def invalid(self, value: Mapping[str, Json], path: Path) -> Invalid | None:
        code = value.get("invalid")
        if code is None and "invalid" not in value:
            return None
        if code not in list(Invalid):
            self.fault((*path, "invalid"), f"must be one of {', '.join(Invalid)}")
            return None
        return Invalid(code)

    def fits(self, entry: Entry, path: Path) -> None:
        if entry.content is None:
            if entry.invalid in _WITH_CONTENT:
                self.fault(path, "the text of this entry is missing")
            return
        if entry.invalid not in _WITH_CONTENT:
            self.fault(path, f"an entry that is invalid ({entry.invalid}) holds no text")
            return
        try:
            fits = hash_value(entry.content) == entry.hash
        except JsonFault as fault:
            self.fault(path, f"its text has no canonical form: {fault.message}")
            return
        if not fits and entry.hash:
            self.fault((*path, "hash"), "does not fit the text of this entry; one was edited")
