"""Equal edits are one thing to read; what only looks equal is not."""

import pytest

from mcplock.changes import compare_server
from mcplock.render.grouping import grouped
from tests.locks import server, tool


def groups(texts: dict[str, tuple[str, str]]) -> list[list[str]]:
    """The names of the tools in each group, where each description went from one to the other."""
    sides = []
    for side in (0, 1):
        sides.append(server(*(tool(name, pair[side]) for name, pair in texts.items())))
    found = grouped(compare_server("s", *sides))
    return [[change.name for change in group.changes] for group in found]


DO_NOT = "Do not use it for tests. Do not delete user data."


@pytest.mark.parametrize(
    ("edits", "together"),
    [
        ([("Reads.", "Reads. Ask first."), ("Writes.", "Writes. Ask first.")], True),
        ([("Reads.", "New. Reads."), ("Writes.", "New. Writes.")], True),
        ([("Reads all.", "Reads."), ("Reads all.", "Reads.")], True),
        ([("Reads.", "Reads. Ask."), ("Writes.", "Ask. Writes.")], False),
        ([("Reads one file.", "Reads file."), ("Drops one file.", "Drops file.")], False),
        (
            [
                (DO_NOT, "Do use it for tests. Do not delete user data."),
                (DO_NOT, "Do not use it for tests. Do delete user data."),
            ],
            False,
        ),
    ],
)
def test_only_what_is_the_same_wherever_it_stands_is_one_edit(
    edits: list[tuple[str, str]], together: bool
) -> None:
    first, other = edits
    found = groups({"a1": first, "a2": first, "a3": first, "b": other})
    assert (["a1", "a2", "a3", "b"] in found) == together
    assert (["b"] in found) != together
