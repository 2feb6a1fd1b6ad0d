"""Whatever a server sends, a diff shows it, keeps its place and plays no tricks."""

import re

from hypothesis import assume, example, given
from hypothesis import strategies as st

from mcplock.canonical import hash_value
from mcplock.changes import compare_entries
from mcplock.model import Entry, Kind
from mcplock.render.cells import cells
from mcplock.render.diff import render_changes
from mcplock.render.spans import to_plain
from mcplock.render.words import changed_words
from mcplock.render.wrap import shown
from mcplock.text import hidden

PIECES = st.sampled_from(
    [
        *("a", "word", "another ", " ", "  ", "\n", "\n\n", "\t", "\r\n", "x" * 90, " " * 70),
        *("\u200b", "\x1b[2J", "⟨", "⟩", "搜索", "、", "é", "e\u0301", "🚀", "\n" * 9),
        *("👨\u200d👩\u200d👧", "- ", "+ ", "~ docs/x  approved", "/", "↵", "⋯", "^"),
    ]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)
WIDTHS = st.sampled_from([40, 80, 160])
KEYS = st.one_of(st.sampled_from(["description", "_meta", "inputSchema", "icons"]), TEXTS)
VALUES = st.recursive(
    st.one_of(TEXTS, st.sampled_from([None, True, 1, 0.5, 10**300])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


def rendered(old, new, width=80, name="get"):
    before, after = (content and Entry(hash_value(content), content) for content in (old, new))
    return to_plain(
        render_changes([compare_entries("docs", Kind.TOOL, name, before, after)], width)
    )


@given(
    st.one_of(st.none(), st.dictionaries(KEYS, VALUES, min_size=1, max_size=4)),
    st.dictionaries(KEYS, VALUES, min_size=1, max_size=4),
    TEXTS,
    WIDTHS,
)
def test_rows_are_safe_fit_and_leave_the_first_column_to_us(old, new, name, width):
    assume(old is None or hash_value(old) != hash_value(new))
    rows = rendered(old, new, width, name).split("\n")
    assert not [row for row in rows if list(hidden(row))]
    assert not [row for row in rows if cells(row) > width]
    assert [row[:1] for row in rows if row[:1].strip()] == ["+" if old is None else "~"]


@given(TEXTS, TEXTS, TEXTS, WIDTHS)
@example("a b c", "a  b c", "a b  c", 80)
@example("ab", "a\nb", "a↵b", 80)
def test_two_texts_that_differ_are_shown_differently(old, one, other, width):
    assume(_lines(one) != _lines(other))
    assume(old not in (one, other))
    first, second = (
        rendered({"description": old}, {"description": new}, width).split("\n", 1)[1]
        for new in (one, other)
    )
    assert first != second


def _lines(text):
    """The lines without what a diff leaves out: indentation, blanks at their end, gaps."""
    lines = [line.strip(" ") for line in text.replace("↵", "\n").split("\n")]
    return [line for line in lines if line]


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_the_parts_of_two_texts_make_up_the_texts(start, old, new, end):
    before, after = shown(start + old + end), shown(start + new + end)
    sides = changed_words(before, after) or ([], [])
    for parts, text in zip(sides, (before, after), strict=True):
        assert "".join(part.text for part in parts) in (text, "")
    left, right = ("".join(part.text for part in side if not part.changed) for side in sides)
    assert left == right


@given(TEXTS, TEXTS, TEXTS, WIDTHS)
def test_no_text_of_a_definition_looks_like_a_part_of_it(description, parameter, meta, width):
    content = {
        "name": "get",
        "description": description,
        "inputSchema": {"properties": {"q": {"type": "string", "description": parameter}}},
        "_meta": {"k": meta},
    }
    rows = rendered(None, content, width).split("\n")[1:]
    ours = [row[4:] for row in rows if row.startswith("    ") and row[4:5].strip()]
    assert [re.split("[ ⟨]", row)[0] for row in ours] == ["name", "q", "/_meta/k"]


@given(TEXTS, WIDTHS)
def test_no_text_of_a_new_parameter_looks_like_a_part_of_it(description, width):
    new = {"q": {"description": description, "type": "string", "default": "x" * 80}}
    old = {"inputSchema": {"properties": {}}}
    rows = rendered(old, {"inputSchema": {"properties": new}}, width).split("\n")
    ours = [row[6:] for row in rows if row[4:5] == "+" and row[6:7].strip()]
    keys = [row.partition(":")[0] for row in ours if not GAP.fullmatch(row)]
    assert keys == ["description", "type", "default"]


GAP = re.compile("⋯ [0-9]+ blank lines")
