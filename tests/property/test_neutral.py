"""Whatever a server says, no program that reads our output takes it for a command or markup."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from mcplock.text import inert, visible

HOSTILE = st.lists(
    st.sampled_from(
        ["::", ":", "##", "#", "[", "]", "error", "vso", " ", "\t", "\n", "a", "`", "|", "<", ">"]
    ),
    max_size=12,
).map("".join)
"""Texts made of what commands and markup are made of."""


@given(HOSTILE | st.text())
@example("  ::error file=x::boo")
@example("see ##[add-mask]x ##vso[task.setvariable]y ####[z")
def test_no_line_of_a_log_is_obeyed(text: str) -> None:
    line = inert(visible(text))
    assert not line.strip().startswith("::")
    assert not re.search(r"##\w*\[", line)


@given(HOSTILE)
def test_what_is_no_command_stays_and_no_two_texts_become_one(text: str) -> None:
    shown = visible(text)
    line = inert(shown)
    assert line.replace("⟨U+003A⟩", ":").replace("⟨U+005B⟩", "[") == shown
    assert inert(line) == line
