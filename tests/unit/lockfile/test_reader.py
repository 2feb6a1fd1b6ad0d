"""Every kind of fault its own error, with file, line and key, all of them at once."""

import copy
import json

import pytest

from mcplock.errors import FaultyFile
from mcplock.lockfile import format_lock, read_lock
from mcplock.model import Entry, Invalid, Kind, State
from tests.locks import OTHER_HASH, entry, lock, server, tool

GOOD = lock(
    docs=server(
        tool("fetch", approve=True),
        tool("search", denied="no"),
        instructions=entry("Be kind.", approve=True),
        definitions={Kind.PROMPT: {"ask": entry({"name": "ask", "description": "Asks."})}},
    ),
    web=server(
        source=entry({"type": "http", "url": "https://a.example/mcp"}, approve=True),
        package=entry({"registry": "npm", "name": "web"}),
    ),
)
DOCUMENT = json.loads(format_lock(GOOD))
TOOL = ("servers", "docs", "tools", "fetch")
ASK = ("servers", "docs", "prompts", "ask")
MISSING = object()


def faults(data: bytes) -> list[tuple[int, str, str]]:
    with pytest.raises(FaultyFile) as caught:
        read_lock(data, "mcp.lock")
    assert {fault.file for fault in caught.value.faults} == {"mcp.lock"}
    return [(fault.line, fault.key, fault.message) for fault in caught.value.faults]


def edited(*edits: tuple[tuple[str, ...], object]) -> bytes:
    """The good lock with values put at paths, or taken out."""
    document = copy.deepcopy(DOCUMENT)
    for (*above, last), value in edits:
        place = document
        for step in above:
            place = place[step]
        if value is MISSING:
            del place[last]
        else:
            place[last] = value
    return json.dumps(document, indent=2).encode()


def test_the_good_lock_is_good():
    assert read_lock(format_lock(GOOD).encode(), "mcp.lock") == (GOOD, True)
    assert read_lock(edited(), "mcp.lock") == (GOOD, False)


STRING = "must be a string"
OBJECT = "must be an object"
HASH = "must be `sha256:` and 64 hexadecimal digits"
UPGRADE = "upgrade mcplock: a newer version wrote this file"
PROSE = "must be a list of strings, one a line"
MISFIT = "does not fit the text of this entry; one was edited"
CODES = "must be one of duplicate-key, number, surrogate, depth, duplicate-name, schema, secret"
DOCS = ("servers", "docs")
SOURCE = (*DOCS, "source")

