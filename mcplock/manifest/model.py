"""What a manifest says: servers, and how one is launched once its variables are known."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from mcplock.errors import Fault
from mcplock.model import Issue, Place, Source, Transport
from mcplock.records import NamedTuple

DEFAULT_TIMEOUT = 120.0


class Server(NamedTuple):
    """One entry of the manifest; `name`, its key, is the identity.

    source: as the lock holds it: variables unexpanded, literal secrets as `sha256:…`.
    timeout: seconds for start, handshake and listing together.
    resources: whether `resources/list` is locked too.
    trust_annotations: whether a person believes what it says of its tools, such as that one
    only reads.
    redirect_port: where a browser comes back to after a login; 0: any that is free.
    literals: `sha256:…` of an allowed literal secret -> the literal.
    refused: why this server alone cannot be used; the others can.
    """

    name: str
    source: Source
    place: Place
    timeout: float = DEFAULT_TIMEOUT
    disabled: bool = False
    resources: bool = False
    redirect_port: int = 0
    trust_annotations: bool = False
    literals: Mapping[str, str] = {}
    refused: Issue | None = None

    def is_as(self, other: "Server") -> bool:
        """Whether `other` says the same of a server of this name, wherever it stands."""
        alike = other._replace(place=self.place, refused=self.refused)
        return self == alike and (self.refused is None) == (other.refused is None)

    def __repr__(self) -> str:
        """Without the literals."""
        return f"Server({self.name!r}, {self.source!r}, {self.place!r})"


class Manifest(NamedTuple):
    """A manifest and its includes, read completely.

    path: the manifest itself, absolute; servers: by name, in the order written.
    warnings: what is odd but no fault, such as a key that is not known. left_out: servers that
    are named and not described, as one that is only switched off. again: what included files
    say a second time, word for word. files: all that were read, links followed.
    """

    path: Path
    servers: Mapping[str, Server]
    confirm: str = "all"
    client_name: str = "mcplock"
    warnings: Sequence[Fault] = ()
    left_out: Sequence[str] = ()
    again: Sequence[Server] = ()
    files: Collection[Path] = ()

    @property
    def names(self) -> frozenset[str]:
        """All servers that it names."""
        return frozenset((*self.servers, *self.left_out))

    @property
    def directory(self) -> Path:
        """What relative paths in the manifest are relative to."""
        return self.path.parent

    @property
    def lock_path(self) -> Path:
        """The lock beside the manifest."""
        return self.path.with_name("mcp.lock")


class Launch(NamedTuple):
    """A source with its variables expanded: what is really started or connected to.

    env: what the manifest names, nothing inherited. cwd: absolute.
    secrets: value -> `${NAME}`, longest first: every value of eight or more characters that
    came from a variable under a secret-looking name, a header or a URL's userinfo or query;
    of an allowed literal secret -> its `sha256:…`.
    values: the same for what is printed: `secrets`, and every value that came from a variable,
    in each form in which a message may have it; too short ones excepted (`MIN_VALUE`).
    No value appears in the repr.
    """

    type: Transport
    command: str = ""
    args: tuple[str, ...] = ()
    cwd: Path = Path()
    env: Mapping[str, str] = {}
    url: str = ""
    headers: Mapping[str, str] = {}
    oauth: Mapping[str, str] = {}
    capabilities: tuple[str, ...] = ()
    secrets: Mapping[str, str] = {}
    values: Mapping[str, str] = {}

    def __repr__(self) -> str:
        """Without what came from variables."""
        return f"Launch({self.type!r}, {self.command!r}, cwd={self.cwd!r})"


class Unresolved(Exception):
    """A server's source names something that this run does not have; `issue` says what."""

    def __init__(self, issue: Issue) -> None:
        super().__init__(issue.message)
        self.issue = issue
