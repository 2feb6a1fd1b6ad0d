"""How people name entries: `server/tool`, `server`, `@server`, patterns, and pinned hashes."""

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from mcplock.canonical import PREFIX
from mcplock.errors import UnknownName, UsageError
from mcplock.lazy import pattern
from mcplock.model import Entry, Kind, Lock
from mcplock.records import NamedTuple
from mcplock.text import HIDDEN, visible

_PINNED = pattern(r"(?P<name>.+)@(?P<hash>sha256:(?P<digits>[0-9a-f]*))", re.DOTALL)
_FEWEST_DIGITS = 12
_OWN = (Kind.SOURCE, Kind.PACKAGE, Kind.INSTRUCTIONS)
"""What `@server` names: all that a server is, but its definitions."""


class Named(NamedTuple):
    """One entry of the lock and where it stands; `name` is "" but for definitions."""

    server: str
    kind: Kind
    name: str
    entry: Entry

    @property
    def key(self) -> tuple[str, Kind, str]:
        """What tells it from all others."""
        return self.server, self.kind, self.name

    @property
    def plain(self) -> str:
        """The name to type, as it is."""
        return label(self.server, self.kind, self.name)

    @property
    def label(self) -> str:
        """The name to show, hidden characters visible."""
        return visible(self.plain)

    @property
    def typed(self) -> str:
        """The name as a shell takes it; where it cannot be typed, a pattern that fits it."""
        return self.pinned if _PINNED.fullmatch(self.plain) else typed(self.plain)

    @property
    def pinned(self) -> str:
        """The name as a shell takes it, with the hash that it has now."""
        return typed(self.plain, f"@{self.entry.hash[: len(PREFIX) + _FEWEST_DIGITS]}")


class Selection(NamedTuple):
    """What the words of a command name.

    entries: each once, in the order of the lock; several: whether a word that names more
    than one entry was among them; moved: what a pinned word names, where nothing of it has
    that hash now; alone: the keys of entries that a word names by themselves.
    """

    entries: Sequence[Named]
    several: bool
    moved: Sequence[Named] = ()
    alone: Collection[tuple[str, Kind, str]] = ()


def label(server: str, kind: Kind, name: str = "") -> str:
    """The word that names one entry: `server/tool`, `server/prompt:name` or `@server`."""
    match kind:
        case Kind.SOURCE:
            return f"@{server}"
        case Kind.PACKAGE | Kind.INSTRUCTIONS:
            return f"@{server}:{kind.value}"
        case Kind.TOOL:
            return f"{server}/{name}"
        case _:
            return f"{server}/{kind.value}:{name}"


def typed(name: str, pin: str = "") -> str:
    """`name` and `pin` as one word for a shell; each hidden character as the pattern `?`."""
    if HIDDEN.search(name):
        name = "".join(
            "?" if HIDDEN.match(char) else f"[{char}]" if char in "*?[" else char for char in name
        )
    word = shlex.quote(name + pin)
    return f"-- {word}" if name.startswith("-") else word


def shell_words(words: Iterable[str]) -> str:
    """`words` as a shell takes them, hidden characters visible."""
    return visible(shlex.join(words))


def entries_of(lock: Lock) -> Iterator[Named]:
    """Every entry of the lock, in its order."""
    for server, locked in lock.servers.items():
        for kind, name, entry in locked.entries():
            yield Named(server, kind, name, entry)


