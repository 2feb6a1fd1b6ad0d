"""How a server is reached, as it is shown to whoever consents to start it."""

import pytest

from mcplock.model import Kind, Source, Transport
from mcplock.render.definition import definition_lines
from mcplock.render.launch import launch_lines
from mcplock.render.spans import to_plain
from mcplock.render.wrap import fold_commands
from mcplock.workflow.project import source_entry

PATH = "/a very/" + "long/" * 30 + "index.js"
SOURCE = Source(
    Transport.STDIO, command="node", args=(PATH, ".", "two words"), env={"TOKEN": "x " * 80}
)


def test_a_part_is_one_line_however_long_it_is() -> None:
    shown = to_plain(launch_lines(SOURCE)).splitlines()

    assert shown == [
        f'    runs    "node" "{PATH}" "." "two words"',
        f'    env     TOKEN="{"x " * 80}"',
    ]
    entry = source_entry(SOURCE)
    assert to_plain(definition_lines(Kind.SOURCE, entry, 40)).splitlines() == shown


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_terminal_breaks_it_between_words(width: int) -> None:
    args = ("first", "with two", "and three words", "--flag", "x y")
    (runs,) = launch_lines(Source(Transport.STDIO, command="serve", args=args))

    rows = to_plain(fold_commands(runs, width, 8)).splitlines()

    assert len(rows) > 1 or width > 75
    assert all(row.count('"') % 2 == 0 for row in rows)
    words = " ".join(row.strip() for row in rows)
    assert words.endswith('"serve" "first" "with two" "and three words" "--flag" "x y"')


def test_a_word_that_fits_on_no_row_is_broken_and_nothing_of_it_lost() -> None:
    (runs, _) = launch_lines(SOURCE)

    rows = to_plain(fold_commands(runs, 40, 8)).splitlines()

    assert max(map(len, rows)) <= 40
    assert "".join(row.strip() for row in rows).replace(" ", "") == (
        f'runs"node""{PATH}"".""twowords"'.replace(" ", "")
    )
