import pytest

from mcplock.changes.sequence import Run, same_runs
from mcplock.render.words import changed_words, shared_start


def told(old, new):
    """Both sides, what is changed in brackets."""
    words = changed_words(old, new)
    if words is None:
        return None
    return tuple(
        "".join(f"[{part.text}]" if part.changed else part.text for part in side) for side in words
    )


@pytest.mark.parametrize(
    ("old", "new", "left", "right"),
    [
        ("a b c", "a x c", "a [b] c", "a [x] c"),
        ("read it", "read it now", "read it[]", "read it[ now]"),
        ("now read it", "read it", "[now ]read it", "[]read it"),
        ("up to 10 pages", "up to 100 pages", "up to [10] pages", "up to [100] pages"),
        ("one (two)", "one [two]", "one [(]two[)]", "one [[]two[]]"),
        ("在手册中搜索", "在文档中搜索", "在[手册]中搜索", "在[文档]中搜索"),
        ("read the file", "rеad the file", "r[e]ad the file", "r[е]ad the file"),
        ("password", "pass⟨U+200B⟩word", "pass[]word", "pass[⟨U+200B⟩]word"),
        ("the same", "the same", "the same", "the same"),
        ("a\nb", "a b", "a[\n]b", "a[ ]b"),
    ],
)
def test_the_words_that_differ(old, new, left, right):
    assert told(old, new) == (left, right)


def test_few_equal_words_between_many_that_differ_are_not_kept_apart():
    old = "Look for pages of the book that fit. Sort the list by the date of the last change."
    new = "Look for pages of the book that fit. Leave the rest to the one who asked a question."
    left, right = told(old, new)
    assert left == old.replace("Sort", "[Sort").replace("change", "change]")
    assert right == new.replace("Leave", "[Leave").replace("question", "question]")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Search the book.", "Entirely other, longer words."),
        ("", "something"),
        ("x", "y"),
        ("", ""),
        (" ".join(map(str, range(2000))), " ".join(map(str, range(1999, -1, -1)))),
    ],
)
def test_texts_with_too_little_in_common_are_not_compared(old, new):
    assert told(old, new) is None


def test_what_is_put_into_a_long_text_is_found_however_long():
    text = "ab cd " * 200_000
    left, right = told(text + "end", text + "INSERTED end")
    assert left == text + "[]end"
    assert right == text + "[INSERTED ]end"


@pytest.mark.parametrize(
    ("old", "new", "length"),
    [
        ("", "", 0),
        ("a b c", "a b d", 4),
        ("a b", "a b", 2),
        ("abc", "abd", 0),
        ("x" * 300 + "a", "x" * 300 + "b", 200),
    ],
)
def test_what_two_texts_begin_with_ends_where_a_word_does(old, new, length):
    assert shared_start(old, new) == length


def longest(old, new):
    """The length of a longest common subsequence, by the book."""
    row = [0] * (len(new) + 1)
    for left in old:
        diagonal = 0
        for at, right in enumerate(new, start=1):
            best = diagonal + 1 if left == right else max(row[at], row[at - 1])
            diagonal, row[at] = row[at], best
    return row[-1]


@pytest.mark.parametrize("old", ["", "a", "abcabba", "aaaa", "xyz"])
@pytest.mark.parametrize("new", ["", "a", "cbabac", "aa", "abcabba"])
def test_as_many_items_as_can_be_are_the_same(old, new):
    runs = same_runs(old, new)
    assert sum(run.length for run in runs) == longest(old, new)
    for run in runs:
        assert old[run.old : run.old + run.length] == new[run.new : run.new + run.length]


def test_beyond_a_number_of_edits_there_is_no_answer():
    assert same_runs("abcdef", "ghijkl", most_edits=11) is None
    assert same_runs("abcdef", "ghijkl", most_edits=12) == []
    assert same_runs("ab" * 5000, "ab" * 5000 + "c", most_edits=1) == [Run(0, 0, 10_000)]
