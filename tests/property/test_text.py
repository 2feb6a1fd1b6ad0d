"""What is shown of hostile text."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from mcplock.text import HIDDEN, hidden, printable, visible

MARK = re.compile("⟨U\\+([0-9A-F]{4,6})⟩")
# Among any characters often those that could be taken for something that belongs.
ANY = st.text(
    st.characters()
    | st.sampled_from(
        "a1#⟨⟩U+☀👩🏽💻🏴مनक\u094d\u200c\u200d\ufe0f\ufe0e\u20e3\n\U000e0067\U000e007f"
    )
)


@given(ANY)
@example("⟨U+200B⟩")
@example("\u200b")
@example("☀\ufe0f1\ufe0f")
def test_nothing_is_lost_so_no_two_texts_are_shown_alike(text):
    assert MARK.sub(lambda hit: chr(int(hit[1], 16)), visible(text)) == text


@given(ANY)
def test_what_is_shown_hides_nothing(text):
    shown = visible(text)
    assert not list(hidden(shown))
    assert not re.search("[\x00-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]", shown)
    for hit in HIDDEN.finditer(shown):  # selectors and joiners that belong, and no others
        assert re.match("[\ufe0e\ufe0f\u200c\u200d\U000e0062-\U000e007f]", hit[0])


@given(ANY)
def test_each_hidden_character_is_told_with_its_place(text):
    for place, character in hidden(text):
        assert text[place] == character
        assert HIDDEN.match(character)
    assert (visible(text) == text) is (not list(hidden(text)) and "⟨" not in text)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_json_safe_text_is_undone_by_reading(text):
    assert not HIDDEN.search(printable(text))
    unescaped = re.sub(
        r"((?:\\u[0-9a-f]{4})+)",
        lambda hit: bytes.fromhex(hit[0].replace("\\u", "")).decode("utf-16-be"),
        printable(text.replace("\\", "")),
    )
    assert unescaped == text.replace("\\", "")
