"""Pages of wire JSON -> entries: whatever one definition holds, the others stand."""

import json

import pytest

from mcplock.canonical import digest, hash_value
from mcplock.definitions import bad_schema, definition_entry, instructions_entry, listing
from mcplock.jsontext import compact
from mcplock.model import SECTIONS, Kind, Stage

TOOLS, PROMPTS, TEMPLATES, RESOURCES = SECTIONS
GOOD = '{"name": "good", "inputSchema": {"type": "object"}}'
SECRET = 'pa"ss\\wörd😀'
SECRETS = {SECRET: "${TOKEN}", "12345678": "${PIN}"}


def page(*texts: str, key: str = "tools") -> str:
    return f'{{"jsonrpc": "2.0", "id": 1, "result": {{"{key}": [{", ".join(texts)}]}}}}'


def read(*texts: str, secrets=None, section=TOOLS):
    return listing("srv", section, [page(*texts, key=section.key)], secrets or {})


BAD = {
    "duplicate-key": '{"name": "bad", "description": "a", "description": "b"}',
    "number": '{"name": "bad", "x": 1e999}',
    "surrogate": r'{"name": "bad", "x": "\ud800"}',
    "depth": '{"name": "bad", "x": ' + "[" * 200 + "]" * 200 + "}",
}


@pytest.mark.parametrize(("code", "text"), BAD.items(), ids=BAD)
def test_one_bad_definition_hides_no_other(code, text):
    found = read(GOOD, text, '{"name": "last"}')
    assert list(found.entries) == ["bad", "good", "last"]
    assert found.entries["bad"].invalid == code
    assert found.entries["bad"].content is None
    assert found.entries["good"].invalid is None
    assert found.entries["good"] == read(GOOD).entries["good"]
    assert not found.issues


def test_every_change_of_a_bad_definition_is_seen():
    texts = [
        '{"name": "bad", "a": 1, "a": 2}',
        '{"name": "bad", "a": 1, "a": 2.0}',
        '{"name": "bad", "a": 2, "a": 1}',
        '{"a": 1, "name": "bad", "a": 2}',
        '{"name": "bad", "a": 1, "a": 2, "b": "\\ud800"}',
        '{"name": "bad", "a": 1, "a": 2, "b": "\\ud801"}',
    ]
    assert len({read(text).entries["bad"].hash for text in texts}) == len(texts)
    spaced = '{ "name" : "b\\u0061d",\n"a":1,"a":2 }'
    assert read(spaced).entries == read(texts[0]).entries


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"name": "n", "a": 1, "a": 2, "b": NaN}', "duplicate-key"),
        ('{"name": "n", "b": NaN, "c": {"a": 1, "a": 2}}', "duplicate-key"),
        (r'{"name": "n", "b": NaN, "c": "\ud800"}', "number"),
        (r'{"name": "n", "c": "\ud800", "b": 1e999}', "number"),
        (r'{"name": "n", "c": "\ud800", "a": 1, "a": 2}', "duplicate-key"),
        ('{"name": "n", "a": 1, "a": 2, "d": ' + "[" * 300 + "]" * 300 + "}", "depth"),
        ('{"name": "n", "d": ' + "[" * 9000 + "NaN" + "]" * 9000 + ', "a": 1, "a": 2}', "depth"),
        ('{"name": "n", "inputSchema": [], "a": NaN}', "number"),
    ],
    ids=lambda value: value[:45],
)
def test_of_several_codes_the_first_counts(text, code):
    for _, entry in (definition_entry(TOOLS, text, {}), ("", read(text, GOOD).entries["n"])):
        assert entry.invalid == code


def test_a_list_that_holds_anything():
    found = read(
        '"name"', "3", "null", "[]", '[{"name": "x"}]', "{}", '{"name": null}', "true", GOOD
    )
    assert list(found.entries) == ["good"]
    assert [issue.stage for issue in found.issues] == [Stage.TOOL] * 8
    assert (
        found.issues[0].message == "tool 1 of the list has no string as its name; it is not locked"
    )
    assert found.issues[6].message.startswith("tool 7 ")


@pytest.mark.parametrize("odd", ["{}", "null", '"abc"', "7", '{"name": "x"}'])
def test_a_page_without_a_list_is_an_empty_one(odd):
    text = f'{{"result": {{"tools": {odd}}}}}'
    assert listing("srv", TOOLS, [text, page(GOOD)], {}).entries.keys() == {"good"}


def test_a_key_twice_in_the_envelope_loses_no_definition():
    text = f'{{"result": {{"tools": [{GOOD}], "tools": [{{"name": "x"}}], "x": 1}}}}'
    assert listing("srv", TOOLS, [text], {}).entries.keys() == {"good", "x"}
    text = f'{{"id": 1, "id": 1, "result": {{"tools": [{GOOD}]}}}}'
    assert listing("srv", TOOLS, [text], {}).entries == read(GOOD).entries


