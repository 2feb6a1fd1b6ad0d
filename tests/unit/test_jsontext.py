"""Strict JSON: what is taken, what is refused, where it stands; nothing recurses."""

import json
import os
import subprocess
import sys

import pytest

from mcplock.jsontext import (
    FaultCode,
    JsonFault,
    array_items,
    compact,
    duplicate_keys,
    events,
    line_at,
    lines,
    member,
    parse,
    placed,
    quote,
    spans,
    string_value,
    tokens,
    too_deep,
)

DEEP = 200_000
DEEP_TEXTS = {
    "arrays": "[" * DEEP + "]" * DEEP,
    "objects": '{"a":' * 20_000 + "1" + "}" * 20_000,
    "both": '[{"a":' * 10_000 + "[]" + "}]" * 10_000,
}
CUT_OFF = {
    "arrays": "[" * DEEP,
    "objects": '{"a":' * 20_000,
    "wrong end": "[" * 20_000 + "}" * 20_000,
}


def refusal(text: str) -> JsonFault:
    with pytest.raises(JsonFault) as caught:
        parse(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (' {"a": [1, "x", null, true, false, {}]} ', {"a": [1, "x", None, True, False, {}]}),
        ("1.0", 1),
        ("-0", 0),
        ("-0.0", 0),
        ("1e3", 1000),
        ("1e21", 10**21),
        ("1e-400", 0),
        ("0.5", 0.5),
        ("5e-324", 5e-324),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("9007199254740993.0", 9007199254740992),
        ("9" * 4000, 10**4000 - 1),
        ("-" + "9" * 4000, 1 - 10**4000),
        (r'"\ud83d\ude00\ud800"', "😀\ud800"),
    ],
    ids=lambda value: str(value)[:20] if isinstance(value, str) else "",
)
def test_values(text, value):
    got = parse(text)
    assert got == value
    assert type(got) is type(value)
    assert str(got) != "-0.0"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"a": 1, "b": 2, "a": 3}', FaultCode.DUPLICATE_KEY),
        (r'{"a": 1, "\u0061": 3}', FaultCode.DUPLICATE_KEY),
        ('[{"x": {"k": 1, "k": 1}}]', FaultCode.DUPLICATE_KEY),
        ("NaN", FaultCode.NUMBER),
        ("[Infinity]", FaultCode.NUMBER),
        ("-Infinity", FaultCode.NUMBER),
        ("1e400", FaultCode.NUMBER),
        ("-1e309", FaultCode.NUMBER),
        ("9" * 4001, FaultCode.NUMBER),
        ("-" + "9" * 4001, FaultCode.NUMBER),
        ("1." + "0" * 4000, FaultCode.NUMBER),
        ("1e" + "0" * 4000, FaultCode.NUMBER),
        ("1e" + "9" * 100_000, FaultCode.NUMBER),
        ("[" * DEEP + "]" * DEEP, FaultCode.DEPTH),
        ("", FaultCode.SYNTAX),
        ("[1,]", FaultCode.SYNTAX),
        ("{'a': 1}", FaultCode.SYNTAX),
        ("[1] 2", FaultCode.SYNTAX),
        ("01", FaultCode.SYNTAX),
        ("+1", FaultCode.SYNTAX),
        ('"\n"', FaultCode.SYNTAX),
        ('"\\x41"', FaultCode.SYNTAX),
        ("\ufeff{}", FaultCode.SYNTAX),
        ("\u00a01", FaultCode.SYNTAX),
    ],
    ids=lambda value: value[:20],
)
def test_refusals(text, code):
    fault = refusal(text)
    assert fault.code is code
    assert len(fault.message) < 100