def select(lock: Lock, words: Sequence[str], *, widely: bool = False) -> Selection:
    """The entries that `words` name.

    A word that exists is taken literally, only then as a pattern; `widely`: as both, for what
    keeps entries away from agents, so that a tool called `delete_*` shields no other. Raises
    `UsageError`, for all words at once, where one fits nothing or fits two things.
    """
    book = _Book(lock)
    chosen: set[tuple[str, Kind, str]] = set()
    alone: set[tuple[str, Kind, str]] = set()
    moved: list[Named] = []
    errors: list[str] = []
    unknown: list[str] = []
    several = False
    for word in words:
        try:
            name, pinned = book.unpinned(word)
            found = book.find(name, widely=widely)
        except UsageError as error:
            errors.append(error.message)
            unknown += error.names if isinstance(error, UnknownName) else ()
            continue
        fitting = [named for named in found if named.entry.hash.startswith(pinned)]
        keys = {named.key for named in fitting}
        if len(fitting) > 1 or (not pinned and book.is_open(name)):
            several = True
        else:
            alone |= keys
        moved += [] if fitting else found
        chosen |= keys
    if errors:
        hint = "`mcplock list` shows the names"
        raise (UnknownName if unknown else UsageError)("\n".join(errors), *unknown, hint=hint)
    order = [named for named in book.everything if named.key in chosen]
    return Selection(order, several, moved, alone)


class _Book:
    """Every name of a lock and what it stands for."""

    def __init__(self, lock: Lock) -> None:
        self.everything = list(entries_of(lock))
        self.things: dict[str, dict[str, list[Named]]] = {}
        self.servers = lock.servers
        for named in self.everything:
            server = visible(named.server)
            parts = f"`{visible(f'{named.server}/*')}` and `{visible(f'@{named.server}')}`"
            self._note(named.server, f"the server {server} ({parts})", named)
            if named.kind in _OWN:
                self._note(f"@{named.server}", f"the source of {server}", named)
            for spelling in _spellings(named):
                if spelling != f"@{named.server}":
                    longest = visible(_spellings(named)[-1])
                    self._note(spelling, f"the {named.kind.value} `{longest}`", named)

    def _note(self, word: str, thing: str, named: Named) -> None:
        self.things.setdefault(word, {}).setdefault(thing, []).append(named)

    def unpinned(self, word: str) -> tuple[str, str]:
        """(name, hash prefix or "") of a word.

        What looks pinned is pinned, also where a tool calls itself so: its name is chosen by
        the server, and must not catch an approval that is meant for another text.
        """
        hit = _PINNED.fullmatch(word)
        if hit is None:
            return word, ""
        if len(hit["digits"]) < _FEWEST_DIGITS:
            raise UsageError(f"{visible(word)}: give {_FEWEST_DIGITS} digits of the hash or more")
        if word in self.things and hit["name"] not in self.things:
            message = f"{visible(word)} looks pinned and is itself a name"
            raise UsageError(f"{message}; add its own hash, as `mcplock show --json` tells it")
        return hit["name"], hit["hash"]

    def find(self, word: str, *, widely: bool) -> list[Named]:
        """What `word` names; raises where that is nothing, or two things."""
        things = self.things.get(word, {})
        if len(things) > 1:
            names = " and ".join(sorted(things))
            raise UsageError(f"{visible(word)} fits {names}; give the name of the one you mean")
        exactly = next(iter(things.values()), [])
        if exactly and not widely:
            return exactly
        found = exactly + [
            named
            for named in self.everything
            if any(fnmatchcase(spelling, word) for spelling in _spellings(named))
        ]
        if not found:
            near = nearest(word, [*self.servers, *(named.plain for named in self.everything)])
            told = visible(word) if word.strip() else f'"{visible(word)}"'
            message = f"nothing in the lock is called {told}"
            raise UnknownName(f"{message}; {near}" if near else message, word)
        return found

    def is_open(self, word: str) -> bool:
        """Whether `word` may name more another day: a pattern, or a whole server."""
        return word in self.servers or word not in self.things


def _spellings(named: Named) -> tuple[str, ...]:
    if named.kind in _OWN:
        return (named.plain,)
    return (f"{named.server}/{named.name}", f"{named.server}/{named.kind.value}:{named.name}")


def nearest(word: str, known: Collection[str]) -> str:
    """`did you mean …?` with the names nearest to `word`; "" where none is near."""
    import difflib

    near = difflib.get_close_matches(word[:200], list(known)[:5000], n=3, cutoff=0.6)
    return f"did you mean {' or '.join(map(visible, near))}?" if near else ""
