import pytest

from mcplock.audit.characters import audit_characters


def rules(content):
    return [(finding.rule, finding.pointer) for finding in audit_characters(content)]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("a\u200bb", "hidden-character"),
        ("a\U000e0041b", "hidden-character"),
        ("a1\ufe0f", "hidden-character"),
        ("x\u00ady", "hidden-character"),
        ("\ufeffx", "hidden-character"),
        ("\u3164", "hidden-character"),
        ("a\u2028b", "hidden-character"),
        ("a\u202eb", "bidirectional"),
        ("a\u2066b\u2069", "bidirectional"),
        ("\x1b[2Jx", "terminal-escape"),
        ("\x9b31m", "terminal-escape"),
        ("ok\rbad", "terminal-escape"),
        ("a\bb", "terminal-escape"),
        ("a\x7fb", "terminal-escape"),
        ("a\x85b", "terminal-escape"),
        ("a\x00b", "terminal-escape"),
    ],
    ids=ascii,
)
def test_what_a_reviewer_cannot_see_is_found(text, rule):
    assert rules({"description": text}) == [(rule, "/description")]


@pytest.mark.parametrize(
    "text",
    [
        "Two\nlines\r\nand a\ttab",
        "10\u00a0km, \u3000検索\u2009: oui\u202f!",
        "👩\u200d💻 ❤\ufe0f 1\ufe0f\u20e3 👍🏽 🏳\ufe0f\u200d🌈",
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "می\u200cخواهم",
        "क्\u200dष",
        "crème brûlée, naïve, Ünï",
        r"write \u200b and \x1b[0m as text",
    ],
    ids=ascii,
)
def test_ordinary_text_is_not(text):
    assert rules({"description": text}) == []


def test_every_string_and_key_is_read():
    content = {
        "a/b": [{"~": "\u200b"}],
        "k\u200b": 1,
        "n": [1, None, True, 1.5],
    }
    assert rules(content) == [
        ("hidden-character", "/k\u200b"),
        ("hidden-character", "/a~1b/0/~0"),
    ]
    assert rules("one\u200b") == [("hidden-character", "")]
    assert rules(None) == []


def test_the_message_names_and_spells():
    text = "x" + "".join(chr(0xE0000 + ord(letter)) for letter in "run rm") + "\u200b\u200b"
    (finding,) = audit_characters(text)
    assert "8× U+E0072, U+E0075" in finding.message
    assert finding.message.endswith("they spell 'run rm'")


def test_numbers_without_measure_are_no_trouble():
    assert rules({"n": 10**5000, "x": "\u200b"}) == [("hidden-character", "/x")]


def test_a_text_full_of_hidden_characters_is_read_once():
    assert len(rules({"x": "\x1b\u202e\u200b" * 50_000})) == 3
