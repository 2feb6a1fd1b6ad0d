"""Differences that a reader cannot see, definitions that come back, circumstances."""

import pytest

from mcplock.audit import skeletons
from mcplock.canonical import hash_value
from mcplock.changes import compare_entries, compare_locks, compare_server
from mcplock.model import Entry, Kind, Lock, LockedServer, ServerInfo, Snapshot

SOURCE = {"type": "stdio", "command": "serve"}
MAIL = {
    "name": "send_mail",
    "description": "Send a letter to somebody and wait until it has arrived.",
    "inputSchema": {"type": "object", "properties": {"to": {}, "text": {}}},
}


def entry(content, **decisions):
    return Entry(hash_value(content), content, **decisions)


def locked(*entries, **rest):
    tools = {made.content["name"]: made for made in entries}
    return LockedServer(entry(SOURCE), definitions={Kind.TOOL: tools}, **rest)


def listed(*tools, **rest):
    entries = {tool["name"]: entry(tool) for tool in tools}
    return Snapshot("docs", definitions={Kind.TOOL: entries}, **rest)


def rules(change):
    return [(found.rule, found.severity.value, found.pointer) for found in change.findings]


def described(old, new):
    return compare_entries(
        "docs",
        Kind.INSTRUCTIONS,
        "",
        entry({"description": old, "x": [1]}),
        entry({"description": new, "x": [1]}),
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("read", "re\u0430d"),  # a letter of another script
        ("read", "r\u2060ead"),  # a hidden character
        ("cafe\u0301", "caf\u00e9"),  # another normalisation
        ("read", "\uff52\uff45\uff41\uff44"),  # full width
    ],
)
def test_what_reads_the_same_is_said_to(old, new):
    assert ("reads-the-same", "high", "/description") in rules(described(old, new))


@pytest.mark.parametrize(
    ("old", "new"), [("a  b", "a b"), ("a\r\nb", "a\nb"), ("a\n", "a"), ("a b", "a\tb")]
)
def test_white_space_is_only_mentioned(old, new):
    assert rules(described(old, new)) == [("white-space", "info", "/description")]


def test_the_characters_are_named():
    (finding,) = described("see", "s\u0435\u0435").findings
    assert finding.message == (
        "it looks as before, but is not: e (U+0065) went, \u0435 (U+0435) came"
    )


def test_an_honest_edit_is_not_suspicious():
    assert rules(described("Read a file.", "Read one file.")) == []


def test_a_key_that_reads_like_the_one_it_replaces():
    old, new = ({"properties": {key: {"type": "string"}}} for key in ("amount", "\u0430mount"))
    change = compare_entries(
        "docs", Kind.TOOL, "t", entry({"inputSchema": old}), entry({"inputSchema": new})
    )
    assert ("reads-the-same", "high", "/inputSchema/properties/\u0430mount") in rules(change)


def test_names_are_compared_with_those_around():
    tool = MAIL | {"name": "m\u0430il"}
    neighbours = skeletons(["mail", "m\u0430il"])
    (change,) = compare_server("docs", locked(), listed(tool), neighbours)
    assert "look-alike" in [rule for rule, _, _ in rules(change)]


# ---- other names


def test_what_was_denied_does_not_come_back_unnoticed_under_another_name():
    old = locked(entry(MAIL, denied="spams", absent=True))
    (change,) = compare_server("docs", old, listed(MAIL | {"name": "post"}))
    assert (change.kind, change.renamed_from, change.state) == ("renamed", "send_mail", "new")
    assert ("denied-before", "high", "/name") in rules(change)


def test_what_was_denied_and_is_gone_is_not_gone_again_beside_a_newcomer():
    old = locked(entry(MAIL, denied="spams", absent=True))
    (change,) = compare_server("docs", old, listed({"name": "other", "description": "Else."}))
    assert (change.kind, change.name) == ("added", "other")


def test_a_resemblance_is_mentioned_and_no_more():
    new = MAIL | {"name": "send_email", "description": MAIL["description"] + " Copies the boss."}
    came, gone = compare_server("docs", locked(entry(MAIL)), listed(new))
    assert (came.kind, came.renamed_from, came.state) == ("added", "send_mail", "new")
    assert ("resembles", "info", "/name") in rules(came)
    assert (gone.kind, gone.name) == ("removed", "send_mail")


def test_twins_are_paired_one_to_one():
    old = [MAIL | {"name": name} for name in ("a", "b")]
    new = [MAIL | {"name": name} for name in ("c", "d", "e")]
    changes = compare_server("docs", locked(*map(entry, old)), listed(*new))
    assert [(change.kind, change.renamed_from, change.name) for change in changes] == [
        ("renamed", "a", "c"),
        ("renamed", "b", "d"),
        ("added", "", "e"),
    ]


def test_a_tool_is_no_prompt_under_another_name():
    tool, prompt = {"name": "a", "description": "Does."}, {"name": "b", "description": "Does."}
    new = Snapshot("docs", definitions={Kind.PROMPT: {"b": entry(prompt)}})
    changes = compare_server("docs", locked(entry(tool)), new)
    assert [change.kind for change in changes] == ["removed", "added"]


def test_a_template_is_known_by_its_uri():
    old, new = ({"uriTemplate": uri, "name": "n"} for uri in ("a://{x}", "b://{x}"))
    before = LockedServer(entry(SOURCE), definitions={Kind.TEMPLATE: {"a://{x}": entry(old)}})
    after = Snapshot("docs", definitions={Kind.TEMPLATE: {"b://{x}": entry(new)}})
    (change,) = compare_server("docs", before, after)
    assert (change.kind, change.fields[0].pointer) == ("renamed", "/uriTemplate")


# ---- circumstances


def test_a_change_says_that_it_comes_with_another_revision_or_version():
    old = locked(entry(MAIL), protocol="2025-06-18", info=ServerInfo("m", "1"))
    new = {"protocol": "2026-07-28", "info": ServerInfo("m", "2\x1b[2J")}
    (change,) = compare_server("docs", old, listed(MAIL | {"title": "Mail"}, **new))
    assert [(found.rule, found.message) for found in change.findings] == [
        ("protocol", "locked in 2025-06-18, answered in 2026-07-28"),
        ("server-version", "m 1 → m 2⟨U+001B⟩[2J"),
    ]
    assert compare_server("docs", old, listed(MAIL, **new)) == []


def test_an_approval_carries_the_findings_it_was_given_in_spite_of():
    tool = MAIL | {"description": "Send.\u200b"}
    sides = [locked(entry(tool)), locked(entry(tool, approved=hash_value(tool)))]
    (change,) = compare_locks(*(Lock({"docs": side}) for side in sides))
    assert change.kind == "approved"
    assert ("hidden-character", "high", "/description") in rules(change)
