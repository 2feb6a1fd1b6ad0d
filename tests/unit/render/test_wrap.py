import pytest

from mcplock.render.cells import cells, clusters
from mcplock.render.spans import Span, Style, line, to_plain
from mcplock.render.wrap import fold, fold_commands, shown, wrap


def rows(text, width, style=Style.PLAIN):
    return ["".join(span.text for span in row) for row in wrap([Span(style, text)], width)]


@pytest.mark.parametrize(
    ("text", "width"),
    [("abc", 3), ("搜索", 4), ("e\u0301", 1), ("🚀", 2), ("a\u200b", 1), ("", 0), ("ｒ", 2)],
)
def test_how_wide_text_is(text, width):
    assert cells(text) == width


def test_what_belongs_together_stays_together():
    assert list(clusters("ae\u0301👨\u200d👩b")) == ["a", "e\u0301", "👨\u200d👩", "b"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [""]),
        ("one two three", ["one two ", "three"]),
        ("12345678 x", ["12345678 ", "x"]),
        ("1234567890123456789", ["12345678", "90123456", "789"]),
        ("a     b", ["a     b"]),
        ("a          b", ["a          ", "b"]),
        ("搜索手册页面", ["搜索手册", "页面"]),
        ("é 12345678", ["é ", "12345678"]),
        ("ab ⟨U+1⟩ b", ["ab ⟨U+1⟩ ", "b"]),
    ],
)
def test_rows_break_where_words_end(text, expected):
    assert rows(text, 8) == expected


def test_blanks_that_changed_are_not_left_hanging():
    assert rows("1234567  ", 8, Style.ADDED_WORDS) == ["1234567", "  "]


def test_styles_do_not_break_a_word():
    spans = [Span(Style.PLAIN, "one tw"), Span(Style.ADDED_WORDS, "oo"), Span(Style.PLAIN, " x")]
    assert [[span.text for span in row] for row in wrap(spans, 7)] == [["one "], ["tw", "oo", " x"]]


def test_a_folded_line_leaves_the_margin_free():
    folded = fold(line("~ ", Span(Style.NAME, "x" * 30), "  ~ docs/other  approved"), 20, hang=4)
    texts = ["".join(span.text for span in row) for row in folded]
    assert all(text.startswith("    ") for text in texts[1:])
    assert all(cells(text) <= 20 for text in texts)
    assert "".join(text.strip() for text in texts).startswith("~ " + "x" * 30)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\u200bb", "a⟨U+200B⟩b"),
        ("a" + " " * 23 + "b", "a" + " " * 23 + "b"),
        ("a" + " " * 24 + "b", "a⟨U+0020×24⟩b"),
        (" " * 59 + "b", " " * 59 + "b"),
        (" " * 60 + "b", "⟨U+0020×60⟩b"),
    ],
)
def test_long_blanks_are_counted(text, expected):
    assert shown(text) == expected


def test_plain_text_underlines_the_words_that_changed_by_the_cell():
    spans = line("搜索 ", Span(Style.ADDED_WORDS, "手册"), " x")
    assert to_plain([spans, line("y ")]) == "搜索 手册 x\n     ^^^^\ny\n"


def test_a_command_stays_on_one_row_where_it_fits() -> None:
    command = "`mcplock approve docs/search@sha256:0dfb8e7ce8d4`"
    told = (Span(Style.DIM, f"hint: read it whole and then {command} approves that, no other"),)

    rows = [to_plain([row]).rstrip("\n") for row in fold_commands(told, 60, hang=4)]

    assert sum(command in row for row in rows) == 1
    assert max(map(len, rows)) <= 60
    assert " ".join(row.strip() for row in rows) == told[0].text
    narrow = [to_plain([row]).rstrip("\n") for row in fold_commands(told, 40, hang=4)]
    assert max(map(len, narrow)) <= 40
    assert " ".join(row.strip() for row in narrow) == told[0].text