ONE_FAULT = [
    (("lockfileVersion",), MISSING, "lockfileVersion", "must be 1"),
    (("lockfileVersion",), None, "lockfileVersion", "must be 1"),
    (("lockfileVersion",), True, "lockfileVersion", "must be 1"),
    (("lockfileVersion",), "1", "lockfileVersion", "must be 1"),
    (("lockfileVersion",), 0, "lockfileVersion", "must be 1"),
    (("lockfileVersion",), 1.5, "lockfileVersion", "must be 1"),
    (("lockfileVersion",), 2, "lockfileVersion", UPGRADE),
    (("servers",), MISSING, "servers", "is missing"),
    (("servers",), None, "servers", OBJECT),
    (("servers",), [], "servers", OBJECT),
    (("server",), {}, "server", "unknown key; did you mean servers?"),
    (("generated",), "today", "generated", "unknown key"),
    (DOCS, None, "servers.docs", OBJECT),
    (DOCS, [], "servers.docs", OBJECT),
    ((*DOCS, "tool"), {}, "servers.docs.tool", "unknown key; did you mean tools?"),
    (SOURCE, MISSING, "servers.docs.source", "is missing"),
    (SOURCE, None, "servers.docs.source", OBJECT),
    ((*SOURCE, "type"), "websocket", "servers.docs.source.type", "must be stdio, http or sse"),
    ((*SOURCE, "type"), [], "servers.docs.source.type", "must be stdio, http or sse"),
    ((*SOURCE, "command"), MISSING, "servers.docs.source.command", "must be there and not empty"),
    ((*SOURCE, "command"), None, "servers.docs.source.command", STRING),
    ((*SOURCE, "command"), "", "servers.docs.source.command", "must be there and not empty"),
    ((*SOURCE, "command"), 1, "servers.docs.source.command", STRING),
    ((*SOURCE, "cwd"), None, "servers.docs.source.cwd", STRING),
    ((*SOURCE, "args"), "-m docs", "servers.docs.source.args", "must be a list of strings"),
    ((*SOURCE, "args"), ["-m", 1], "servers.docs.source.args", "must be a list of strings"),
    ((*SOURCE, "env"), ["A"], "servers.docs.source.env", "must be an object of strings"),
    ((*SOURCE, "env"), {"A": 1}, "servers.docs.source.env", "must be an object of strings"),
    (
        (*SOURCE, "url"),
        "https://a.example",
        "servers.docs.source.url",
        "a source of type stdio has no `url`",
    ),
    ((*SOURCE, "arg"), ["a"], "servers.docs.source.arg", "unknown key; did you mean args?"),
    ((*SOURCE, "absent"), True, "servers.docs.source.absent", "unknown key"),
    ((*SOURCE, "confirm"), "never", "servers.docs.source.confirm", "unknown key"),
    ((*DOCS, "protocol"), None, "servers.docs.protocol", STRING),
    ((*DOCS, "protocol"), 3, "servers.docs.protocol", STRING),
    ((*DOCS, "server"), None, "servers.docs.server", OBJECT),
    ((*DOCS, "server", "name"), 1, "servers.docs.server.name", STRING),
    ((*DOCS, "server", "version"), MISSING, "servers.docs.server.version", STRING),
    ((*DOCS, "server", "title"), "T", "servers.docs.server.title", "unknown key"),
    ((*DOCS, "package"), [], "servers.docs.package", OBJECT),
    (("servers", "web", "package", "name"), "bew", "servers.web.package.hash", MISFIT),
    ((*DOCS, "instructions"), "Be kind.", "servers.docs.instructions", OBJECT),
    ((*DOCS, "instructions", "text"), "Be kind.", "servers.docs.instructions.text", PROSE),
    ((*DOCS, "instructions", "text"), [], "servers.docs.instructions.text", PROSE),
    ((*DOCS, "instructions", "text"), ["a\nb"], "servers.docs.instructions.text", PROSE),
    ((*DOCS, "instructions", "text"), [1], "servers.docs.instructions.text", PROSE),
    ((*DOCS, "instructions", "text"), ["Be cruel."], "servers.docs.instructions.hash", MISFIT),
    (
        (*DOCS, "instructions", "text"),
        MISSING,
        "servers.docs.instructions",
        "the text of this entry is missing",
    ),
    (
        (*DOCS, "instructions", "invalid"),
        "schema",
        "servers.docs.instructions.invalid",
        "instructions cannot be that",
    ),
    ((*DOCS, "tools"), [], "servers.docs.tools", OBJECT),
    ((*DOCS, "tools"), None, "servers.docs.tools", OBJECT),
    (TOOL, None, "servers.docs.tools.fetch", OBJECT),
    ((*TOOL, "aproved"), OTHER_HASH, "servers.docs.tools.fetch.aproved", None),
    ((*TOOL, "hash"), MISSING, "servers.docs.tools.fetch.hash", HASH),
    ((*TOOL, "hash"), None, "servers.docs.tools.fetch.hash", HASH),
    ((*TOOL, "hash"), "sha256:" + "0" * 63, "servers.docs.tools.fetch.hash", HASH),
    ((*TOOL, "hash"), "sha256:" + "G" * 64, "servers.docs.tools.fetch.hash", HASH),
    ((*TOOL, "hash"), OTHER_HASH, "servers.docs.tools.fetch.hash", MISFIT),
    (
        (*TOOL, "hash"),
        "sha512:" + "0" * 128,
        "servers.docs.tools.fetch.hash",
        f"unknown hash `sha512:`: {UPGRADE}",
    ),
    (
        (*TOOL, "approved"),
        "blake3-AAAA=",
        "servers.docs.tools.fetch.approved",
        f"unknown hash `blake3-`: {UPGRADE}",
    ),
    ((*TOOL, "approved"), None, "servers.docs.tools.fetch.approved", HASH),
    ((*TOOL, "approved"), True, "servers.docs.tools.fetch.approved", HASH),
    ((*TOOL, "denied"), None, "servers.docs.tools.fetch.denied", STRING),
    ((*TOOL, "denied"), True, "servers.docs.tools.fetch.denied", STRING),
    ((*TOOL, "note"), ["why"], "servers.docs.tools.fetch.note", STRING),
    ((*TOOL, "confirm"), "always", "servers.docs.tools.fetch.confirm", 'must be "never"'),
    ((*TOOL, "confirm"), None, "servers.docs.tools.fetch.confirm", 'must be "never"'),
    ((*ASK, "confirm"), "never", "servers.docs.prompts.ask.confirm", "unknown key"),
    ((*TOOL, "absent"), True, "servers.docs.tools.fetch.absent", "must be true, of a denied entry"),
    (
        ("servers", "docs", "tools", "search", "absent"),
        False,
        "servers.docs.tools.search.absent",
        "must be true, of a denied entry",
    ),
    ((*TOOL, "invalid"), "broken", "servers.docs.tools.fetch.invalid", CODES),
    ((*TOOL, "invalid"), None, "servers.docs.tools.fetch.invalid", CODES),
    ((*TOOL, "invalid"), [], "servers.docs.tools.fetch.invalid", CODES),
    (
        (*TOOL, "invalid"),
        "schema",
        "servers.docs.tools.fetch",
        "`invalid` does not fit the schema of this definition",
    ),
    (
        (*TOOL, "invalid"),
        "depth",
        "servers.docs.tools.fetch",
        "an entry that is invalid (depth) holds no text",
    ),
    ((*TOOL, "description"), "Does it.", "servers.docs.tools.fetch.description", PROSE),
    ((*TOOL, "description"), None, "servers.docs.tools.fetch.description", PROSE),
    ((*TOOL, "description"), ["It does."], "servers.docs.tools.fetch.hash", MISFIT),
    ((*TOOL, "definition"), None, "servers.docs.tools.fetch.definition", OBJECT),
    ((*TOOL, "definition"), MISSING, "servers.docs.tools.fetch.definition", "is missing"),
    (
        (*TOOL, "definition", "name"),
        "fetch",
        "servers.docs.tools.fetch.definition.name",
        "unknown key: the entry's own key is its name",
    ),
    (
        (*TOOL, "definition", "description"),
        None,
        "servers.docs.tools.fetch.definition.description",
        "stands beside `definition` already",
    ),
    ((*TOOL, "definition", "title"), "Fetch", "servers.docs.tools.fetch.hash", MISFIT),
    (
        (*TOOL, "definition", "inputSchema", "type"),
        MISSING,
        "servers.docs.tools.fetch.hash",
        MISFIT,
    ),
]


