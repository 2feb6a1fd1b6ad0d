import pytest

from mcplock.patterns import Allowance, Feature, Pattern, TooLong, Unsupported, read

MEANS = [  # pattern, texts that match, texts that do not
    (r"^(?!undefined$)", ["undefinedx", ""], ["undefined"]),
    (r"^[a[\]]+$", ["a[]", "a"], ["b", ""]),
    (r"(?P<y>\d{4})", ["in 2024"], ["٣٣٣٣", "202"]),
    (r"(?<year>\d{4})", ["2024"], ["24"]),
    (r"^\p{L}+$", ["é", "漢字"], ["1", "²"]),
    (r"^[\p{Lu}_]$", ["É", "_"], ["é"]),
    (r"^\P{Letter}$", ["1"], ["x"]),
    (r"(?i)abc", ["xABCx"], ["ab"]),
    (r"^$", [""], ["\n"]),
    (r"^a.b$", ["axb"], ["a\nb", "a\u2028b"]),
    (r"^\w$", ["a", "_"], ["é"]),
    (r"^\s$", ["\ufeff", "\u2028", " "], ["\u200b", "x"]),
    (r"^[\s\S]$", ["\n", "x"], [""]),
    (r"^[^]$", ["\n"], [""]),
    (r"[]", [], ["", "x"]),
    (r"^[\w-.]+$", ["a-b.c"], ["a,b"]),
    (r"^\x41\u0042\u{43}\cJ\0\/$", ["ABC\n\0/"], ["ABC"]),
    (r"^\ud83d\ude00$", ["\U0001f600"], ["x"]),
    (r"\bfoo\b", ["a foo.", "foo"], ["afoo", "foo_"]),
    (r"\Boo", ["foo"], ["oo"]),
    (r"(?<=\$)\d+", ["cost $5"], ["5"]),
    (r"(?<!\w+)x", ["x", " x"], ["ax"]),
    (r"^(?=.*\d)(?=.*[a-z]).{4,}$", ["abc1"], ["abcd", "a1"]),
    (r"(?=a)*b", ["b"], ["a"]),
    (r"^a{2}b{2,}c{0,1}?$", ["aabb", "aabbbc"], ["abb", "aab"]),
    (r"^x{,3}$", ["x{,3}"], ["xx"]),
    (r"^a|b$", ["ax", "xb"], ["xax"]),
    (r"^(?:(?:a|b)*c)*$", ["", "abcc"], ["ab"]),
    (r"^(\d{1,3}\.){3}\d{1,3}$", ["10.0.0.1"], ["10.0.0"]),
]


@pytest.mark.parametrize(("source", "match", "miss"), MEANS, ids=[row[0] for row in MEANS])
def test_a_pattern_means_what_ecma_262_says(source, match, miss):
    pattern = Pattern(source)
    found = {text: pattern.search(text, Allowance(10_000)) for text in match + miss}
    assert found == {text: text in match for text in match + miss}


@pytest.mark.parametrize(("source", "match", "miss"), MEANS, ids=[row[0] for row in MEANS])
def test_both_engines_agree(source, match, miss, monkeypatch):
    monkeypatch.setattr(Pattern, "_is_safe", lambda *_: False)
    test_a_pattern_means_what_ecma_262_says(source, match, miss)


@pytest.mark.parametrize(
    "source",
    [
        *(r"\1(a)", r"\k<n>", "(?>a)", "a++", "a**", "*a", "((", ")", "[a", "[z-a]", r"\h", r"\A"),
        *(r"\p{Script=Latin}", r"\p{", r"\u{110000}", r"\x4", "[[:alpha:]]", "a{3,2}", "\\"),
        *("{2}", "a{1000000000}", "(" * 101 + ")" * 101, "a" * 20_001, "(?i:a)", "a(?i)"),
    ],
)
def test_what_cannot_be_read_says_why(source):
    with pytest.raises(Unsupported, match=r"\w"):
        Pattern(source)


@pytest.mark.parametrize(
    ("source", "text", "matches"),
    [
        ("^(a+)+$", "a" * 3_000 + "b", False),
        ("^(a|a)*$", "a" * 3_000, True),
        ("(.*)(.*)(.*)(.*)(.*)x", "a" * 3_000, False),
        ("^(([a-z])+.)+[A-Z]([a-z])+$", "a" * 3_000, False),
        ("(?:a?){30}a{30}", "a" * 30, True),
        ("^(?=(a+)+$)(?!(b|b)*c)", "a" * 2_000 + "!", False),
        ("^[A-Za-z0-9+/]*={0,2}$", "A" * 2_000_000, True),
    ],
)
def test_patterns_that_explode_elsewhere_are_matched(source, text, matches):
    assert Pattern(source).search(text, Allowance(1_000_000)) is matches


def test_a_text_that_takes_too_long_is_not_judged():
    with pytest.raises(TooLong):
        Pattern("^(a+b?)+$").search("a" * 2_000_000, Allowance(100_000))


def test_a_program_that_is_too_large_is_not_built():
    pattern = Pattern("^((a{1,1000}b?){1,1000})+$")
    for _ in range(2):
        with pytest.raises(Unsupported):
            pattern.search("a", Allowance(100_000))


@pytest.mark.parametrize(
    ("source", "feature"),
    [
        (r"a(?!b)", Feature.LOOKAROUND),
        (r"(?<=a)b", Feature.LOOKAROUND),
        (r"\p{L}", Feature.PROPERTY),
        (r"(?<n>a)", Feature.NAMED_GROUP),
        (r"(?i)a", Feature.FLAG),
        (r"[a[]", Feature.SET_SYNTAX),
        (r"[a&&b]", Feature.SET_SYNTAX),
        (r"\u00e9", Feature.UNICODE_ESCAPE),
        (r"[^]", Feature.EMPTY_CLASS),
        (r"a{1,2000}", Feature.LARGE_COUNT),
    ],
)
def test_features_are_told(source, feature):
    assert feature in read(source).features


def test_a_plain_pattern_has_no_features():
    assert read(r"^[\w.\-\[]+\/(?:a|b){2,3}?\d*$").features == ()
