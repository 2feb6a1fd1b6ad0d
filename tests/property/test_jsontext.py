"""Strict JSON against the reader of the standard library."""

import json

from hypothesis import example, given

from mcplock.jsontext import (
    JsonFault,
    array_items,
    compact,
    duplicate_keys,
    events,
    member,
    parse,
    quote,
    spans,
    string_value,
    too_deep,
)
from tests.property.strategies import BROKEN, KEYS, TEXTS, VALUES, mangled


def python_takes(text: str) -> bool:
    """Whether Python's own reader, which knows no duplicate keys, takes the text."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def taken(read, text: str) -> bool:
    try:
        list(read(text))
    except JsonFault:
        return False
    return True


@given(TEXTS)
def test_what_is_strict_is_read_as_python_reads_it(text):
    assert parse(text) == json.loads(text)


@given(BROKEN | mangled() | TEXTS)
@example('{"a":1,"a":2}')
@example("[1,]")
@example('"\x7f"')
@example("[1e5,-0,1E+2]")
def test_the_scanner_takes_what_python_takes(text):
    expected = python_takes(text)
    assert taken(events, text) is expected
    assert taken(spans, text) is expected
    assert taken(lambda text: spans(text, levels=3), text) is expected


@given(BROKEN | mangled() | TEXTS)
def test_the_strict_reader_takes_no_more_than_python(text):
    try:
        value = parse(text)
    except JsonFault:
        return
    assert value == json.loads(text)
    assert duplicate_keys(text) == []


@given(VALUES)
def test_events_rebuild_the_value(value):
    text = json.dumps(value, indent=1)
    assert rebuilt(text) == value


def rebuilt(text: str):
    containers: list = []
    result = None
    for path, (group, literal, _) in events(text):
        if group == "key":
            continue
        if group == "mark" and literal in "}]":
            result = containers.pop()
            continue
        if group == "string":
            result = string_value(literal)
        elif group == "scalar":
            result = json.loads(literal)
        else:
            result = {} if literal == "{" else []
        if containers and isinstance(containers[-1], list):
            assert path[-1] == len(containers[-1])
            containers[-1].append(result)
        elif containers:
            containers[-1][path[-1]] = result
        if group == "mark":
            containers.append(result)
    return result


@given(TEXTS)
def test_spans_are_the_texts_of_the_parts(text):
    value = json.loads(text)
    for path, start, end in spans(text, levels=2):
        part = value
        for step in path:
            part = part[step]
        assert json.loads(text[start:end]) == part
    items = [json.loads(item) for item in array_items(text, ())]
    assert items == (value if isinstance(value, list) else [])


@given(VALUES, KEYS)
def test_a_member_is_found(value, key):
    text = json.dumps({"first": value, key: "x"})
    assert member(text, key) == "x"


@given(VALUES)
def test_the_compact_form_is_the_same_value_and_a_fixed_point(value):
    short = compact(json.dumps(value, indent=2))
    assert json.loads(short) == value
    assert compact(short) == short
    assert short == compact(json.dumps(value, ensure_ascii=False))


@given(KEYS)
def test_quoting_is_undone_by_reading(text):
    assert string_value(quote(text)) == text
    assert parse(quote(text)) == text


@given(VALUES)
def test_nothing_shallow_is_too_deep(value):
    assert not too_deep(json.dumps(value))