@pytest.mark.parametrize(("path", "value", "key", "message"), ONE_FAULT)
def test_one_fault(path, value, key, message):
    data = edited((path, value))
    [(line, found_key, found)] = faults(data)
    assert found_key == key
    assert found == (message or "unknown key; did you mean approved?")
    written = data.decode().split("\n")[line - 1].strip()
    steps = [f'"{step}"' for step in path]
    assert line == 1 or any(written.startswith(step) for step in steps) or '"hash"' in written


def test_all_faults_at_once_in_the_order_of_the_file():
    data = edited(
        (("extra",), 1),
        ((*DOCS, "protocol"), None),
        ((*DOCS, "server", "name"), None),
        ((*DOCS, "instructions", "text"), ["Be cruel."]),
        ((*TOOL, "confirm"), "always"),
        ((*TOOL, "approved"), "sha256:0"),
        ((*ASK, "hash"), MISSING),
    )
    data = data.replace(b'"denied": "no"', b'"denied": "no", "denied": "yes", "note": NaN')
    found = faults(data)
    assert [line for line, _, _ in found] == sorted(line for line, _, _ in found)
    assert {(key, message) for _, key, message in found} == {
        ("extra", "unknown key"),
        ("servers.docs.protocol", STRING),
        ("servers.docs.server.name", STRING),
        ("servers.docs.instructions.hash", MISFIT),
        ("servers.docs.tools.fetch.confirm", 'must be "never"'),
        ("servers.docs.tools.fetch.approved", HASH),
        ("servers.docs.tools.search.denied", "this key is there twice"),
        ("servers.docs.tools.search.note", STRING),
        ("servers.docs.tools.search.note", "NaN is not a JSON number"),
        ("servers.docs.prompts.ask.hash", HASH),
    }


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('"lockfileVersion": 1,', '"lockfileVersion": 1, "lockfileVersion": 1,', "lockfileVersion"),
        ('"docs": {', '"docs": {}, "docs": {', "servers.docs"),
        ('"ask": {', '"ask": {}, "ask": {', "servers.docs.prompts.ask"),
        ('"q": {', '"q": {"type": "number"}, "q": {', None),
        ('"type": "object"', '"type": "array", "type": "object"', None),
        ('"approved": "', '"approved": "", "approved": "', None),
    ],
)
def test_a_key_written_twice(old, new, key):
    data = format_lock(GOOD).replace(old, new).encode()
    found = faults(data)
    assert {message for _, _, message in found} == {"this key is there twice"}
    if key:
        assert [row[1] for row in found] == [key]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "1" * 4001])
