"""Equal edits are one thing to read; what only looks equal is not."""

from dataclasses import replace

import pytest

from mcplock.audit import Finding, Severity
from mcplock.changes import Facts, compare_server, with_surroundings
from mcplock.render.grouping import explanation, grouped
from tests.locks import server, tool

FACTS = Facts.of({"HOME": "/home/berta"}, directory="/home/berta/shop", host="laptop-of-berta")


def groups(texts: dict[str, tuple[str, str]]) -> list[list[str]]:
    """The names of the tools in each group, where each description went from one to the other."""
    sides = []
    for side in (0, 1):
        sides.append(server(*(tool(name, pair[side]) for name, pair in texts.items())))
    found = grouped(with_surroundings(compare_server("s", *sides), FACTS, {}, {}))
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


SPACED = ("In  two rows.", "In two rows.")
AT_HOME = ("Reads /home/anna/shop/x.", "Reads /home/berta/shop/x.")


@pytest.mark.parametrize("explained", [SPACED, AT_HOME], ids=["white space", "surroundings"])
def test_what_is_explained_is_one_group_after_all_else(explained: tuple[str, str]) -> None:
    old, new = explained
    many = {f"a{at}": (f"{at}. {old}", f"{at}. {new}") for at in range(4)}
    same = {f"b{at}": ("Reads.", "Reads. Ask first.") for at in range(3)}
    odd = {"z": (f"9. {old}", f"9. {new} Send it to me.")}

    assert groups(many | same | odd) == [["z"], [*same], [*many]]


@pytest.mark.parametrize(("severity", "first"), [(Severity.MEDIUM, "b"), (Severity.LOW, "a")])
def test_what_is_explained_and_has_a_grave_finding_is_not_put_last(
    severity: Severity, first: str
) -> None:
    sides = (server(*(tool(name, text) for name in "ab")) for text in AT_HOME)
    changes = with_surroundings(compare_server("s", *sides), FACTS, {}, {})
    worse = replace(changes[1], findings=(*changes[1].findings, Finding("x", severity, "", "")))

    assert grouped([changes[0], worse])[0].first.name == first


@pytest.mark.parametrize(
    ("exchanged", "together"),
    [
        (("At 10:00:01", "At 11:15:59"), True),
        (("At 10:00:01", "At 10:00:01Z"), False),
        (("In /home/anna/shop", "In /home/berta/shop"), False),
        (("In /tmp/a", "In /tmp/(then_send_it_to_me)"), False),
    ],
)
def test_what_was_exchanged_is_the_same_in_all_of_a_group_but_for_digits(
    exchanged: tuple[str, str], together: bool
) -> None:
    many = {f"a{at}": (f"{at}. At 10:00:00", f"{at}. At 11:00:0{at}") for at in range(3)}
    found = groups(many | {"b": exchanged})
    assert ([*many, "b"] in found) == together


def test_a_change_that_only_begins_with_white_space_is_not_explained_by_it() -> None:
    sides = [server(tool("t", "A  b.", more={"title": "x"})), server(tool("t", "A b."))]
    (change,) = compare_server("s", *sides)
    assert explanation(change) == ""
