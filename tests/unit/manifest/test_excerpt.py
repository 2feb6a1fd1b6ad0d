"""The line of a syntax fault shows its keys, and no value."""

import pytest

from mcplock.manifest.excerpt import Lines, masked


@pytest.mark.parametrize(
    "line, shown",
    [
        ('{"a": "hunter2", "b": [1, true]}', '{"a": "·······", "b": [·, ····]}'),
        ('{"a": "hunter2": "x"}', '{"a": "·······": "·"}'),
        ('"a": "x,hunter2:y', '"a": "···········'),
        ("key = 'x,hunter2=y'", "key = '···········'"),
        ("key = 'x,hunter2=y", "key = '···········"),
        ("key = hunter2", "key = ·······"),
        ("key = hunter2 = x", "key = ······· = ·"),
        ("env = {KEY = hunter2}", "env = {KEY = ·······}"),
        ("QUJDREVGRw==", "··········=="),
        ("QUJDREVGRw= ", "··········= "),
        ("x" * 64 + "=1", "·" * 64 + "=·"),
        ("\tkey = \u202ehunter2", "·key = ········"),
    ],
)
def test_values_are_dots(line: str, shown: str) -> None:
    assert masked(line) == shown
    assert "hunter2" not in masked(line)
    assert len(masked(line)) == len(line)


def test_a_line_inside_of_a_long_string_is_dots() -> None:
    text = 'a = """\nkey = hunter2\n\\q"""\n'
    fault = Lines(text).fault("f", text.index("hunter2"), "m")
    assert (fault.line, fault.column) == (2, 7)
    assert fault.excerpt.split("\n")[0].strip() == "··· · ·······"


def test_a_line_without_measure_is_not_shown() -> None:
    assert Lines("x" * 1_000_001).fault("f", 5, "m").excerpt == ""
