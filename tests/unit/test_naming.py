"""The names that are told where one was mistyped."""

import pytest

from mcplock.naming import nearest

NOTES = ["notes", "@notes", "notes/add", "notes/delete", "notes/search", "mail", "mail/send"]


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("notes/serch", "notes/search"),
        ("serch", "notes/search"),
        ("add", "notes/add"),
        ("nope/add", "notes/add"),
        ("notse", "notes"),
        ("notse/add", "notes/add"),
        ("@note", "@notes"),
        ("mial", "mail"),
    ],
)
def test_the_name_that_was_meant_is_told_first(word: str, told: str) -> None:
    said = nearest(word, NOTES).removeprefix("did you mean ").removesuffix("?")
    assert said.split(" or ")[0] == told


def test_no_name_is_told_that_is_far_behind_the_nearest() -> None:
    assert nearest("notes/serch", NOTES) == "did you mean notes/search?"
    assert nearest("notes/add", ["notes", "notes/delete"]) == "did you mean notes?"
    assert nearest("notse", NOTES) == "did you mean notes?"
    assert nearest("zeppelin", NOTES) == ""
    assert nearest("x", []) == ""
