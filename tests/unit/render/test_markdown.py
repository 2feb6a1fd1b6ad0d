"""The Markdown of an outcome keeps within its limit and counts what it leaves out."""

import pytest

from mcplock.render.markdown import markdown
from mcplock.render.outcome import Block, Outcome, Row
from mcplock.workflow.report import Conclusion
from tests.formats import markdown_texts

LONG = Block("docs", "1 change", ["    - ä" + "``` <b>" * 20] * 2_000)
SHORT = Block("mail", "1 change", ["    + x", "      - y"], is_diff=True)


LOUD = Block("<" * 500, "1 change", ["`" * 500_000, "::x" * 9, *["::" * 30] * 9_000])


def outcome(*blocks: Block, rows: int = 1) -> Outcome:
    return Outcome(
        command="check",
        file="mcp.lock",
        conclusion=Conclusion.FAIL,
        verdict="failed",
        rows=[Row("~", f"s{number}", "drift", "1 tool") for number in range(rows)],
        blocks=blocks,
        hints=["`mcplock update`"],
    )


@pytest.mark.parametrize("limit", [3_000, 65_536, 1_048_576])
def test_a_long_section_is_cut_and_its_lines_are_counted(limit: int) -> None:
    text = markdown(outcome(*[LONG] * 20), limit)

    assert len(text.encode()) <= limit
    shown, loose = markdown_texts(text)
    assert "failed" in shown
    if limit < 1_000_000:
        assert "more lines: see the log" in shown
        assert "Left out for want of room: " in loose
    else:
        assert shown.count("```") > 2_000


def test_all_that_has_room_is_there_with_signs_where_they_colour() -> None:
    text = markdown(outcome(SHORT, Block("", "what went wrong", ["! x"])))
    assert "```diff\n+     x\n      - y\n```" in text, "what goes on is no line of the diff"
    assert "```text\n! x\n```" in text
    assert "want of room" not in text
    assert text.count("<details open>") == 1


def test_where_not_even_the_verdict_has_room_there_is_nothing() -> None:
    assert markdown(outcome(SHORT), 200) == ""


def test_many_servers_are_counted() -> None:
    shown, loose = markdown_texts(markdown(outcome(SHORT, rows=150)))
    assert "s99" in shown
    assert "s100" not in shown
    assert "and 50 more servers" in loose


@pytest.mark.parametrize("limit", [6_000, 65_536])
def test_what_grows_when_it_is_made_harmless_leaves_no_section_out(limit: int) -> None:
    text = markdown(outcome(LOUD), limit)
    assert len(text.encode()) <= limit
    shown, _ = markdown_texts(text)
    assert "⟨U+003A⟩" in shown
    assert "more lines: see the log" in shown
