"""Wire JSON of definitions and instructions -> entries, one bad one never hiding the others."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence

from mcplock.canonical import canonical_bytes, digest, hash_value, number
from mcplock.jsontext import (
    FaultCode,
    Json,
    JsonFault,
    Number,
    array_items,
    compact,
    duplicate_keys,
    has_too_many,
    is_dense,
    member,
    most_values,
    parse,
    quote,
    too_deep,
)
from mcplock.lazy import pattern
from mcplock.model import Entries, Entry, Invalid, Issue, Kind, Section, Stage
from mcplock.records import NamedTuple
from mcplock.text import visible

Secrets = Mapping[str, str]
"""Value of a secret -> what is written in its place, `${NAME}`."""

Named = tuple[str | None, Entry]
"""(name, entry); None where a definition has no string as its name."""


class Listing(NamedTuple):
    """The definitions of one kind that a server answered, by name, and what was wrong."""

    entries: Entries
    issues: Sequence[Issue]


MOST_VALUES = 2_000_000
"""Of one list, all its definitions together but for those that have too many each."""


class TooMany(ValueError):
    """A list holds more than `MOST_VALUES`."""


def listing(server: str, section: Section, pages: Sequence[str], secrets: Secrets) -> Listing:
    """The definitions in `pages`, the texts of the JSON-RPC answers to one listing.

    Each page's `result.<section.key>` is a list; another value counts as an empty one. An
    equal duplicate is kept once, with an issue; different definitions of one name are one
    invalid entry, its hash over theirs. Raises `TooMany`.
    """
    reader = _Reader(section, secrets)
    found: dict[str, dict[str, Entry]] = {}
    issues: list[Issue] = []
    word = section.kind.value
    items = (item for page in pages for item in reader.page(page))
    for position, (name, entry) in enumerate(items, start=1):
        if name is None:
            message = f"{word} {position} of the list has no string as its {section.identity}"
            issues.append(Issue(server, Stage.TOOL, f"{message}; it is not locked"))
            continue
        same_name = found.setdefault(name, {})
        if entry.hash in same_name:
            message = f"{word} {visible(name)} is listed twice with the same definition"
            issues.append(Issue(server, Stage.TOOL, message, name=name))
        same_name[entry.hash] = entry
    for name, entries in found.items():
        if len(entries) > 1:
            message = f"{len(entries)} different definitions of {word} {visible(name)}"
            message += ": which one runs is undefined, so none is locked"
            issues.append(Issue(server, Stage.TOOL, message, name=name))
    return Listing({name: _one(found[name]) for name in sorted(found)}, issues)


def instructions_entry(text: str, secrets: Secrets) -> Entry:
    """The entry of a server's instructions."""
    value = Scrubber(secrets).text(text)
    try:
        hashed = hash_value(value)
    except JsonFault as fault:
        text = quote(value)
        return Entry(hash=digest(text), invalid=Invalid(fault.code.value), raw=(_cut(text),))
    return Entry(hash=hashed, content=value, invalid=None if value == text else Invalid.SECRET)


def definition_entry(section: Section, text: str, secrets: Secrets) -> Named:
    """(name, entry) of the definition that the JSON `text` is.

    Whatever it holds, it becomes an entry; a `JsonFault` is raised only where the text is no
    JSON at all.
    """
    return _Reader(section, secrets).text(text)


def bad_schema(kind: Kind, tool: Json) -> bool:
    """Whether a schema is present and no object, or an input root has another type."""
    if kind is not Kind.TOOL or not isinstance(tool, dict):
        return False
    if any(
        key in tool and not isinstance(tool[key], dict) for key in ("inputSchema", "outputSchema")
    ):
        return True
    return bool(tool.get("inputSchema", {}).get("type", "object") != "object")


