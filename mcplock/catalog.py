"""What agents load: the approved tools of a lock, without a server, a network or the SDK."""

import gc
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from mcplock.approved import Approved, Omitted, Tool, copied, of_lock, of_text
from mcplock.canonical import hash_value
from mcplock.errors import Fault, FaultyFile, MissingFile
from mcplock.files import read_bytes, shown
from mcplock.levels import LOCK_NAME, merged, user_lock

if TYPE_CHECKING:
    from typing import Unpack

    from mcplock.live import Confirm, Live, SyncLive
    from mcplock.live.sync import How
    from mcplock.search import Hit, Index

__all__ = ["Catalog", "Omitted", "Tool", "load"]


class Catalog:
    """Approved tools, frozen: what a person accepted, byte for byte.

    It is a collection of `Tool`, in the order of the lock. Names that a method takes are
    exported ones (`mcp__git__log`) or those of the commands (`git/log`).

    >>> catalog = load("mcp.lock")
    >>> [tool.exported for tool in catalog]
    ['mcp__docs__search', 'mcp__git__log']
    >>> "git/log" in catalog, "git/push" in catalog
    (True, False)
    >>> [(tool.tool, tool.reason) for tool in catalog.omitted]
    [('fetch', 'new'), ('push', 'denied: not from here')]
    """

    __slots__ = ("_approved", "_by_name", "_hash", "_index", "_origin", "_user_lock")
    _approved: Approved
    _by_name: dict[str, Tool]
    _hash: str
    _index: "Index"
    _origin: Path
    _user_lock: Path | None

    def __init__(
        self, approved: Approved, origin: Path | None = None, user_lock: Path | None = None
    ) -> None:
        """origin: the file that it was read from; its servers are named in a manifest nearby.

        user_lock: where the other servers are, which are the user's own.
        """
        self._keep("_approved", approved)
        self._keep("_origin", origin or Path(LOCK_NAME))
        self._keep("_user_lock", user_lock)

    def _keep(self, name: str, value: object) -> None:
        """Set what is worked out once."""
        object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a catalog is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a catalog is frozen: {name} cannot be deleted")

    def __repr__(self) -> str:
        return f"<Catalog: {len(self)} tools, {len(self.omitted)} omitted, {self.hash[:19]}>"

    def __len__(self) -> int:
        return len(self._approved.tools)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._approved.tools)

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    def __getitem__(self, name: str) -> Tool:
        """The tool called `name`; `KeyError` says why it is not here, where that is known."""
        tool = self.get(name)
        if tool is None:
            raise KeyError(self.why_not(name))
        return tool

    @property
    def tools(self) -> tuple[Tool, ...]:
        """All tools, in the order of the lock."""
        return tuple(self._approved.tools)

    @property
    def omitted(self) -> tuple[Omitted, ...]:
        """The tools of the lock that no agent gets, each with its reason."""
        return tuple(self._approved.omitted)

    @property
    def instructions(self) -> Mapping[str, str]:
        """By server, the instructions that a person approved."""
        return dict(self._approved.instructions)

    @property
    def hash(self) -> str:
        """The hash over the tools and instructions; what is omitted does not change it.

        An export as `mcp` has the same; one as `jsonl` holds no instructions.
        """
        if not hasattr(self, "_hash"):
            tools = [[tool.server, tool.name, tool.hash] for tool in self]
            self._keep("_hash", hash_value([tools, self._approved.instructions]))
        return self._hash

    def get(self, name: str) -> Tool | None:
        """The tool called `name`, or None.

        >>> load("mcp.lock").get("mcp__git__log").description
        'Shows the history.'
        """
        return self._names().get(name)

    def only(self, *patterns: str) -> "Catalog":
        """The catalog of those tools that one of `patterns` names.

        A pattern is a server, a `server/tool`, or either with `*`, `?` and `[…]`.

        >>> [tool.id for tool in load("mcp.lock").only("git", "*/search*")]
        ['docs/search', 'git/log']
        """
        return self._chosen(lambda tool: _named(tool, patterns))

    def without(self, *patterns: str) -> "Catalog":
        """The catalog of those tools that none of `patterns` names.

        >>> [tool.id for tool in load("mcp.lock").without("git/*")]
        ['docs/search']
        """
        return self._chosen(lambda tool: not _named(tool, patterns))

    def export(self, format: str, *, strict: bool = False, **options: Any) -> Any:  # noqa: A002
        """The tools in the shape of a provider: a fresh JSON value.

        format: `mcp`, `openai`, `openai-responses`, `anthropic`, `gemini`, `bedrock` or
        `jsonl`; options: the fields of `mcplock.exporters.Options` that the format takes.
        With `strict` a change that a schema had to suffer is a `Refused`.

        >>> tools = load("mcp.lock").only("git").export("anthropic")
        >>> [tool["name"] for tool in tools]
        ['mcp__git__log']
        """
        from mcplock.exporters import Options
        from mcplock.exporters.make import make, refuse_losses

        found = self._approved
        made = make(found.tools, format, Options(**options), instructions=found.instructions)
        if strict:
            refuse_losses(made.tools)
        return copied(made.document)

    def search(self, query: str, limit: int = 10) -> list["Hit"]:
        """The tools that fit `query` best, each with its score, best first.

        >>> [hit.tool.id for hit in load("mcp.lock").search("show the commits")]
        ['git/log']
        """
        if not hasattr(self, "_index"):
            from mcplock.search import Index

            self._keep("_index", Index(self._approved.tools))
        return self._index.search(query, limit)

    def connect(
        self,
        *,
        confirm: "Confirm | None" = None,
        trust_sources: bool = False,
        trust_lock: bool = False,
        manifest: str | os.PathLike[str] | None = None,
        environ: Mapping[str, str] | None = None,
        ca_file: str | os.PathLike[str] | None = None,
    ) -> "Live":
        """The tools, ready to be called: `async with catalog.connect() as live`.

        confirm: asked before each call of a tool whose `confirm` is true, with the tool and
        the arguments; it may be a coroutine function. trust_sources: start servers that
        `mcplock trust` was not asked about on this machine; trust_lock: call without
        comparing first, and compare where a call fails; manifest: where the servers are
        named, by default beside the lock; environ: where their variables come from, by
        default this process's; ca_file: certificates to trust beside the system's.

        Nothing is started before the first call. Raises `MissingFile` and `FaultyFile`.
        """
        from mcplock.live.gate import open_gates
        from mcplock.live.line import Setting
        from mcplock.live.live import Live
        from mcplock.trust import user_state_dir

        environ = os.environ if environ is None else environ
        gates = open_gates(
            self._origin,
            self._user_lock,
            Path(manifest).absolute() if manifest else None,
            user_state_dir(environ),
            trust_sources=trust_sources,
        )
        certificates = Path(ca_file) if ca_file else None
        return Live(self, gates, Setting(environ, trust_lock, certificates), confirm)

    def connect_sync(self, **how: "Unpack[How]") -> "SyncLive":
        """As `connect`, for scripts: `with catalog.connect_sync() as live`."""
        from mcplock.live.sync import SyncLive

        return SyncLive(self.connect(**how))

    def _names(self) -> dict[str, Tool]:
        """By each of its names, every tool; the exported ones come first."""
        if not hasattr(self, "_by_name"):
            names = {tool.id: tool for tool in self} | {tool.exported: tool for tool in self}
            self._keep("_by_name", names)
        return self._by_name

    def left_out(self, name: str) -> Omitted | None:
        """The locked tool called `name` that no agent gets, with the reason."""
        from mcplock.exported import exported_name

        for left in self.omitted:
            if name in (f"{left.server}/{left.tool}", exported_name(left.server, left.tool)):
                return left
        return None

    def why_not(self, name: str) -> str:
        """Why there is no tool called `name` here, safe to print.

        >>> load("mcp.lock").why_not("git/push")
        'git/push is locked, but denied: not from here'
        """
        from mcplock.text import visible

        left = self.left_out(name)
        said = f"is locked, but {left.reason}" if left else "is not in this catalog"
        return visible(f"{name} {said}")

    def _chosen(self, wanted: Callable[[Tool], bool]) -> "Catalog":
        tools = [tool for tool in self if wanted(tool)]
        return Catalog(self._approved._replace(tools=tools), self._origin, self._user_lock)


