"""Wire JSON of definitions and instructions -> entries, one bad one never hiding the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcplock.canonical import digest, hash_value
from mcplock.jsontext import (
    MAX_DEPTH,
    FaultCode,
    Json,
    JsonFault,
    array_items,
    compact,
    depth,
    member,
    parse,
    quote,
)
from mcplock.model import Entries, Entry, Invalid, Issue, Kind, Section, Stage
from mcplock.text import visible

Secrets = Mapping[str, str]
"""Value of a secret -> what is written in its place, `${NAME}`; longest value first."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The definitions of one kind that a server answered, by name, and what was wrong."""

    entries: Entries
    issues: Sequence[Issue]


def listing(server: str, section: Section, pages: Sequence[str], secrets: Secrets) -> Listing:
    """The definitions in `pages`, the texts of the JSON-RPC answers to one listing.

    Each page's `result.<section.key>` is a list. An equal duplicate is kept once, with an
    issue; different definitions of one name are one invalid entry, its hash over theirs.
    """
    found: dict[str, dict[str, Entry]] = {}
    issues: list[Issue] = []
    word = section.kind.value
    items = (item for page in pages for item in _page(section, page, secrets))
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
    value = scrub(text, secrets)
    try:
        hashed = hash_value(value)
    except JsonFault as fault:
        return Entry(hash=digest(quote(value)), invalid=Invalid(fault.code.value))
    return Entry(hash=hashed, content=value, invalid=None if value == text else Invalid.SECRET)


def definition_entry(section: Section, text: str, secrets: Secrets) -> tuple[str | None, Entry]:
    """(name, entry) of the definition that the JSON `text` is; never fails for its content.

    The name is None where the definition has no string as its name.
    """
    try:
        return _readable(section, parse(text), secrets)
    except JsonFault as fault:
        too_deep = depth(text) > MAX_DEPTH
        code = FaultCode.DEPTH if too_deep else fault.code
        short = compact(text)
        for secret, name in secrets.items():
            short = short.replace(secret, name)
        entry = Entry(hash=digest(short), invalid=Invalid(code.value))
        return member(text, section.identity), entry


def scrub(value: Json, secrets: Secrets) -> Json:
    """`value` with every secret in its strings and keys replaced by its `${NAME}`."""
    if not secrets:
        return value
    match value:
        case dict():
            return {scrub(key, secrets): scrub(item, secrets) for key, item in value.items()}
        case list():
            return [scrub(item, secrets) for item in value]
        case str():
            for secret, name in secrets.items():
                value = value.replace(secret, name)
            return value
        case _:
            return value


def _page(section: Section, message: str, secrets: Secrets) -> list[tuple[str | None, Entry]]:
    try:
        items = parse(message)["result"][section.key]
        return [_readable(section, item, secrets) for item in items]
    except JsonFault:
        texts = array_items(message, ("result", section.key))
        return [definition_entry(section, text, secrets) for text in texts]


def _readable(section: Section, value: Json, secrets: Secrets) -> tuple[str | None, Entry]:
    invalid = Invalid.SCHEMA if bad_schema(section.kind, value) else None
    cleaned = scrub(value, secrets)
    if secrets and cleaned != value:
        invalid = Invalid.SECRET
    name = cleaned.get(section.identity) if isinstance(cleaned, dict) else None
    entry = Entry(hash=hash_value(cleaned), content=cleaned, invalid=invalid)
    return (name if isinstance(name, str) else None), entry


def bad_schema(kind: Kind, tool: Json) -> bool:
    """Whether a schema is present and no object, or an input root has another type."""
    if kind is not Kind.TOOL or not isinstance(tool, dict):
        return False
    if any(
        key in tool and not isinstance(tool[key], dict) for key in ("inputSchema", "outputSchema")
    ):
        return True
    return bool(tool.get("inputSchema", {}).get("type", "object") != "object")


def _one(same_name: Mapping[str, Entry]) -> Entry:
    if len(same_name) == 1:
        return next(iter(same_name.values()))
    return Entry(hash=hash_value(sorted(same_name)), invalid=Invalid.DUPLICATE_NAME)
