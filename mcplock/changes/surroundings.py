"""Differences that are those of two machines, as far as a text shows it.

A server that reads its home directory, the clock or the platform lists something else on each
machine. That is worth a word, and no more than a word: whoever wants to slip a text past a
reviewer can write it so. So nothing here weighs on a state or a severity.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from mcplock.audit import Finding, Severity
from mcplock.changes.model import Change, ChangeKind, Exchange
from mcplock.lazy import pattern
from mcplock.model import Kind, ServerInfo
from mcplock.records import NamedTuple
from mcplock.text import visible

_SHORTEST = 4  # characters of a name that a text holds by more than chance
_SHORTEST_VALUE = 8  # of a variable: there are many of them
_MOST = 100_000  # characters that are looked at
_WORDS = pattern(r"(\s+)")
_EDGES = ".,;:!?'\"`()[]{}<>"
_SHAPES = {
    "a path": pattern(
        r"(?:file://)?(?:/(?:home|Users|root|tmp|private|var|mnt|workspaces?|builds?|github)\b"
        r"|~|[A-Za-z]:[\\/])[^\s]*"
    ),
    "a date or time": pattern(
        r"\d{4}-\d\d?-\d\d?(?:[T_]\d\d:?\d\d(?::?\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"
        r"|\d\d?:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?|20[2-4]\d|\d\d?[./]\d\d?[./]\d{2,4}"
        r"|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*"
        r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
    ),
    "a time zone": pattern(
        r"(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d\d)?)?|[A-Z]{1,4}T"
        r"|(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)/[\w/+-]+"
    ),
    "the platform": pattern(
        r"(?i:linux|darwin|macos|windows|win32|win64|freebsd|x86_64|amd64|arm64|aarch64|posix|nt"
        r"|linux2|cygwin)(?:[-_/][\w.-]+)?"
    ),
    "a locale": pattern(r"(?:[a-z]{2,3}[_-][A-Z]{2}|C|POSIX)(?:\.[A-Za-z0-9-]+)?"),
    "an id or a port": pattern(
        r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|(?:0x)?[0-9a-fA-F]{8,64}"
        r"|[A-Za-z0-9+.:/-]*(?:localhost|127\.0\.0\.1|0\.0\.0\.0):\d{2,5}[^\s]*"
    ),
}


class Facts(NamedTuple):
    """What is known of this machine: what it is called by -> the text that it has here."""

    values: Mapping[str, str]

    @classmethod
    def of(cls, environ: Mapping[str, str], *, directory: str, host: str) -> "Facts":
        """The facts that a server can read where it is started in `directory`."""
        user = environ.get("USER") or environ.get("USERNAME") or environ.get("LOGNAME") or ""
        home = environ.get("HOME") or environ.get("USERPROFILE") or ""
        known = {"the working directory": directory, "the home directory": home}
        known |= {"the host name": host, "the user name": user}
        known = {name: text for name, text in known.items() if len(text) >= _SHORTEST}
        return cls(
            known
            | {
                f"the value of ${visible(name)}": value
                for name, value in sorted(environ.items())
                if len(value) >= _SHORTEST_VALUE and value not in known.values()
            }
        )


def with_surroundings(
    changes: Sequence[Change],
    facts: Facts,
    before: Mapping[str, ServerInfo | None],
    after: Mapping[str, ServerInfo | None],
) -> list[Change]:
    """`changes`, and with each that seems to be of the machine alone a finding that says so.

    What was exchanged in it stands in `Change.exchanges`.

    before, after: what each server says of itself, whose version may stand in its texts.
    """
    return [_judged(change, facts, _versions(change.server, before, after)) for change in changes]


def _versions(
    server: str, before: Mapping[str, ServerInfo | None], after: Mapping[str, ServerInfo | None]
) -> tuple[str, str]:
    old, new = before.get(server), after.get(server)
    return (old.version, new.version) if old and new else ("", "")


def _judged(change: Change, facts: Facts, versions: tuple[str, str]) -> Change:
    if change.kind is not ChangeKind.CHANGED or change.what in (
        Kind.SOURCE,
        Kind.PACKAGE,
        "policy",
    ):
        return change
    exchanges: dict[Exchange, None] = {}
    for field in change.fields:
        if not (isinstance(field.old, str) and isinstance(field.new, str)):
            return change
        for found in _differences(field.old, field.new, facts, versions):
            if found is None:
                return change
            exchanges[found] = None
    if not exchanges:
        return change
    finding = Finding("surroundings", Severity.INFO, "", _message(kinds_of(exchanges)))
    return replace(change, findings=(*change.findings, finding), exchanges=tuple(exchanges))


def kinds_of(exchanges: Iterable[Exchange]) -> str:
    """What they seem to be, in words."""
    kinds = list(dict.fromkeys(exchange.kind for exchange in exchanges))
    return " and ".join(filter(None, [", ".join(kinds[:-1]), kinds[-1]]))


def _message(told: str) -> str:
    return (
        f"seems to differ only in {told}; does the server read the machine? Read it all the same: "
        "a server can make any change look so. To have one text everywhere, pin what it reads in "
        "`env`, `cwd` or `args`"
    )


def _differences(
    old: str, new: str, facts: Facts, versions: tuple[str, str]
) -> Iterator[Exchange | None]:
    """What each word that differs is, None for one that is nothing of the kind."""
    if len(old) + len(new) > _MOST:
        yield None
        return
    for name, value in facts.values.items():
        if other := _other(old, new, value):
            yield Exchange(name, other, value)
            return
    for before, after in zip_longest(_WORDS.split(old), _WORDS.split(new)):
        if before != after:
            yield _exchange(before or "", after or "", facts, versions)


def _other(old: str, new: str, value: str) -> str:
    """The one short text that `old` has wherever `new` has `value`; "" where more differs."""
    if value not in new:
        return ""
    first, second, *rest = map(re.escape, new.split(value))
    again = "".join(rf"(?P=other){part}" for part in rest)
    found = re.fullmatch(rf"{first}(?P<other>\S{{1,200}}?){second}{again}", old)
    return found["other"] if found else ""


def _exchange(before: str, after: str, facts: Facts, versions: tuple[str, str]) -> Exchange | None:
    old, new = before.strip(_EDGES), after.strip(_EDGES)
    if not old or not new or before.replace(old, "", 1) != after.replace(new, "", 1):
        return None
    if all(versions) and old.replace(*versions) == new:
        return Exchange("the server's version number", old, new)
    for name, value in facts.values.items():
        if other := _other(old, new, value):
            return Exchange(name, other, value)
    for name, shape in _SHAPES.items():
        if shape.fullmatch(old) and shape.fullmatch(new):
            return Exchange(name, old, new)
    return None
