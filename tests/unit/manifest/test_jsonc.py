"""JSON with comments: what is read, and how a fault is told."""

import pytest

from mcplock.manifest.document import Document
from mcplock.manifest.jsonc import blanked, read


def told(text: str) -> list[str]:
    document = read(text, "f")
    return [str(fault) for fault in document.faults]


@pytest.mark.parametrize(
    "text, value",
    [
        ('{"a": 1 // one\n}', {"a": 1}),
        ('{/* { */"a": /* x\ny **/ 1}', {"a": 1}),
        ('// first\n{"a": [1, 2, ], }\n// last', {"a": [1, 2]}),
        ('{"a": "https://x/*y*/", "b": "\\"// "}', {"a": "https://x/*y*/", "b": '"// '}),
        ('{"a": ",]", "b": [",}", ]}', {"a": ",]", "b": [",}"]}),
        ("[1, // one\n]", [1]),
        ("[1 /* , */, /* x */ ]", [1]),
        ('"a"', "a"),
        ("1.0", 1),
        ('{"": {"": null}}', {"": {"": None}}),
        ('{"a": "\\u00e9\\ud83d\\ude00"}', {"a": "é😀"}),
    ],
)
def test_what_is_read(text: str, value: object) -> None:
    document = read(text, "f")
    assert document.faults == []
    assert document.value == value


def test_blanking_moves_nothing() -> None:
    text = '{"a": 1, // é\n /* 😀\n */ "b": [2, ],}'
    plain = blanked(text)
    assert len(plain) == len(text)
    assert plain.count("\n") == text.count("\n")
    assert plain.index('"b"') == text.index('"b"')


def test_each_key_has_its_line() -> None:
    document: Document = read('{\n"a": {\n"b": [\n1,\n2]},\n\n"c": 1}', "f")
    assert document.lines["a",] == 2
    assert document.lines["a", "b"] == 3
    assert document.lines["a", "b", 1] == 5
    assert document.lines["c",] == 7
    assert document.place(("a", "b", 0, "deeper")).line == 4


@pytest.mark.parametrize(
    "text, first",
    [
        (
            '{\n"a": 1,\n"b" 2}',
            "f:3:5: misplaced: a comma, a colon or a bracket is missing before it",
        ),
        ('{"a": "x" "y"}', "f:1:11: misplaced: a comma, a colon or a bracket is missing before it"),
        (
            '{"a": "C:\\Users"}',
            "f:1:10: not an escape that JSON knows; a backslash is written twice",
        ),
        ('{"a": "x}', "f:1:7: a string that does not end on its line"),
        ('{"a": "x\ny"}', "f:1:7: a string that does not end on its line"),
        ('{"a": "x\ty"}', "f:1:9: a tab inside a string is written `\\t`"),
        ("{'a': 1}", "f:1:2: strings stand in double quotes"),
        ("{a: 1}", "f:1:2: neither a string in quotes nor a number"),
        ('{"a": tru}', "f:1:7: neither a string in quotes nor a number"),
        ('{"a": 01}', "f:1:8: misplaced: a comma, a colon or a bracket is missing before it"),
        ("[,]", "f:1:2: unexpected ','"),
        ("{,}", "f:1:2: unexpected ','"),
        ("[1,,]", "f:1:4: unexpected ','"),
        ('{"a":,}', "f:1:6: unexpected ','"),
        ('{"a": 1}}', "f:1:9: unexpected '}'"),
        ('{"a": [1}', "f:1:9: unexpected '}'"),
        ('{"a": 1 /* x', "f:1:9: a comment that does not end"),
        ("/*/", "f:1:1: a comment that does not end"),
        ('{"a": 1', "f:1:8: the text ends too early"),
        ('{"a": \u200b1}', "f:1:7: unexpected '\\u200b'"),
    ],
)
def test_a_syntax_fault_names_line_and_column(text: str, first: str) -> None:
    [fault] = told(text)
    message, _, caret = fault.split("\n")
    assert message == first
    assert caret.strip() == "^"
    assert read(text, "f").value is None


def test_the_caret_stands_below_the_fault() -> None:
    [fault] = told('{"mcpServers": {"play": {"command": "x" "args": []}}}')
    assert fault.split("\n")[1:] == [
        '   {"mcpServers": {"play": {"command": "·" "····": []}}}',
        "                                           ^",
    ]


def test_a_long_line_is_cut_around_the_caret() -> None:
    [fault] = told('{"a": "' + "x" * 5000 + '" "b"}')
    _, line, caret = fault.split("\n")
    assert len(line) < 80
    assert line.startswith("  …")
    assert len(caret) <= len(line)


def test_every_key_that_stands_twice_is_told() -> None:
    text = '{\n"a": 1,\n"a": {"b": 1, "b": 2},\n"c": [{"d": 1,\n"d": 2}],\n"\\u0061": 3}'
    assert told(text) == [
        "f:2: a: is written twice (again on line 3)",
        "f:3: a.b: is written twice",
        "f:4: c[0].d: is written twice (again on line 5)",
        "f:2: a: is written twice (again on line 6)",
    ]
    assert read(text, "f").value == {"a": 1, "c": [{"d": 1}]}


@pytest.mark.parametrize(
    "text, message",
    [
        ('{"a": NaN}', "f:1: a: NaN is not a JSON number"),
        ('{"a": [-Infinity]}', "f:1: a[0]: -Infinity is not a JSON number"),
        ('{"a": 1e999}', "f:1: a: 1e999 is too large for a double"),
        ('{"a": ' + "9" * 5000 + "}", "f:1: a: a number of 5,000 digits"),
    ],
)
def test_a_number_without_measure_is_a_fault(text: str, message: str) -> None:
    assert told(text) == [message]


def test_depth_without_measure_is_a_fault() -> None:
    [fault] = told("[" * 200_000)
    assert fault.startswith("f:1:202: nests more than 200 levels deep")
    assert read("[" * 200 + "]" * 200, "f").faults == []
