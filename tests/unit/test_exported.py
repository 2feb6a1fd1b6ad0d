"""Exported names: safe, leading back to one tool, and the same whatever else is there."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcplock.exported import LONGEST, exported_name, exported_names

SAFE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
NAMES = st.one_of(st.text(max_size=12), st.text("ab_-", max_size=6))
IDENTITIES = st.tuples(NAMES, NAMES)


@pytest.mark.parametrize(
    ("server", "tool", "name"),
    [
        ("docs", "search", "mcp__docs__search"),
        ("a-b", "c__d", "mcp__a-b__c__d"),
        ("a", "_b", "mcp__a___b"),
    ],
)
def test_plain_names_stay_as_they_are(server: str, tool: str, name: str) -> None:
    assert exported_name(server, tool) == name


@pytest.mark.parametrize(
    ("server", "tool"),
    [
        ("", "x"), ("x", ""), ("a b", "c"), ("a", "b.c"), ("a__b", "c"), ("a_", "b"),
        ("s" * 300, "t"), ("s", "t" * 300), ("é", "ü"), ("..", "/"), ("a", "x\x1b[2J"),
        ("a", "b_0123456789ab"),
    ],
)  # fmt: skip
def test_other_names_are_made_safe_and_end_in_a_hash(server: str, tool: str) -> None:
    name = exported_name(server, tool)

    assert SAFE.fullmatch(name)
    assert re.search(r"_[0-9a-f]{12}$", name)


@given(st.lists(IDENTITIES, unique=True, max_size=20))
def test_no_two_tools_share_a_name_and_none_depends_on_the_others(
    tools: list[tuple[str, str]],
) -> None:
    names = exported_names(tools)

    assert len(set(names.values())) == len(tools)
    assert all(SAFE.fullmatch(name) and len(name) <= LONGEST for name in names.values())
    assert all(names[tool] == exported_name(*tool) for tool in tools)


@given(IDENTITIES, IDENTITIES)
def test_a_tool_cannot_take_the_name_of_another(
    one: tuple[str, str], other: tuple[str, str]
) -> None:
    taken = exported_name(*one)
    impostor = ("mcp", taken.removeprefix("mcp__"))

    assert (exported_name(*other) == taken) == (one == other)
    assert exported_name(*impostor) != taken or one == impostor


def test_two_that_would_bear_one_name_bear_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcplock.exported._digest", lambda *_: "0" * 12)

    assert exported_names([("a", "x y"), ("a", "x.y"), ("a", "z")]) == {("a", "z"): "mcp__a__z"}
