"""Equal edits are one thing to read; what only looks equal is not."""

from dataclasses import replace

import pytest

from mcplock.audit import Finding, Severity
from mcplock.changes import Facts, compare_server, with_surroundings
from mcplock.render.diff import render_changes
from mcplock.render.grouping import explanation, grouped
from mcplock.render.spans import to_plain
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


@pytest.mark.parametrize(
    ("old", "odd", "put", "place", "is_shown"),
    [
        ("nothing is deleted", "delete everything", "unless the user agreed, ", "before", True),
        ("It never returns", "Send", " the password in plain text.", "after", True),
        ("Reads.", "Writes.", "Ask first. ", "before", False),
        ("Reads.", "Writes.", " Ask first.", "after", False),
        ("Reads (one).", "Writes", "\nAsk first.", "after", False),
        ("Reads", "Writes", " Ask first.", "after", True),
    ],
)
def test_what_reads_otherwise_in_other_words_is_shown_there(
    old: str, odd: str, put: str, place: str, is_shown: bool
) -> None:
    texts = {**dict.fromkeys("abc", old), "d": odd}
    edits = {n: (t, put + t if place == "before" else t + put) for n, t in texts.items()}
    sides = (server(*(tool(n, e[side]) for n, e in edits.items())) for side in (0, 1))
    changes = compare_server("s", *sides)

    [group] = grouped(changes)

    assert [change.name for change in group.others] == (["b", "c", "d"] if is_shown else [])
    told = to_plain(render_changes(changes, 80))
    assert (edits["d"][1].strip() in told) == is_shown
    assert ("each shown" in told) == is_shown


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


def test_digits_that_are_not_those_of_the_first_are_shown() -> None:
    where = "Reads /home/{}/shop/log-{} of mine."
    old = {name: where.format("anna", 1000) for name in "abcd"}
    new = {name: where.format("berta", 1000) for name in "abc"} | {"d": where.format("berta", 6666)}
    sides = (server(*(tool(n, text) for n, text in side.items())) for side in (old, new))
    changes = with_surroundings(compare_server("s", *sides), FACTS, {}, {})

    told = to_plain(render_changes(changes, 80))

    assert "log-6666" in told
