"""TOML with the places of its keys, and how a fault is told."""

import pytest

from mcplock.manifest.toml import read


def told(text: str) -> list[str]:
    return [str(fault).partition("\n")[0] for fault in read(text, "f").faults]


def test_each_key_has_its_line() -> None:
    document = read(
        """\
# first
top = [
  "x",
  { y = 1 },
]
[servers."a.b"]
'c' . d = '''
[not.a.table]
e = 1
'''
f = { g = "}", h = [ "#", '"' ] } # [no]
i = \"\"\"
j = 1 \\\"\"\" \"\"\"\"

[[list]]
k = 1
[[list]]
k = 1979-05-27T07:32:00
[list.m]
n = 1.5
""",
        "f",
    )
    assert document.faults == []
    assert dict(document.lines) == {
        ("top",): 2,
        ("top", 0): 3,
        ("top", 1): 4,
        ("top", 1, "y"): 4,
        ("servers",): 6,
        ("servers", "a.b"): 6,
        ("servers", "a.b", "c"): 7,
        ("servers", "a.b", "c", "d"): 7,
        ("servers", "a.b", "f"): 11,
        ("servers", "a.b", "f", "g"): 11,
        ("servers", "a.b", "f", "h"): 11,
        ("servers", "a.b", "f", "h", 0): 11,
        ("servers", "a.b", "f", "h", 1): 11,
        ("servers", "a.b", "i"): 12,
        ("list",): 15,
        ("list", 0): 15,
        ("list", 0, "k"): 16,
        ("list", 1): 17,
        ("list", 1, "k"): 18,
        ("list", 1, "m"): 19,
        ("list", 1, "m", "n"): 20,
    }


@pytest.mark.parametrize(
    "text, message",
    [
        ("a = x\n", "f:1:5: not a value; strings stand in quotes"),
        ('\na = "x\n', "f:2:7: a string that does not end on its line"),
        (
            'a = "C:\\Users"\n',
            "f:1:10: not an escape that TOML knows; write a backslash twice, or use single quotes",
        ),
        (
            'a = "C:\\data"\n',
            "f:1:10: not an escape that TOML knows; write a backslash twice, or use single quotes",
        ),
        ("a\n", "f:1:2: a key that no `=` follows"),
        ("a = 1 b = 2\n", "f:1:7: one line holds one key and its value"),
        ("a = {b = 1}\n[a.c]\n", "f:2:5: this is defined above in another way"),
        ("a = [1,\n", "f:1:8: not a value; strings stand in quotes"),
    ],
)
def test_a_syntax_fault_names_line_and_column(text: str, message: str) -> None:
    assert told(text) == [message]
    assert read(text, "f").value is None


def test_every_key_that_stands_twice_is_told_and_the_rest_is_read() -> None:
    text = """\
a = 1
a = 2
[s.x]
command = 1
[s.y]
b = 1
b = "#"
[s.x]
url = 1
"""
    assert told(text) == [
        "f:1: a: is written twice (again on line 2)",
        "f:6: s.y.b: is written twice (again on line 7)",
        "f:3: s.x: is written twice (again on line 8)",
    ]
    assert read(text, "f").value == {"a": 1, "s": {"x": {"command": 1}, "y": {"b": 1}}}


def test_a_key_twice_in_an_inline_table() -> None:
    assert told("a = {b = 1, b = 2}\n") == ["f:1: a.b: is written twice"]


def test_a_syntax_fault_beside_a_key_that_stands_twice() -> None:
    assert told("a = 1\na = 2\nb = x\n") == [
        "f:1: a: is written twice (again on line 2)",
        "f:3:5: not a value; strings stand in quotes",
    ]


@pytest.mark.parametrize(
    "text, message",
    [
        ("a = " + "[" * 100_000, "f: nests too deeply"),
        ("a = " + "9" * 5_000, "f: a number of too many digits"),
    ],
)
def test_what_has_no_measure_is_a_fault(text: str, message: str) -> None:
    assert told(text) == [message]
