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
    """`did you mean …?` with the names nearest to `word`; "" where none is near.

    Of `server/tool` the tool counts most, and names of another kind than `word` come last:
    none is told that is far behind the nearest.

    >>> nearest("notes/serch", ["notes", "notes/delete", "notes/search", "mail/send"])
    'did you mean notes/search?'
    >>> nearest("serch", ["notes", "notes/delete", "notes/search"])
    'did you mean notes/search?'
    """
    likeness = _Likeness(word[:_LONGEST])
    rated = [(likeness.of(name[:_LONGEST]), name) for name in list(known)[:_MOST_KNOWN]]
    best = max((rate for rate, _ in rated), default=0.0)
    least = max(_NEAR, best - _BEHIND)
    near = sorted((-rate, name) for rate, name in rated if rate >= least)[:_MOST_TOLD]
    return f"did you mean {' or '.join(visible(name) for _, name in near)}?" if near else ""


_LONGEST, _MOST_KNOWN, _MOST_TOLD = 200, 5000, 3
_NEAR = 0.6
_BEHIND = 0.15
_OTHER_KIND = 0.85


class _Likeness:
    """How like a word names are, between 0 and 1."""

    def __init__(self, word: str) -> None:
        import difflib

        self._word = word
        self._first, self._slash, self._last = word.partition("/")
        self._matchers = {
            text: difflib.SequenceMatcher(None, "", text)
            for text in (word, self._first, self._last)
        }

    def of(self, name: str) -> float:
        """How like it is to `name`: part by part where both have two."""
        first, slash, last = name.partition("/")
        if slash and self._slash:
            tool = self._ratio(self._last, last)
            return (self._ratio(self._first, first) + 2 * tool) / 3 if tool else 0.0
        if slash:
            return max(self._ratio(self._word, last), self._ratio(self._word, name))
        whole = self._ratio(self._word, name)
        same = not self._slash and name.startswith("@") == self._word.startswith("@")
        return whole if same else whole * _OTHER_KIND

    def _ratio(self, word: str, text: str) -> float:
        """0 where it is below what may count, which is found out faster."""
        matcher = self._matchers[word]
        matcher.set_seq1(text)
        enough = _NEAR / 2
        if matcher.real_quick_ratio() < enough or matcher.quick_ratio() < enough:
            return 0.0
        return matcher.ratio()