def test_a_number_that_no_lock_can_hold(number):
    data = edited().replace(b'"type": "string"', f'"maximum": {number}'.encode())
    found = faults(data)
    assert [key for _, key, _ in found] == [
        "servers.docs.tools.fetch.definition.inputSchema.properties.q.maximum",
        "servers.docs.tools.search.definition.inputSchema.properties.q.maximum",
    ]
    assert data.decode().split("\n")[found[0][0] - 1].strip() == f'"maximum": {number}'


def test_a_text_that_nests_too_deeply_for_a_hash():
    deep: object = {}
    for _ in range(250):
        deep = [deep]
    [(_, key, message)] = faults(edited(((*TOOL, "definition", "x"), deep)))
    assert key == "servers.docs.tools.fetch"
    assert message.startswith("its text has no canonical form")
    [(_, key, message)] = faults(edited(((*DOCS, "varying"), deep)))
    assert key == "servers.docs.varying"


def test_odd_names_are_shown_quoted_and_visible():
    [(_, key, _)] = faults(edited((("servers", "a.b\u202e"), {"source": 1})))
    assert key == 'servers."a.b⟨U+202E⟩".source'
    [(_, key, _)] = faults(edited((("servers", ""), None)))
    assert key == 'servers.""'


def test_after_a_hundred_faults_no_more_are_looked_for():
    data = edited(*[((*TOOL, f"x{number}"), 1) for number in range(350)])
    found = faults(data)
    assert len(found) == 101
    assert found[-1] == (0, "", "the rest of the file was not looked at")


SURE = {"invalid": Invalid.SECRET}


@pytest.mark.parametrize(
    "held",
    [
        tool("t", **SURE),
        tool("t", more={"inputSchema": 1}),
        tool("t", more={"outputSchema": []}, invalid=Invalid.SECRET),
        Entry(hash=OTHER_HASH, invalid=Invalid.DUPLICATE_NAME),
        Entry(hash=OTHER_HASH, invalid=Invalid.SURROGATE, denied="no", absent=True),
        Entry(hash=OTHER_HASH, invalid=Invalid.NUMBER, approved=OTHER_HASH),
        tool("t", denied=""),
        tool("t", denied="no", absent=True, approve=True),
        tool("t", confirm="never", note=""),
        tool("t", approved=OTHER_HASH),
    ],
)
def test_what_the_reader_takes(held):
    before = lock(docs=server(definitions={Kind.TOOL: {"t": held}}))
    data = format_lock(before).encode()
    after, canonical = read_lock(data, "mcp.lock")
    assert (after, canonical) == (before, True)
    assert after.servers["docs"].of(Kind.TOOL)["t"].state is held.state


@pytest.mark.parametrize(
    ("head", "state"),
    [
        ({}, State.NEW),
        ({"approve": True}, State.APPROVED),
        ({"approved": OTHER_HASH}, State.CHANGED),
        ({"approve": True, "denied": "no"}, State.DENIED),
        ({"approve": True, "invalid": Invalid.SECRET}, State.INVALID),
        ({"denied": "no", "invalid": Invalid.SECRET}, State.DENIED),
    ],
)
def test_the_state_is_what_is_written(head, state):
    assert tool("t", **head).state is state