def test_the_last_of_two_keys_may_count():
    assert parse('{"a": 1, "a": 2}', unique_keys=False) == {"a": 2}
    with pytest.raises(JsonFault):
        parse("[1e999]", unique_keys=False)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": 1,\n "b": {"c": 1, "c": 2}}', '"c": 2'),
        ('[1,\n 1e5, "1e999",\n 1e999]', "1e999]"),
        ('{"NaN": NaN}', "NaN}"),
        ("[1, ?]", "?"),
    ],
)
def test_a_fault_can_be_placed(text, place):
    fault = placed(text, refusal(text))
    assert text[fault.position :].startswith(place)
    assert line_at(text, fault.position) == 1 + text[: text.rindex(place)].count("\n")


def test_the_limit_of_the_interpreter_never_surfaces():
    code = """
import json
from mcplock.canonical import canonical, number
from mcplock.definitions import definition_entry, listing
from mcplock.jsontext import array_items, compact, duplicate_keys, events, member, parse, spans
from mcplock.lockfile import format_lock, read_lock
from mcplock.model import SECTIONS, Entry, Kind, Lock, LockedServer
from mcplock.canonical import hash_value

digits = "9" * 4000
text = '{"name": "t", "x": {"n": ' + digits + ', "m": [-' + digits + ', 1e308]}}'
for made in (compact, duplicate_keys, lambda text: list(events(text)), spans):
    made(text)
value = parse(text)
assert number(-value["x"]["n"]) == "-" + digits
assert canonical(value).count(digits) == 2
page = '{"result": {"tools": [' + text + ', {"name": "u", "x": ' + digits + '9}]}}'
found = listing("s", SECTIONS[0], [page], {"secretsecret": "${S}"}).entries
assert found["t"].invalid is None and found["u"].invalid == "number"
source = {"type": "stdio", "command": "x"}
server = LockedServer(Entry(hash_value(source), source), definitions={Kind.TOOL: found})
written = format_lock(Lock({"s": server})).encode()
kept = {name: entry._replace(raw=()) for name, entry in found.items()}
assert read_lock(written, "mcp.lock")[0].servers["s"].of(Kind.TOOL) == kept
"""
    environment = {**os.environ, "PYTHONINTMAXSTRDIGITS": "640"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=60)


@pytest.mark.parametrize("text", DEEP_TEXTS.values(), ids=DEEP_TEXTS)
def test_no_depth_is_too_much(text):
    refusal(text)
    assert compact(text) == text
    assert too_deep(text)
    assert sum(1 for _ in events(text)) > 40_000
    assert len(list(tokens(text))) > 40_000
    assert spans(text)[-1] == ((), 0, len(text))
    assert len(array_items(f"[{text},{text}]", ())) == 2
    assert member(f'{{"x":{text},"name":"n"}}', "name") == "n"
    assert duplicate_keys(text) == []
    assert lines(text, [()]) == {(): 1}
    assert string_value(quote(text)) == text


@pytest.mark.parametrize("text", CUT_OFF.values(), ids=CUT_OFF)
def test_no_depth_hides_a_syntax_error(text):
    assert refusal(text).code is FaultCode.DEPTH
    for reads in (
        spans,
        duplicate_keys,
        lambda text: list(events(text)),
        lambda text: array_items(text, ()),
        lambda text: lines(text, [("nowhere",)]),
    ):
        with pytest.raises(JsonFault) as caught:
            reads(text)
        assert caught.value.code is FaultCode.SYNTAX


def test_duplicates_without_measure_are_told_a_hundred_times():
    assert len(duplicate_keys('{"a":1,"a":' * 3000 + "1" + "}" * 3000)) == 100
    assert len(duplicate_keys("{" + ",".join(['"a":1'] * 3000) + "}")) == 100


@pytest.mark.parametrize(
    ("text", "short"),
    [
        (' { "b" : [ 1.0 , 1E+2 , -0 ] , "b" : null } ', '{"b":[1.0,1E+2,-0],"b":null}'),
        (r'"\u0041\/\u001f\n\u00e9"', '"A/\\u001f\\né"'),
        (r'"\ud800 \uDFFF \ud83d\ude00"', '"\\ud800 \\udfff 😀"'),
        ('" [ {  \\" : , "', '" [ {  \\" : , "'),
        ('"\udcff"', '"\\udcff"'),
        ("[NaN, Infinity]", "[NaN,Infinity]"),
    ],
)
def test_the_compact_form(text, short):
    assert compact(text) == short