def _named(tool: Tool, patterns: Iterable[str]) -> bool:
    return any(
        pattern in (tool.server, tool.id, tool.exported)
        or fnmatchcase(tool.id, pattern)
        or fnmatchcase(tool.server, pattern)
        for pattern in patterns
    )


def load(path: str | os.PathLike[str] | None = None, *, user: bool = True) -> Catalog:
    """Read the approved tools of a lock, or of a catalog that `export` wrote.

    path: the file; None is the nearest `mcp.lock` from the working directory up to the
    repository's root, and the user's own below it: of a server that both have, and of one
    that the project's manifest names, only the project's. Neither where `user` is false nor
    where `CI` is set is the user's read. Every hash is verified. Raises `MissingFile` where
    there is no such file, and `FaultyFile` with every fault where it is broken or was edited.

    >>> len(load("mcp.lock"))
    2
    """
    if path is not None:
        return Catalog(_read(Path(path)), Path(path).absolute())
    file = _nearest()
    below = user_lock(os.environ) if user else None
    if below is None or file.resolve() == below.resolve():
        return Catalog(_read(file), file.absolute())
    return _both(file, below)


def _both(file: Path, below: Path) -> Catalog:
    """The tools of both levels; a project without a lock may name servers all the same."""
    named = _named_near(Path.cwd()) | _named_near(file.parent)
    has_lock = os.path.lexists(file)  # a link that leads nowhere is no missing lock
    project = _read(file) if has_lock else Approved([], [], {})
    origin = file if has_lock else below
    return Catalog(merged(project, _read(below), named), origin.absolute(), below)


def _named_near(directory: Path) -> frozenset[str]:
    """The servers that the manifest nearest to `directory` names."""
    from mcplock.manifest import find
    from mcplock.manifest import load as load_manifest

    try:
        path = find(directory)
    except MissingFile:
        return frozenset()
    return load_manifest(path).names


def _read(file: Path) -> Approved:
    try:
        data = read_bytes(file)
    except MissingFile as error:
        raise MissingFile(error.message, hint="`mcplock install` writes it") from None
    with _without_collector():
        return of_text(data) or _strictly(data, file)


def _nearest() -> Path:
    here = Path.cwd()
    for directory in (here, *here.parents):
        if (directory / LOCK_NAME).exists():
            return directory / LOCK_NAME
        if (directory / ".git").exists():
            break
    return here / LOCK_NAME


def _strictly(data: bytes, file: Path) -> Approved:
    from mcplock.exporters.reading import read_export
    from mcplock.lockfile import read_file

    name = shown(file)
    found = read_export(data, name)
    if found is None and file.name != LOCK_NAME and b'"lockfileVersion"' not in data:
        message = "neither a lock nor a catalog that can be verified"
        raise FaultyFile([Fault(name, 0, "", message)], hint=_LOADABLE)
    return found or of_lock(read_file(file, data)[0])


_LOADABLE = "a lock is loaded, and what `mcplock export --format mcp` or `jsonl` writes"


@contextmanager
def _without_collector() -> Iterator[None]:
    """No garbage is looked for while a large value is built: there is none in it."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