def test_the_depth_of_a_definition_is_its_own():
    inside = '{"name": "n", "x": ' + "[" * 199 + "]" * 199 + "}"
    assert read(inside).entries["n"].invalid is None
    assert read(inside, BAD["number"]).entries["n"].invalid is None


def test_no_depth_is_too_much():
    deep = '{"name": "deep", "x": ' + '[{"a":' * 100_000 + "1" + "}]" * 100_000 + "}"
    found = read(GOOD, deep, '{"name": "last"}', secrets=SECRETS)
    assert found.entries["deep"].invalid == "depth"
    assert list(found.entries) == ["deep", "good", "last"]


def test_equal_duplicates_are_kept_once_across_pages():
    found = listing(
        "srv", TOOLS, [page(GOOD), page('{"inputSchema": {"type": "object"}, "name": "good"}')], {}
    )
    assert found.entries == read(GOOD).entries
    assert [issue.message for issue in found.issues] == [
        "tool good is listed twice with the same definition"
    ]
    assert found.issues[0].name == "good"


def test_different_definitions_of_one_name_are_one_invalid_entry():
    one, two = '{"name": "x", "a": 1}', '{"name": "x", "a": 2}'
    found = read(one, GOOD, two, one)
    entry = found.entries["x"]
    assert entry.invalid == "duplicate-name"
    assert entry.content is None
    hashes = sorted(hash_value(json.loads(text)) for text in (one, two))
    assert entry.hash == hash_value(hashes)
    assert read(two, one).entries["x"] == entry
    assert any("2 different definitions of tool x" in issue.message for issue in found.issues)


def test_names_are_taken_as_they_are():
    names = [
        "",
        "*",
        "a/b",
        "..",
        "x" * 300,
        "get\nx",
        "\u202e",
        "GetUser",
        "getuser",
        "é",
        "e\u0301",
    ]
    found = read(*(json.dumps({"name": name}) for name in names))
    assert list(found.entries) == sorted(names)
    assert not found.issues
    twice = read(*[json.dumps({"name": "get\nx\x1b"})] * 2)
    assert "get⟨U+000A⟩x⟨U+001B⟩" in twice.issues[0].message


def test_a_lone_surrogate_in_a_name():
    found = read(r'{"name": "a\ud800"}', r'{"name": "a\ud801"}', GOOD)
    assert list(found.entries) == ["a\ud800", "a\ud801", "good"]
    assert found.entries["a\ud800"].invalid == "surrogate"
    assert found.entries["a\ud800"].hash == digest('{"name":"a\\ud800"}')


def test_each_section_has_its_identity():
    assert list(read('{"uri": "file:///a", "name": "n"}', section=RESOURCES).entries) == [
        "file:///a"
    ]
    assert list(read('{"uriTemplate": "x{y}"}', section=TEMPLATES).entries) == ["x{y}"]
    assert list(read('{"name": "p", "inputSchema": 1}', section=PROMPTS).entries) == ["p"]


@pytest.mark.parametrize(
    ("schemas", "bad"),
    [
        ({}, False),
        ({"inputSchema": {}}, False),
        ({"inputSchema": {"type": "object"}}, False),
        ({"inputSchema": {"$schema": "x"}}, False),
        ({"outputSchema": {"type": "array"}}, False),
        ({"inputSchema": {"properties": {"a": {"type": "int"}}}}, False),
        ({"inputSchema": None}, True),
        ({"inputSchema": True}, True),
        ({"inputSchema": []}, True),
        ({"inputSchema": {"type": "string"}}, True),
        ({"inputSchema": {"type": None}}, True),
        ({"inputSchema": {"type": ["object"]}}, True),
        ({"outputSchema": None}, True),
        ({"outputSchema": "x"}, True),
    ],
)
def test_schemas(schemas, bad):
    tool = {"name": "t", **schemas}
    entry = read(json.dumps(tool)).entries["t"]
    assert entry.invalid == ("schema" if bad else None)
    assert entry.content == tool
    assert entry.hash == hash_value(tool)
    assert not bad_schema(Kind.PROMPT, tool)


def test_absent_null_and_empty_schemas_are_three():
    texts = [
        '{"name": "t"}',
        '{"name": "t", "inputSchema": null}',
        '{"name": "t", "inputSchema": {}}',
    ]
    assert len({read(text).entries["t"].hash for text in texts}) == 3


@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_secret_is_found_however_it_is_spelt(ascii_only):
    tool = {"name": "t", "description": f"key {SECRET}!", SECRET: [{"x": SECRET}]}
    entry = read(json.dumps(tool, ensure_ascii=ascii_only), secrets=SECRETS).entries["t"]
    assert entry.invalid == "secret"
    assert entry.content == {
        "name": "t",
        "description": "key ${TOKEN}!",
        "${TOKEN}": [{"x": "${TOKEN}"}],
    }
    assert entry.hash == hash_value(entry.content)


