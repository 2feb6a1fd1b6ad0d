"""Locks with anything in them."""

import json

from hypothesis import strategies as st

from mcplock.canonical import hash_value
from mcplock.definitions import bad_schema
from mcplock.jsontext import parse
from mcplock.model import SECTIONS, Entry, Invalid, Kind, Lock, LockedServer, Section, ServerInfo
from tests.property.strategies import KEYS, OBJECTS, TELLING, TEXT, VALUES

HASHES = st.sampled_from([f"sha256:{digit * 64}" for digit in "0af"])
WORDS = TELLING | TEXT
LINES = st.lists(WORDS, min_size=1, max_size=4).map("\n".join)
NO_CONTENT = [code for code in Invalid if code not in (Invalid.SCHEMA, Invalid.SECRET)]
SURE = st.just({"type": "object"}) | OBJECTS | VALUES


def plain(value):
    """`value` as the strict reader gives it."""
    return parse(json.dumps(value))


@st.composite
def entries(draw, contents, *, listed: bool = True, kind: Kind | None = None) -> Entry:
    """An entry of one of `contents`, with any decisions."""
    denied = draw(st.none() | WORDS)
    head = {
        "denied": denied,
        "note": draw(st.none() | WORDS),
        "absent": listed and denied is not None and draw(st.booleans()),
        "confirm": draw(st.sampled_from([None, "never"])) if kind is Kind.TOOL else None,
    }
    if kind is not None and draw(st.integers(0, 9)) == 0:
        code = draw(st.sampled_from(NO_CONTENT))
        return Entry(draw(HASHES), approved=draw(st.none() | HASHES), invalid=code, **head)
    content = draw(contents)
    hashed = hash_value(content)
    codes = [None, Invalid.SECRET] if listed else [None]
    if kind is not None and bad_schema(kind, content):
        codes = [Invalid.SCHEMA, Invalid.SECRET]
    invalid = draw(st.sampled_from(codes))
    approved = draw(st.none() | st.just(hashed) | HASHES)
    return Entry(hashed, content, approved, invalid=invalid, **head)


@st.composite
def definitions(draw, section: Section, name: str) -> dict:
    """The wire object of one definition, its keys in any order."""
    wire = draw(OBJECTS)
    wire |= draw(st.fixed_dictionaries({}, optional={"description": LINES | VALUES}))
    if section.kind is Kind.TOOL:
        schemas = {"inputSchema": SURE, "outputSchema": SURE}
        wire |= draw(st.fixed_dictionaries({}, optional=schemas))
    wire[section.identity] = name
    keys = draw(st.permutations(list(wire)))
    return plain({key: wire[key] for key in keys})


@st.composite
def sections(draw, section: Section) -> dict[str, Entry]:
    names = draw(st.lists(KEYS, unique=True, min_size=1, max_size=2))
    return {name: draw(entries(definitions(section, name), kind=section.kind)) for name in names}


PAIRS = st.dictionaries(KEYS, WORDS, max_size=2)
LISTS = st.lists(WORDS, max_size=3)
SOURCES = st.fixed_dictionaries(
    {"type": st.just("stdio"), "command": WORDS.filter(bool)},
    optional={"args": LISTS, "cwd": WORDS, "env": PAIRS, "capabilities": LISTS},
) | st.fixed_dictionaries(
    {"type": st.sampled_from(["http", "sse"]), "url": WORDS.filter(bool)},
    optional={"headers": PAIRS, "oauth": PAIRS, "capabilities": LISTS},
)
PACKAGES = st.dictionaries(st.sampled_from(["registry", "name", "version", "x"]), VALUES).map(plain)


@st.composite
def servers(draw) -> LockedServer:
    some = draw(st.lists(st.sampled_from(SECTIONS), unique=True, max_size=2))
    found = {section.kind: draw(sections(section)) for section in some}
    return LockedServer(
        source=draw(entries(SOURCES, listed=False)),
        package=draw(st.none() | entries(PACKAGES, listed=False)),
        protocol=draw(st.none() | WORDS),
        info=draw(st.none() | st.builds(ServerInfo, WORDS, WORDS)),
        instructions=draw(st.none() | entries(LINES)),
        definitions=found,
        reserved=draw(st.dictionaries(st.sampled_from(["varying", "profiles"]), VALUES).map(plain)),
    )


LOCKS = st.dictionaries(KEYS, servers(), max_size=2).map(Lock)
