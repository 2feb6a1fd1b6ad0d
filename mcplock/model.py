"""What mcplock works on: sources, entries, locked servers, the lock, snapshots, issues.

Everything here is frozen. `content` is wire JSON: `Json` of `mcplock.jsontext`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum, StrEnum
from typing import Self

from mcplock.jsontext import FaultCode, Json
from mcplock.records import NamedTuple


class Kind(Enum):
    """The kinds of entry. The value is the word that JSON documents use (`what`)."""

    SOURCE = "source"
    PACKAGE = "package"
    INSTRUCTIONS = "instructions"
    TOOL = "tool"
    PROMPT = "prompt"
    TEMPLATE = "template"
    RESOURCE = "resource"


class Section(NamedTuple):
    """Where the definitions of one kind stand in the lock and on the wire.

    key: in the lock and in the answer's result; identity: the key of the wire object that
    names a definition; method: what lists them; capability: what a server declares first.
    """

    kind: Kind
    key: str
    identity: str
    method: str
    capability: str


SECTIONS = (
    Section(Kind.TOOL, "tools", "name", "tools/list", "tools"),
    Section(Kind.PROMPT, "prompts", "name", "prompts/list", "prompts"),
    Section(
        Kind.TEMPLATE, "resourceTemplates", "uriTemplate", "resources/templates/list", "resources"
    ),
    Section(Kind.RESOURCE, "resources", "uri", "resources/list", "resources"),
)


class State(StrEnum):
    """Where an entry stands in review: derived, never stored."""

    APPROVED = "approved"
    CHANGED = "changed"
    NEW = "new"
    DENIED = "denied"
    INVALID = "invalid"


class Invalid(StrEnum):
    """Why an entry can be neither exported nor approved."""

    DUPLICATE_KEY = FaultCode.DUPLICATE_KEY.value
    NUMBER = FaultCode.NUMBER.value
    SURROGATE = FaultCode.SURROGATE.value
    DEPTH = FaultCode.DEPTH.value
    DUPLICATE_NAME = "duplicate-name"
    SCHEMA = "schema"
    SECRET = "secret"


class Entry(NamedTuple):
    """A unit of review.

    content: what the hash is of: a source object, the instructions' text, a definition's
    whole wire object; None where it has no canonical form (`invalid` says why).
    raw: then, of what a server said just now, the text of each definition of the name, to be
    shown; no part of the lock.
    """

    hash: str
    content: Json = None
    approved: str | None = None
    denied: str | None = None
    confirm: str | None = None
    note: str | None = None
    invalid: Invalid | None = None
    absent: bool = False
    raw: tuple[str, ...] = ()

    @property
    def state(self) -> State:
        """Derived from what is written."""
        if self.denied is not None:
            return State.DENIED
        if self.invalid is not None:
            return State.INVALID
        if self.approved is None:
            return State.NEW
        return State.APPROVED if self.approved == self.hash else State.CHANGED

    @property
    def waits(self) -> bool:
        """Whether a person has still to decide on it.

        That is so for what is new or changed, and for what was approved with another text and
        became invalid: it cannot be approved, only denied or reset. What nobody approved and
        is invalid needs nobody: no agent ever gets it.
        """
        if self.denied is not None or self.approved == self.hash:
            return False
        return self.invalid is None or self.approved is not None


class Transport(StrEnum):
    """How a server is spoken to."""

    STDIO = "stdio"
    HTTP = "http"
    SSE = "sse"


class Source(NamedTuple):
    """How a server is reached, as written, variables unexpanded.

    oauth: the parameters of a login by their OAuth names, `scope` as one text.
    Secrets that were written literally stand here as their SHA-256 (`sha256:…`).
    """

    type: Transport
    command: str = ""
    args: tuple[str, ...] = ()
    cwd: str = ""
    env: Mapping[str, str] = {}
    url: str = ""
    headers: Mapping[str, str] = {}
    oauth: Mapping[str, str] = {}
    capabilities: tuple[str, ...] = ()

    @classmethod
    def of(cls, content: Mapping[str, Json]) -> Self:
        """The source that the lock holds as `content`."""
        told = {"args": tuple(content.get("args", ())), "type": Transport(content["type"])}
        told["capabilities"] = tuple(content.get("capabilities", ()))
        return cls(**{**content, **told})

    def content(self) -> dict[str, Json]:
        """The object that the lock holds and hashes; what is empty is left out."""
        wire: dict[str, Json] = {"type": self.type.value}
        if self.type is Transport.STDIO:
            wire |= {
                "command": self.command,
                "args": list(self.args),
                "cwd": self.cwd,
                "env": dict(self.env),
            }
        else:
            wire |= {"url": self.url, "headers": dict(self.headers), "oauth": dict(self.oauth)}
        wire["capabilities"] = list(self.capabilities)
        return {key: value for key, value in wire.items() if value}


class ServerInfo(NamedTuple):
    """What a server says of itself; information only."""

    name: str = ""
    version: str = ""


Entries = Mapping[str, Entry]


class LockedServer(NamedTuple):
    """One server of the lock. `definitions`: by kind, then by name, name order."""

    source: Entry
    package: Entry | None = None
    protocol: str | None = None
    info: ServerInfo | None = None
    instructions: Entry | None = None
    definitions: Mapping[Kind, Entries] = {}
    reserved: Mapping[str, Json] = {}

    def of(self, kind: Kind) -> Entries:
        """The definitions of one kind."""
        return self.definitions.get(kind, {})

    @property
    def barred(self) -> bool:
        """Whether a person denied how it is reached: it is not started, whatever its source."""
        return self.source.state is State.DENIED

    def entries(self) -> Iterator[tuple[Kind, str, Entry]]:
        """Every unit of review: (kind, name, entry); the name is "" but for definitions."""
        yield Kind.SOURCE, "", self.source
        if self.package:
            yield Kind.PACKAGE, "", self.package
        if self.instructions:
            yield Kind.INSTRUCTIONS, "", self.instructions
        for section in SECTIONS:
            for name, entry in self.of(section.kind).items():
                yield section.kind, name, entry

    def having(self, entries: Mapping[tuple[Kind, str], Entry]) -> "LockedServer":
        """The server with `entries`, keyed as `entries()` gives them, and no others.

        Without a source among them it keeps its own: there is no server without one.
        """
        definitions: dict[Kind, dict[str, Entry]] = {}
        for section in SECTIONS:
            names = sorted(name for kind, name in entries if kind is section.kind)
            if names:
                definitions[section.kind] = {name: entries[section.kind, name] for name in names}
        return self._replace(
            source=entries.get((Kind.SOURCE, ""), self.source),
            package=entries.get((Kind.PACKAGE, "")),
            instructions=entries.get((Kind.INSTRUCTIONS, "")),
            definitions=definitions,
        )

    def usable(self, entry: Entry) -> bool:
        """Whether an agent may have this definition of the server."""
        return (
            entry.state is State.APPROVED
            and self.source.state is State.APPROVED
            and (self.package is None or self.package.state is not State.CHANGED)
        )


class Lock(NamedTuple):
    """The content of `mcp.lock`: servers by name, name order."""

    servers: Mapping[str, LockedServer] = {}


class Stage(StrEnum):
    """Where something went wrong."""

    RESOLVE = "resolve"
    START = "start"
    CONNECT = "connect"
    LIST = "list"
    TOOL = "tool"
    CALL = "call"


class Issue(NamedTuple):
    """Something that went wrong with one server or one tool, without ending the rest.

    bug: the error that nobody foresaw, where mcplock itself failed and not the server.
    """

    server: str
    stage: Stage
    message: str
    name: str = ""
    hint: str = ""
    bug: Exception | None = None


class Status(StrEnum):
    """What is to be said of one server."""

    OK = "ok"
    DRIFT = "drift"
    UNREVIEWED = "unreviewed"
    UNLOCKED = "unlocked"
    UNTRUSTED = "untrusted"
    UNREACHABLE = "unreachable"
    UNRESOLVED = "unresolved"
    DISABLED = "disabled"


class Snapshot(NamedTuple):
    """What one server answered in one run.

    failure: why there is no (whole) answer; then nothing of the snapshot may be written.
    status: `ok`, or with a failure `unreachable` or `unresolved`.
    issues: what was skipped or repaired: unnamed definitions, equal duplicates, noise.
    """

    server: str
    protocol: str | None = None
    info: ServerInfo | None = None
    instructions: Entry | None = None
    definitions: Mapping[Kind, Entries] = {}
    failure: Issue | None = None
    status: Status = Status.OK
    issues: Sequence[Issue] = ()

    def of(self, kind: Kind) -> Entries:
        """The definitions of one kind."""
        return self.definitions.get(kind, {})


class Place:
    """Where something is written: `file` as it is shown, `line` from 1 or 0.

    In place of the line there may be what finds it: most runs never ask.
    """

    def __init__(self, file: str, line: int | Callable[[], int] = 0) -> None:
        self.file = file
        self._line = line

    @property
    def line(self) -> int:
        """The line, found when it is asked for."""
        if not isinstance(self._line, int):
            self._line = self._line()
        return self._line

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and (self.file, self.line) == (other.file, other.line)

    def __hash__(self) -> int:
        return hash((self.file, self.line))

    def __repr__(self) -> str:
        return f"Place({self.file!r}, {self.line})"

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file