def test_the_compact_form_with_changes():
    def change(text: str) -> str:
        return text.replace('p"w', "P").replace("12345678", "N")

    assert compact('{"p\\"w": ["\\u0070\\"w", 123456789, true]}', change) == '{"P":["P","N9",true]}'


@pytest.mark.parametrize("depth", [200, 201])
@pytest.mark.parametrize("noise", ["", '"[{\\"[", ', '{}, "}", '])
def test_depth_is_counted_to_the_container(depth, noise):
    text = "[" * (depth - 1) + f"{noise}[]" + "]" * (depth - 1)
    assert too_deep(text) is (depth > 200)
    assert too_deep("[" + "{}," * 300 + "{}]") is False


def test_spans_and_items():
    text = '{"a": [1, {"b": [2]}], "a": [], "c": {"d": "x"}, "e": [ [3 ], "]" ]}'
    assert array_items(text, ("a",)) == ["1", '{"b": [2]}']
    assert array_items(text, ("e",)) == ["[3 ]", '"]"']
    assert array_items(text, ("e", 0)) == ["3"]
    assert array_items(text, ("c",)) == []  # no array
    assert array_items(text, ("z",)) == []
    assert array_items("[]", ()) == []
    assert array_items("7", ()) == []
    found = {path: text[start:end] for path, start, end in spans(text, within=("c",), levels=2)}
    assert found == {("c", "d"): '"x"', ("c",): '{"d": "x"}'}
    assert [path for path, _, _ in spans(text)] == [("a",), ("a",), ("c",), ("e",), ()]
    assert member('{"name": 1, "name": "x", "name": "y"}', "name") == "x"
    assert member('["name"]', "name") is None


@pytest.mark.parametrize(
    "text", ["", "[", "[1", "[1 2]", "[,]", "{1: 2}", '{"a"}', '{"a":}', '{"a": 1', "[] []", "[?]"]
)
def test_spans_of_what_is_no_json(text):
    with pytest.raises(JsonFault) as caught:
        spans(text, levels=2)
    assert caught.value.code is FaultCode.SYNTAX


def test_lines_and_duplicate_keys():
    text = '{\n "a": 1,\n "b": [\n  2,\n  {"c":\n 3, "c": 4}],\n "a": 5\n}'
    wanted = [("a",), ("b", 0), ("b", 1, "c"), ("b", 1), ("nowhere",), ()]
    assert lines(text, wanted) == {
        (): 1,
        ("a",): 2,
        ("b", 0): 4,
        ("b", 1): 5,
        ("b", 1, "c"): 5,
    }
    assert lines(text, []) == {}
    assert duplicate_keys(text) == [(("b", 1, "c"), 6), (("a",), 7)]


def test_quoting():
    text = '"\\/\b\f\n\r\t\x00\x1f\x7f\u2028é😀\ud800'
    assert quote(text) == '"\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\u2028é😀\\ud800"'
    assert json.loads(quote(text)) == text


@pytest.mark.heavy
def test_thirty_megabytes_are_read():
    wide = "[" + ",".join(['{"k": "v\\n", "n": 1.5}'] * 1_400_000) + "]"
    text = f'{{"name": "n", "name": "n", "x": {wide}}}'
    assert len(text) > 30_000_000
    assert refusal(text).code is FaultCode.DUPLICATE_KEY
    assert len(compact(text)) < len(text)
    assert not too_deep(text)
    assert len(array_items(wide, ())) == 1_400_000
    assert member(text, "name") == "n"
    assert len(duplicate_keys(text)) == 1
    assert refusal("9" * 30_000_000).code is FaultCode.NUMBER
    assert len(array_items("[" * 1_000_000 + "]" * 1_000_000, ())) == 1
