"""One value on one line where it fits; hidden characters never bare; numbers as hashed."""

import json

import pytest

from mcplock.jsontext import parse
from mcplock.lockfile.layout import lay_out

# `    "key": [<filler>]` and perhaps a comma.
INDENT = "    "
KEY = '"key": '


def lines(filler: str, *, comma: bool) -> list[str]:
    """How a list of one string stands in an object at `INDENT`, followed by another key or not."""
    value = {"key": [filler], "object": {"other": {}}} if comma else {"key": [filler]}
    holder = {"first": {"nested": {}}, **value}
    return lay_out(holder, INDENT[2:]).split("\n")


@pytest.mark.parametrize("comma", [True, False])
@pytest.mark.parametrize(
    ("letter", "width"),
    [("x", 1), ("\u00e9", 1), ("漢", 1), ("\u200b", 6), ("\x1b", 6), ("\n", 2), ("\U0001f600", 12)],
)
def test_a_line_has_at_most_100_code_points_as_written(letter, width, *, comma):
    room = 100 - len(f'{INDENT}{KEY}[""]{"," * comma}')
    letters, filling = divmod(room, width)
    fits = letter * letters + "x" * filling

    at_most = lines(fits, comma=comma)
    too_long = lines(fits + "x", comma=comma)

    [line] = [line for line in at_most if line.startswith(INDENT + KEY)]
    assert len(line) == 100
    assert [line for line in too_long if line.startswith(INDENT + KEY)] == [INDENT + KEY + "["]
    assert parse("\n".join(too_long))["key"] == [fits + "x"]


def test_a_long_string_or_number_alone_stays_on_its_line():
    assert lay_out({"a": "x" * 200}).split("\n") == ["{", f'  "a": "{"x" * 200}"', "}"]
    assert lay_out(10**150) == "1" + "0" * 150


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({}, "{}"),
        ([], "[]"),
        ({"a": []}, '{"a": []}'),
        ({"a": [1, [2, [3]]]}, '{"a": [1, [2, [3]]]}'),
        ({"a": {}}, '{\n  "a": {}\n}'),
        ([{}], "[\n  {}\n]"),
        ([[{"a": 1}], 2], '[\n  [\n    {"a": 1}\n  ],\n  2\n]'),
        ({"b": True, "a": None, "": False}, '{"b": true, "a": null, "": false}'),
    ],
)
def test_what_holds_an_object_is_broken_up(value, text):
    assert lay_out(value) == text


@pytest.mark.parametrize(
    ("character", "written"),
    [
        ('"', '\\"'),
        ("\\", "\\\\"),
        ("/", "/"),
        ("\b", "\\b"),
        ("\f", "\\f"),
        ("\n", "\\n"),
        ("\r", "\\r"),
        ("\t", "\\t"),
        ("\x00", "\\u0000"),
        ("\x1f", "\\u001f"),
        (" ", " "),
        ("~", "~"),
        ("\x7f", "\\u007f"),
        ("\x80", "\\u0080"),
        ("\x85", "\\u0085"),
        ("\x9f", "\\u009f"),
        ("\xa0", "\\u00a0"),
        ("\xa1", "\xa1"),
        ("\xad", "\\u00ad"),
        ("\u02ff", "\u02ff"),
        ("\u0300", "\\u0300"),
        ("\u034f", "\\u034f"),
        ("\u036f", "\\u036f"),
        ("\u0370", "\u0370"),
        ("\u061c", "\\u061c"),
        ("\u115f", "\\u115f"),
        ("\u1680", "\\u1680"),
        ("\u180e", "\\u180e"),
        ("\u2003", "\\u2003"),
        ("\u200b", "\\u200b"),
        ("\u200d", "\\u200d"),
        ("\u200e", "\\u200e"),
        ("\u2010", "\u2010"),
        ("\u2028", "\\u2028"),
        ("\u202e", "\\u202e"),
        ("\u202f", "\\u202f"),
        ("\u205f", "\\u205f"),
        ("\u2069", "\\u2069"),
        ("\u2800", "\\u2800"),
        ("\u3000", "\\u3000"),
        ("\u3164", "\\u3164"),
        ("漢", "漢"),
        ("\ud800", "\\ud800"),
        ("\udfff", "\\udfff"),
        ("\ue000", "\\ue000"),
        ("\uf8ff", "\\uf8ff"),
        ("\ufdd0", "\\ufdd0"),
        ("\ufe0f", "\\ufe0f"),
        ("\ufeff", "\\ufeff"),
        ("\uffa0", "\\uffa0"),
        ("\ufff9", "\\ufff9"),
        ("\ufffd", "\\ufffd"),
        ("\uffff", "\\uffff"),
        ("\U00010000", "\\ud800\\udc00"),
        ("\U0001f600", "\\ud83d\\ude00"),
        ("\U000e0041", "\\udb40\\udc41"),
        ("\U0010ffff", "\\udbff\\udfff"),
    ],
)
def test_each_range_of_characters(character, written):
    assert lay_out(character) == f'"{written}"'
    assert lay_out({character: [character]}) == f'{{"{written}": ["{written}"]}}'
    assert lay_out({character: {"a": {}}}).split("\n")[1] == f'  "{written}": {{'
    assert json.loads(lay_out(character)) == character


@pytest.mark.parametrize(
    ("sent", "written"),
    [
        ("0", "0"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("1.0", "1"),
        ("1e2", "100"),
        ("1E400", None),
        ("1e-400", "0"),
        ("0.1", "0.1"),
        ("1.50", "1.5"),
        ("0.000001", "0.000001"),
        ("0.00001", "0.00001"),
        ("1.5e-5", "0.000015"),
        ("1e-7", "1e-7"),
        ("-1.5e-7", "-1.5e-7"),
        ("5e-324", "5e-324"),
        ("1.7976931348623157e308", str(int(1.7976931348623157e308))),
        ("9007199254740993", "9007199254740993"),
        ("9007199254740993.0", "9007199254740992"),
        ("1e21", "1000000000000000000000"),
        ("9" * 4000, "9" * 4000),
        ("-" + "9" * 4000, "-" + "9" * 4000),
    ],
)
def test_numbers_stand_as_they_are_hashed(sent, written):
    if written is None:
        with pytest.raises(ValueError, match="too large"):
            parse(sent)
        return
    assert lay_out(parse(sent)) == written
    assert "".join(lay_out({"a": [parse(sent), "1e-5"]}).split()) == f'{{"a":[{written},"1e-5"]}}'
    assert parse(written) == parse(sent)
