"""The text of a lock -> what of it an agent may have, the quick way.

Loading is on the way of every agent's start, so this takes little more than reading the
JSON and hashing it: no model is built, and nothing is imported but what that needs (that is
why records are named tuples here). What is in any way unusual is left to the strict reader,
which has the last word on every fault: this module accepts nothing that it would refuse.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from mcplock.canonical import PREFIX, canonical_bytes, digest
from mcplock.exported import exported_name
from mcplock.jsontext.faults import Json
from mcplock.jsontext.strict import integral, not_json, unique
from mcplock.records import NamedTuple

if TYPE_CHECKING:
    from mcplock.model import Entry, Lock, LockedServer


class Tool(NamedTuple):
    """A tool that an agent may have: the definition that a person approved.

    server: its key in the manifest; name: what the server calls it; hash: of the whole
    definition; confirm: whether a call that an agent makes needs a person's yes; content: the
    definition as it was approved, which all share that only read it: every other attribute
    gives a copy.

    >>> tool = Tool("git", "log", "sha256:0", True, {"name": "log", "description": "History."})
    >>> tool.exported, tool.description, tool.input_schema
    ('mcp__git__log', 'History.', {'type': 'object'})
    """

    server: str
    name: str
    hash: str
    confirm: bool
    content: dict[str, Json]

    @property
    def id(self) -> str:
        """`server/tool`, as the commands of mcplock name it."""
        return f"{self.server}/{self.name}"

    @property
    def exported(self) -> str:
        """The name that every export gives it, such as `mcp__git__log`."""
        return exported_name(self.server, self.name)

    def __hash__(self) -> int:
        return hash((self.server, self.name, self.hash))

    @property
    def title(self) -> str | None:
        """The name for people, where the server gives one."""
        title = self.content.get("title")
        return title if isinstance(title, str) else None

    @property
    def description(self) -> str:
        """What an agent reads; "" where there is none."""
        description = self.content.get("description")
        return description if isinstance(description, str) else ""

    @property
    def input_schema(self) -> dict[str, Json]:
        """A fresh copy of the schema of its arguments."""
        schema: dict[str, Json] = copied(self.content.get("inputSchema")) or {"type": "object"}
        return schema

    @property
    def output_schema(self) -> dict[str, Json] | None:
        """A fresh copy of the schema of its structured results, where there is one."""
        schema: dict[str, Json] | None = copied(self.content.get("outputSchema"))
        return schema

    @property
    def definition(self) -> dict[str, Json]:
        """A fresh copy of the whole definition."""
        return {key: copied(value) for key, value in self.content.items()}

    @property
    def wire(self) -> dict[str, Json]:
        """The same: the definition as the server sent it."""
        return self.definition


def copied(value: Json) -> Json:
    """A deep copy of a JSON value."""
    match value:
        case dict():
            return {key: copied(item) for key, item in value.items()}
        case list():
            return [copied(item) for item in value]
        case _:
            return value


class Omitted(NamedTuple):
    """A tool of the lock that an agent may not have, and why."""

    server: str
    tool: str
    reason: str


class Approved(NamedTuple):
    """What of a lock an agent may have, in the order of the lock, and what it may not.

    instructions: by server, those that are approved; servers: all that the lock has.
    """

    tools: list[Tool]
    omitted: list[Omitted]
    instructions: dict[str, str]
    servers: Collection[str] = ()


def of_lock(lock: "Lock", closed: Mapping[str, str] | None = None) -> Approved:
    """What of a lock that was read strictly an agent may have.

    closed: servers of which nothing may be used, and why.
    """
    from mcplock.model import Kind, State

    closed = closed or {}
    found = Approved([], [], {}, lock.servers.keys())
    for name, server in lock.servers.items():
        instructions = server.instructions
        if instructions and instructions.state is State.APPROVED and name not in closed:
            found.instructions[name] = instructions.content
        blocked = blocked_by(server)
        for tool, entry in server.of(Kind.TOOL).items():
            if name in closed:
                found.omitted.append(Omitted(name, tool, closed[name]))
            else:
                _sort(found, (name, tool), _head(entry), entry.content, blocked)
    return found


_Head = Mapping[str, Json]
"""The keys of an entry from which its state follows, as they stand in the lock."""


def _head(entry: "Entry") -> _Head:
    head = {
        "hash": entry.hash,
        "approved": entry.approved,
        "denied": entry.denied,
        "invalid": entry.invalid and entry.invalid.value,
        "confirm": entry.confirm,
    }
    return {key: value for key, value in head.items() if value is not None}


def _state(head: _Head) -> str:
    """The state of an entry, with what is known of its reason; "" is approved."""
    if "denied" in head:
        return f"denied: {head['denied']}" if head["denied"] else "denied"
    if "invalid" in head:
        return f"invalid: {head['invalid']}"
    if head.get("approved") == head["hash"]:
        return ""
    return "changed" if "approved" in head else "new"


def _blocked(source: _Head, package: _Head | None) -> str:
    """Why no tool of a server may be used; "" where that is not so."""
    if state := _state(source):
        return f"its server's source is {state}"
    return "its server's package is changed" if package and _state(package) == "changed" else ""


def blocked_by(server: "LockedServer") -> str:
    """Why no tool of `server` may be used, by its source or its package; "" where one may."""
    return _blocked(_head(server.source), _head(server.package) if server.package else None)


def _sort(found: Approved, name: tuple[str, str], head: _Head, wire: Json, blocked: str) -> None:
    """Put a tool to the ones that may be used, or to the others with the reason."""
    reason = _state(head) or blocked
    if reason:
        found.omitted.append(Omitted(*name, reason))
    else:
        found.tools.append(Tool(*name, head["hash"], head.get("confirm") != "never", wire))


class _Unusual(Exception):
    """Not as the quick way knows it; whether it is a fault, the strict reader says."""


def of_text(data: bytes) -> Approved | None:
    """What of the lock in `data` an agent may have; None where that takes the strict reader."""
    try:
        return _Quick().lock(data)
    except (_Unusual, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


_HEAD = frozenset({"hash", "approved", "denied", "confirm", "note", "invalid", "absent"})
_PLAIN = {"hash", "approved", "description", "definition"}
_SOURCE = {
    **dict.fromkeys(("type", "command", "cwd", "url"), str),
    **dict.fromkeys(("args", "capabilities"), list),
    **dict.fromkeys(("env", "headers", "oauth"), dict),
}
_IDENTITIES = {
    "tools": "name",
    "prompts": "name",
    "resourceTemplates": "uriTemplate",
    "resources": "uri",
}
_KNOWN = {"source", *_IDENTITIES}
_CODES = ("duplicate-key", "number", "surrogate", "depth", "duplicate-name")
_HEXADECIMAL = frozenset("0123456789abcdef")


def _expect(condition: bool) -> None:
    if not condition:
        raise _Unusual


class _Quick:
    """One walk through a lock; what is not as expected is `_Unusual`."""

    def __init__(self) -> None:
        self.plain_doubles = True
        self.found = Approved([], [], {})

    def lock(self, data: bytes) -> Approved:
        # Integers as the interpreter reads them: those that are too long for it are unusual.
        decoder = json.JSONDecoder(
            object_pairs_hook=unique, parse_float=self.double, parse_constant=not_json
        )
        value = decoder.decode(data.decode())
        _expect(value.keys() == {"lockfileVersion", "servers"} and value["lockfileVersion"] == 1)
        _expect(value["lockfileVersion"] is not True)
        for name, server in value["servers"].items():
            self.server(name, server)
        return self.found._replace(servers=value["servers"].keys())

    def double(self, digits: str) -> int | float:
        value = integral(digits)
        if isinstance(value, float) and "e" in repr(value):
            self.plain_doubles = False
        return value

    def server(self, name: str, server: dict[str, Json]) -> None:
        source = server["source"]
        self.source(source)
        for key, value in server.items():
            if key == "package":
                self.own(value, {key: item for key, item in value.items() if key not in _HEAD})
            elif key == "server":
                _expect(value.keys() == {"name", "version"} and _are(value.values(), str))
            elif key == "instructions":
                self.instructions(name, value)
            else:
                _expect(key in _KNOWN or (key == "protocol" and isinstance(value, str)))
        blocked = _blocked(source, server.get("package"))
        for section, identity in _IDENTITIES.items():
            for item, entry in server.get(section, {}).items():
                wire = self.definition(identity, item, entry)
                if section == "tools":
                    _expect(wire is None or _schemas_fit(wire, entry.get("invalid")))
                    _sort(self.found, (name, item), entry, wire, blocked)
                else:
                    _expect(wire is None or entry.get("invalid") in (None, "secret"))

    def definition(self, identity: str, name: str, entry: dict[str, Json]) -> Json:
        """The wire object of a definition; None where the lock holds none."""
        keys = entry.keys()
        if "definition" not in keys:
            self.head(entry, ())
            _expect(entry["invalid"] in _CODES)
            return None
        if not keys <= _PLAIN or entry.get("approved") != entry["hash"]:
            self.head(entry, ("description", "definition"))
        rest = entry["definition"]
        wire = {identity: name, **rest}
        if "description" in keys:
            wire["description"] = _prose(entry["description"])
        elif isinstance(rest.get("description"), str):
            raise _Unusual
        if len(wire) != len(rest) + 1 + ("description" in keys):
            raise _Unusual  # the name or the description stands in both places
        self.content(wire, entry["hash"])
        return wire

    def content(self, value: Json, hashed: str) -> None:
        """Hold `value` against its hash."""
        data = canonical_bytes(value, plain_doubles=self.plain_doubles)
        if digest(data) != hashed:
            raise _Unusual

    def source(self, source: dict[str, Json]) -> None:
        content = {key: value for key, value in source.items() if key not in _HEAD}
        for key, value in content.items():
            _expect(isinstance(value, _SOURCE[key]))
            if not isinstance(value, str):
                _expect(_are(value.values() if isinstance(value, dict) else value, str))
        _expect(content["type"] in ("stdio", "http", "sse"))
        self.own(source, content)

    def own(self, entry: dict[str, Json], content: Json) -> None:
        """Check an entry whose content stands beside its head."""
        self.head(entry, content)
        self.content(content, entry["hash"])
        _expect("invalid" not in entry)

    def instructions(self, server: str, entry: dict[str, Json]) -> None:
        self.head(entry, ("text",))
        if "text" not in entry:
            _expect(entry["invalid"] in _CODES)
            return
        text = _prose(entry["text"])
        self.content(text, entry["hash"])
        _expect(entry.get("invalid") in (None, "secret"))
        if not _state(entry):
            self.found.instructions[server] = text

    def head(self, entry: dict[str, Json], more: Iterable[str]) -> None:
        """Check what all entries may have; `more` are the keys that stand beside it."""
        _expect(entry.keys() <= _HEAD.union(more))
        _expect(all(isinstance(entry[key], str) for key in ("denied", "note") if key in entry))
        _expect(entry.get("confirm", "never") == "never")
        _expect("absent" not in entry or (entry["absent"] is True and "denied" in entry))
        _expect(_is_hash(entry["hash"]) and _is_hash(entry.get("approved", entry["hash"])))


def _is_hash(text: Json) -> bool:
    digits = text.removeprefix(PREFIX)
    return len(digits) == 64 == len(text) - len(PREFIX) and _HEXADECIMAL.issuperset(digits)


def _are(values: Iterable[Json], kind: type) -> bool:
    return all(isinstance(value, kind) for value in values)


def _prose(lines: Json) -> str:
    text = "\n".join(lines)
    if not isinstance(lines, list) or text.count("\n") != len(lines) - 1:
        raise _Unusual
    return text


def _schemas_fit(wire: Mapping[str, Json], invalid: Json) -> bool:
    """Whether an entry is marked invalid for its schemas exactly where it is."""
    given = wire.get("inputSchema", {})
    good = isinstance(given, dict) and given.get("type", "object") == "object"
    good = good and isinstance(wire.get("outputSchema", {}), dict)
    return invalid == "secret" or (invalid is None if good else invalid == "schema")
