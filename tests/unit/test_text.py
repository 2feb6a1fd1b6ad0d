"""What is hidden, and how it is shown."""

import hashlib
import re
from unicodedata import ucd_3_2_0

import pytest

from mcplock.text import (
    ESCAPED,
    HIDDEN,
    escape_character,
    hidden,
    printable,
    visible,
    visible_lines,
)

EVERY = "".join(map(chr, range(0x110000)))


def digest(pattern: re.Pattern[str]) -> str:
    members = ",".join(f"{ord(hit):x}" for hit in pattern.findall(EVERY))
    return hashlib.sha256(members.encode()).hexdigest()[:16]


def test_the_sets_are_fixed():
    """The lock's bytes depend on these sets: a change here changes every lock that was written.

    Whoever changes one on purpose raises the lock's version, or shows that no lock can hold
    the characters in question.
    """
    assert (len(HIDDEN.findall(EVERY)), digest(HIDDEN)) == (860_654, "faae3ea5bdf3c9c2")
    assert (len(ESCAPED.findall(EVERY)), digest(ESCAPED)) == (1_057_335, "b213238429312a8c")


def test_no_control_format_space_or_private_character_is_missing():
    kinds = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp", "Zs")
    missing = {c for c in EVERY if ucd_3_2_0.category(c) in kinds and not HIDDEN.match(c)}
    assert missing == {" "}


HIDDEN_ONES = {
    "controls": "\x00\x01\t\n\r\x1b\x1f\x7f\x80\x85\x9b\x9f",
    "spaces": "\u00a0\u1680\u2000\u2003\u200a\u202f\u205f\u3000",
    "soft hyphen, joiners, marks": "\u00ad\u034f\u061c\u200b\u200c\u200d\u200e\u200f\u2060\ufeff",
    "bidirectional": "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
    "separators": "\u2028\u2029",
    "invisible operators": "\u2061\u2062\u2063\u2064\u206a\u206f",
    "blanks": "\u115f\u1160\u3164\uffa0\u2800\u17b4\u17b5\u180e",
    "selectors": "\ufe00\ufe0f\U000e0100\U000e01ef\u180b",
    "tags": "\U000e0001\U000e0020\U000e007f",
    "format signs": "\u0600\u0605\u06dd\u070f\u08e2\U000110bd\U0001d173\U0001bca0",
    "blank or unassigned": "\U0001d159\U00016fe4\U00050000\U0003fffe",
    "private use": "\ue000\uf8ff\U000f0000\U00100000",
    "surrogates, no characters, specials": "\ud800\udfff\ufdd0\ufffe\uffff\ufff9\ufffc\ufffd",
}
SHOWN_ONES = "aZ09 ~\u00a1éñß\u0301\u0416\u05d0\u0627\u0915\u4e2d\uac00あ€→☀😀\u200a"[:-1]


@pytest.mark.parametrize("characters", HIDDEN_ONES.values(), ids=HIDDEN_ONES)
def test_hidden_characters_are_marked(characters):
    for character in characters:
        assert visible(f"a{character}b") == f"a⟨U+{ord(character):04X}⟩b"
        assert list(hidden(f"a{character}b")) == [(1, character)]


@pytest.mark.parametrize("character", SHOWN_ONES)
def test_others_are_not(character):
    assert visible(character) == character
    assert not list(hidden(character))


@pytest.mark.parametrize(
    "text",
    [
        "☀\ufe0f ☎\ufe0e ❤\ufe0f",
        "👩\u200d💻 👨\u200d👩\u200d👧\u200d👦 🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥 👩🏽\u200d🚀",
        "1\ufe0f\u20e3 #\ufe0f\u20e3",
        "🇩🇪",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "می\u200cخواهم",
        "क्\u200dष क्\u200cष",
        "ශ්\u200dරී",
        "crème e\u0301 한국어 日本語",
        "",
    ],
    ids=ascii,
)
def test_what_belongs_where_it_stands_is_kept(text):
    assert visible(text) == text
    assert not list(hidden(text))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1\ufe0f", "1⟨U+FE0F⟩"),
        ("a\ufe0f", "a⟨U+FE0F⟩"),
        ("\ufe0f", "⟨U+FE0F⟩"),
        ("☀\ufe0f\ufe0f", "☀\ufe0f⟨U+FE0F⟩"),
        ("👩\u200d", "👩⟨U+200D⟩"),
        ("\u200d👩", "⟨U+200D⟩👩"),
        ("👩\u200da", "👩⟨U+200D⟩a"),
        ("a\u200db", "a⟨U+200D⟩b"),
        ("م\u200c", "م⟨U+200C⟩"),
        ("م\u200c\u200cم", "م⟨U+200C⟩⟨U+200C⟩م"),
        ("م\u200ca", "م⟨U+200C⟩a"),
        (
            "🏴\U000e0061\U000e0062\U000e0063\U000e007f",
            "🏴" + "".join(f"⟨U+E00{part}⟩" for part in ("61", "62", "63", "7F")),
        ),
        ("⟨", "⟨U+27E8⟩"),
        ("⟨U+200B⟩", "⟨U+27E8⟩U+200B⟩"),
        ("\x1b]8;;http://e\x07x", "⟨U+001B⟩]8;;http://e⟨U+0007⟩x"),
    ],
    ids=ascii,
)
def test_what_does_not_is_marked(text, shown):
    assert visible(text) == shown


def test_lines_are_shown_one_by_one():
    assert visible_lines("a\n\tb\r\n") == ["a", "⟨U+0009⟩b⟨U+000D⟩", ""]


def test_json_safe_text_keeps_what_shows():
    assert printable("a\u200bé\n\U000e0041") == "a\\u200bé\\u000a\\udb40\\udc41"


@pytest.mark.parametrize(
    ("character", "escaped"),
    [
        ("\x00", "\\u0000"),
        ("\uffff", "\\uffff"),
        ("😀", "\\ud83d\\ude00"),
        ("\U0010ffff", "\\udbff\\udfff"),
    ],
)
def test_escapes(character, escaped):
    assert escape_character(character) == escaped