class Scrubber:
    """Replaces secrets by their names."""

    def __init__(self, secrets: Secrets) -> None:
        self._names = {secret: name for secret, name in secrets.items() if secret}
        longest_first = sorted(self._names, key=len, reverse=True)
        self._any = pattern("|".join(map(re.escape, longest_first)))
        # As they stand in a canonical text, where a quick look tells that none does.
        self._quoted = [quote(secret)[1:-1].encode() for secret in self._names]

    def finds(self, canonical: bytes) -> bool:
        """Whether a secret may stand in a value, by its canonical text."""
        return any(secret in canonical for secret in self._quoted)

    def text(self, text: str) -> str:
        """`text` with the name of each secret in its place."""
        return self._any.sub(lambda hit: self._names[hit[0]], text) if self._names else text

    def value(self, value: Json) -> Json:
        """`value`, with its strings and keys scrubbed, and a string for a number that is one.

        Raises `JsonFault` where two keys become the same.
        """
        match value:
            case dict():
                cleaned = {self.text(key): self.value(item) for key, item in value.items()}
                if len(cleaned) < len(value):
                    message = "two keys differ in a secret only"
                    raise JsonFault(FaultCode.DUPLICATE_KEY, message)
                return cleaned
            case list():
                return [self.value(item) for item in value]
            case str():
                return self.text(value)
            case Number():
                after = self.text(value.text)
                return value if after == value.text else after
            case float() if value - value != 0:
                return value
            case int() | float() if not isinstance(value, bool):
                before = number(value)
                after = self.text(before)
                return value if after == before else after
            case _:
                return value


class _Reader:
    """Reads the definitions of one section."""

    def __init__(self, section: Section, secrets: Secrets) -> None:
        self._section = section
        self._scrubber = Scrubber(secrets)
        self._room = MOST_VALUES

    def page(self, message: str) -> Iterable[Named]:
        """The definitions in one answer to a listing."""
        key = self._section.key
        try:
            if is_dense(message) or has_too_many(message):
                return map(self.text, array_items(message, ("result", key)))
            items = parse(message)["result"][key]
            self._take(message)
            return [self._value(item) for item in items] if isinstance(items, list) else []
        except JsonFault:  # in one of them, perhaps; each by itself, then
            return [self.text(text) for text in array_items(message, ("result", key))]

    def text(self, text: str) -> Named:
        """The definition that the JSON `text` is."""
        if has_too_many(text):
            return self._unbuilt(text, Invalid.DEPTH)
        self._take(text)
        try:
            return self._value(parse(text))
        except JsonFault as fault:
            return self._faulty(text, fault)

    def _take(self, text: str) -> None:
        """Make room for the values of `text`; raises `TooMany` where there is none left."""
        self._room -= most_values(text)
        if self._room < 0:
            raise TooMany

    def _value(self, value: Json) -> Named:
        invalid = Invalid.SCHEMA if bad_schema(self._section.kind, value) else None
        data = canonical_bytes(value)
        if self._scrubber.finds(data):
            scrubbed = self._scrubber.value(value)
            if scrubbed != value:
                value, invalid, data = scrubbed, Invalid.SECRET, canonical_bytes(scrubbed)
        name = value.get(self._section.identity) if isinstance(value, dict) else None
        entry = Entry(hash=digest(data), content=value, invalid=invalid)
        return (name if isinstance(name, str) else None), entry

    def _faulty(self, text: str, fault: JsonFault) -> Named:
        code = fault.code
        if code is FaultCode.SYNTAX:
            raise fault
        if too_deep(text):
            code = FaultCode.DEPTH
        elif code is FaultCode.NUMBER and duplicate_keys(text):
            code = FaultCode.DUPLICATE_KEY
        return self._unbuilt(text, Invalid(code.value))

    def _unbuilt(self, text: str, code: Invalid) -> Named:
        """An entry without content: its hash is over the text."""
        name = member(text, self._section.identity)
        short = compact(text)
        if self._scrubber.finds(short.encode()):
            short = compact(text, self._scrubber.text)
        entry = Entry(hash=digest(short), invalid=code, raw=(_cut(short),))
        return (None if name is None else self._scrubber.text(name)), entry


def _one(same_name: Mapping[str, Entry]) -> Entry:
    if len(same_name) == 1:
        return next(iter(same_name.values()))
    hashes = sorted(same_name)  # in whatever order they are listed
    raw = tuple(text for hashed in hashes for text in _texts(same_name[hashed]))
    return Entry(hash=hash_value(hashes), invalid=Invalid.DUPLICATE_NAME, raw=raw)


def _texts(entry: Entry) -> tuple[str, ...]:
    if entry.content is None:
        return entry.raw
    return (_cut(json.dumps(entry.content, ensure_ascii=False, separators=(",", ":"))),)


_MOST_RAW = 100_000


def _cut(text: str) -> str:
    """As much of a text without canonical form as anybody reads."""
    more = len(text) - _MOST_RAW
    return f"{text[:_MOST_RAW]}… ({more:,} more characters)" if more > 0 else text
