"""Whatever a server says, no program that reads our output takes it for a command or markup."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from mcplock.model import Place
from mcplock.render.github import github_commands
from mcplock.render.junit import junit
from mcplock.render.markdown import markdown
from mcplock.render.neutral import cell, code, command_data, command_property, fenced, tag
from mcplock.render.outcome import Annotation, Block, Level, Outcome, Row
from mcplock.render.sarif import sarif
from mcplock.text import inert, visible
from mcplock.workflow.report import Conclusion
from tests.formats import commands, junit_cases, markdown_texts, sarif_results

PIECES = [
    "::", ":", "##", "#", "[", "]", "(", ")", "![", "](", "error", "vso", "a", "%0A", "%", "\\",
    "`", "```", "~~~", "|", "<", ">", "<b>", "<!--", "-->", "&", "&lt;", "*", "_", "-", "=", "+",
    "@team", "#1", "https://x.example", "www.x.example", "a@x.example", "]]>", "\x1b[31m",
    "\n\n", "\n#", "\n>", "\n-", "\n1.", "\n|", "\n::error::", "\r", " ", "\t", "\n", "\u200b",
]  # fmt: skip
HOSTILE = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
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


@given(HOSTILE)
@example("```")
@example("~~~")
@example("![x](https://x.example)")
@example("` @team #1 `")
def test_markdown_makes_nothing_of_a_text(text: str) -> None:
    shown = visible(text)
    document = "\n".join(
        [
            f"{code(shown)} and {code(shown)}",
            "",
            "| a | b |",
            "|---|---|",
            f"| {cell(shown)} | {cell(shown)} |",
            "",
            *fenced([shown, shown]),
            "",
            f"<details><summary>{tag(shown)}</summary>",
            "",
            "</details>",
        ]
    )
    seen, loose = markdown_texts(document)
    assert loose.split() == ["and", "a", "b"]
    copies = 5 if "|" in shown else 7  # in tables a bar is a mark
    assert seen.count(inert(shown).strip(" ")) >= copies


@given(HOSTILE)
def test_a_workflow_command_carries_a_text_and_no_second_command(text: str) -> None:
    shown = visible(text)
    line = f"::error file={command_property(shown)},title=x::{command_data(shown)}"
    ((level, told, message),) = commands(line)
    assert (level, told["title"]) == ("error", "x")
    assert told["file"] == message == inert(shown)


@given(HOSTILE, st.sampled_from(Level))
def test_every_format_of_an_outcome_is_well_formed_whatever_it_tells(
    text: str, level: Level
) -> None:
    shown = visible(text)
    row = Annotation(
        "drift", level, Place(f"\udcff{text}", 3), shown, shown, shown, [shown], [text]
    )
    outcome = Outcome(
        "check",
        f"\udcff{text}",
        Conclusion.FAIL,
        shown,
        [Row("~", shown, "drift", "1 tool")],
        [row, row],
        [Block(shown, "said", [shown])],
        [shown],
    )
    assert len(sarif_results(sarif(outcome))) == 2
    assert len(junit_cases(junit(outcome))) >= 2
    assert len(commands(github_commands(outcome))) == 2
    markdown_texts(markdown(outcome))
    for document in (sarif(outcome), junit(outcome), github_commands(outcome), markdown(outcome)):
        assert not re.search(r"##\w*\[", document)
        assert "\x1b" not in document