@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_secret_is_found_where_only_the_text_is_hashed(ascii_only):
    spelt = json.dumps(SECRET, ensure_ascii=ascii_only)[1:-1]
    members = f'"name": "n-{spelt}", "{spelt}": "{spelt}", "n": 12345678'
    text = f'{{{members}, "a": 1, "a": 2}}'
    found = read(text, GOOD, secrets=SECRETS)
    assert list(found.entries) == ["good", "n-${TOKEN}"]
    entry = found.entries["n-${TOKEN}"]
    assert entry.invalid == "duplicate-key"
    assert entry.hash == digest(
        '{"name":"n-${TOKEN}","${TOKEN}":"${TOKEN}","n":"${PIN}","a":1,"a":2}'
    )


def test_a_number_may_be_a_secret():
    entry = read('{"name": "t", "a": [1.2345678e7, 91234567, true, 0.5]}', secrets=SECRETS).entries[
        "t"
    ]
    assert entry.invalid == "secret"
    assert entry.content == {"name": "t", "a": ["${PIN}", 91234567, True, 0.5]}


def test_a_secret_in_a_name():
    found = read(
        json.dumps({"name": f"tool {SECRET}"}),
        json.dumps({"name": "tool ${TOKEN}"}),
        secrets=SECRETS,
    )
    assert list(found.entries) == ["tool ${TOKEN}"]
    assert not any(SECRET in issue.message or SECRET in issue.name for issue in found.issues)


def test_keys_that_a_secret_alone_tells_apart_do_not_swallow_each_other():
    text = json.dumps({"name": "t", SECRET: 1, "${TOKEN}": 2})
    entry = read(text, GOOD, secrets=SECRETS).entries["t"]
    assert entry.invalid == "duplicate-key"
    assert entry.content is None
    assert entry.hash == digest('{"name":"t","${TOKEN}":1,"${TOKEN}":2}')


def test_the_longest_secret_is_found_first_and_only_once():
    secrets = {"abcdefgh": "${A}", "abcdefghijkl": "${B}", "${B}": "${C}"}
    entry = read('{"name": "t", "x": "abcdefghijkl abcdefgh"}', secrets=secrets).entries["t"]
    assert entry.content["x"] == "${B} ${A}"


def test_text_that_only_looks_like_a_secret_in_json_is_left():
    entry = read('{"name": "t", "x": "\\nabcdefg"}', secrets={"nabcdefg": "${A}"}).entries["t"]
    assert entry.invalid is None
    assert entry.content["x"] == "\nabcdefg"


def test_instructions():
    assert instructions_entry("a\nb", {}).content == "a\nb"
    assert instructions_entry("a\nb", {}).hash == hash_value("a\nb")
    secret = instructions_entry(f"use {SECRET}", SECRETS)
    assert (secret.content, secret.invalid) == ("use ${TOKEN}", "secret")
    surrogate = instructions_entry("a\ud800", {})
    assert (surrogate.content, surrogate.invalid) == (None, "surrogate")
    assert surrogate.hash == digest('"a\\ud800"')


@pytest.mark.parametrize(("code", "text"), BAD.items(), ids=BAD)
def test_what_has_no_canonical_form_keeps_the_text_that_was_sent(code, text):
    [raw] = read(text).entries["bad"].raw
    assert raw == compact(text)
    assert digest(raw) == read(text).entries["bad"].hash


def test_a_text_without_canonical_form_shows_no_secret():
    text = json.dumps({"name": "bad", "x": f"it is {SECRET}"})[:-1] + ', "x": 12345678}'
    [raw] = read(text, secrets=SECRETS).entries["bad"].raw
    assert raw == '{"name":"bad","x":"it is ${TOKEN}","x":"${PIN}"}'


def test_two_definitions_of_one_name_are_both_kept_to_be_shown():
    found = read('{"name": "a", "x": "é"}', '{"name": "a", "x": 1, "x": 2}', '{"name": "a"}')
    raw = ('{"name":"a","x":"é"}', '{"name":"a","x":1,"x":2}', '{"name":"a"}')
    assert sorted(found.entries["a"].raw) == sorted(raw)
    assert found.entries["a"].content is None


def test_of_an_endless_text_as_much_is_kept_as_anybody_reads():
    text = '{"name": "bad", "x": 1, "x": "' + "y" * 3_000_000 + '"}'
    [raw] = read(text).entries["bad"].raw
    assert len(raw) < 110_000
    assert raw.endswith("more characters)")


def test_instructions_without_canonical_form_keep_their_text():
    assert instructions_entry("a\ud800\nb", {}).raw == (r'"a\ud800\nb"',)
