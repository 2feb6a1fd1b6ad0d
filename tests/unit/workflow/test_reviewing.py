"""A review as a state: which keys decide, and what they decide on."""

from collections.abc import Iterable

import pytest

from mcplock.audit import Finding, Severity
from mcplock.changes import compare_entries
from mcplock.model import Entry, Invalid, Kind, State
from mcplock.naming import Named
from mcplock.workflow.confirming import NEVER, always_ask
from mcplock.workflow.decide import Decision
from mcplock.workflow.reviewing import (
    Choice,
    Extent,
    Fate,
    Mode,
    Page,
    Question,
    Review,
    answer,
    asked,
    decided,
    decision,
    press,
    resized,
)
from tests import locks

SHORT = Extent(rows=5, height=20)
LONG = Extent(rows=50, height=20)
HIGH = Finding("hidden-character", Severity.HIGH, "", "odd")


def page(name: str, *findings: Finding, server: str = "docs") -> Page:
    entry = locks.tool(name)
    change = compare_entries(server, Kind.TOOL, name, None, entry)
    named = Named(server, Kind.TOOL, name, entry)
    return Page([named], change.__class__(**{**fields(change), "findings": findings}))


def fields(change) -> dict:
    return {name: getattr(change, name) for name in type(change).__slots__}


THREE = Review([page("a"), page("odd", HIGH), page("b")])


def after(review: Review, keys: Iterable[str], extent: Extent = SHORT) -> Review:
    """The review after keys that decide nothing."""
    for key in keys:
        review, choice = press(review, key, extent)
        assert choice is None
    return review


@pytest.mark.parametrize("key", ["enter", " "])
def test_what_turns_over_skips_at_the_end_only(key: str) -> None:
    review = after(THREE, [key, key], LONG)
    assert (review.at, review.top) == (0, 30)
    assert after(review, [key], LONG).fates == {0: Fate.SKIPPED}
    assert after(THREE, ["s"], LONG).fates == {0: Fate.SKIPPED}


def test_what_was_jumped_over_is_turned_back_to_before_it_is_skipped() -> None:
    review = after(THREE, ["end", "enter"], LONG)
    assert (review.at, review.top) == (0, 19)


def test_what_was_seen_on_a_screen_of_another_size_is_not_known_any_more() -> None:
    review = resized(after(THREE, ["pagedown"], LONG))
    assert after(review, ["a"], LONG).top == 0


@pytest.mark.parametrize("key", ["enter", " ", "s"])
def test_what_skips_approves_nothing(key: str) -> None:
    review, choice = press(THREE, key, SHORT)

    assert choice is None
    assert (review.at, review.fates) == (1, {0: Fate.SKIPPED})


def test_a_approves_what_was_read() -> None:
    _, choice = press(THREE, "a", SHORT)

    assert choice == Choice(Fate.APPROVED, [0])


def test_a_turns_over_until_the_end_was_on_the_screen() -> None:
    review, choice = press(THREE, "a", LONG)
    assert (choice, review.top) == (None, 19)
    review, choice = press(review, "a", LONG)
    assert (choice, review.top) == (None, 30), "the last rows were not on the screen yet"
    _, choice = press(review, "a", LONG)
    assert choice == Choice(Fate.APPROVED, [0])


def test_what_was_jumped_over_was_not_read() -> None:
    review = after(THREE, ["end", "a"], LONG)
    assert review.top == 19, "it leads to the first rows that were not on the screen"
    review, choice = press(review, "a", LONG)
    assert choice is None
    _, choice = press(review, "a", LONG)
    assert choice == Choice(Fate.APPROVED, [0])


def test_help_decides_nothing_and_is_not_the_text() -> None:
    review = after(THREE, "?", LONG)
    assert review.mode is Mode.HELP
    for key in ("a", "enter", "q", "down", "\x1b", "?", "A", "p"):
        assert after(review, [key], LONG) == THREE, "it closes the help and does nothing else"


def test_a_high_finding_takes_a_note() -> None:
    review = after(THREE, "sa")
    assert review.question is Question.NOTE

    assert answer(review, "")[1] is None
    assert answer(review, "known")[1] == Choice(Fate.APPROVED, [1], "known")


@pytest.mark.parametrize(("text", "pages"), [("yes", [0, 2]), ("y", None), ("", None)])
def test_the_rest_takes_a_typed_yes_and_never_holds_what_is_high(
    text: str, pages: list[int] | None
) -> None:
    mail = page("send", server="mail")
    review = asked(after(THREE._replace(pages=[*THREE.pages, mail]), "A"), SHORT)
    assert review.question is Question.REST

    _, choice = answer(review, text)

    assert (choice and choice.pages) == pages


def test_the_rest_is_what_is_undecided_also_what_was_skipped() -> None:
    assert after(THREE, "ss").rest == [0, 2]
    denied = THREE._replace(fates={0: Fate.DENIED, 2: Fate.MOVED})
    assert denied.rest == []


def test_the_rest_is_asked_about_once_all_of_its_list_was_on_the_screen() -> None:
    review = after(THREE, "A", LONG)
    assert asked(review, LONG).question is None
    review = after(review, ["end"], LONG)
    assert (review.top, asked(review, LONG).question) == (19, None), "nothing is jumped over"
    review = after(review, ["enter"], LONG)
    assert asked(review, LONG).question is Question.REST
    assert asked(resized(review), LONG).question is None

    refused, choice = answer(asked(review, LONG), "no")
    assert (choice, refused.mode, refused.read) == (None, Mode.PAGE, False)


@pytest.mark.parametrize("key", ["\x1b", "q", "s", "d"])
def test_other_keys_leave_the_list_of_the_rest_and_decide_nothing(key: str) -> None:
    review = after(after(THREE, "A"), [key], LONG)
    assert (review.mode, review.at, review.fates, review.over) == (Mode.PAGE, 0, {}, False)


def test_what_is_judged_is_what_was_shown_also_the_second_time() -> None:
    choice = Choice(Fate.DENIED, [0], "no")
    denial = decision(THREE, choice, always_ask)
    review = decided(THREE, choice, denial)._replace(at=0)

    again = decision(review, Choice(Fate.APPROVED, [0]), always_ask)

    (verdict,) = again.verdicts
    assert verdict.named.entry.state is State.DENIED, "what the lock has now"
    assert verdict.after == THREE.pages[0].entries[0].entry._replace(
        approved=verdict.named.entry.hash
    )


def test_the_policy_preselects_what_is_called_unasked() -> None:
    (verdict,) = decision(THREE, Choice(Fate.APPROVED, [0]), lambda named: NEVER).verdicts

    assert isinstance(verdict.after, Entry)
    assert verdict.after.confirm == NEVER


def test_what_another_writer_changed_is_told() -> None:
    review = decided(THREE, Choice(Fate.APPROVED, [0]), Decision([]))

    assert review.fates == {0: Fate.MOVED}
    assert "docs/a" in review.said


@pytest.mark.parametrize(
    ("keys", "top"), [(["down"], 1), (["end"], 30), (["end", "up"], 29), (["pagedown"], 19)]
)
def test_keys_scroll_within_the_text(keys: list[str], top: int) -> None:
    review = THREE
    for key in keys:
        review, _ = press(review, key, LONG)
    assert review.top == top
    assert after(review, "p", LONG).top == top


def test_what_became_invalid_is_denied_or_skipped_and_never_approved() -> None:
    entry = locks.tool("x")._replace(content=None, invalid=Invalid.NUMBER, approved="sha256:0")
    change = compare_entries("docs", Kind.TOOL, "x", locks.tool("x"), entry)
    odd = Page([Named("docs", Kind.TOOL, "x", entry)], change)
    review = Review([odd, page("a")])

    now, choice = press(review, "a", SHORT)

    assert choice is None
    assert "cannot be approved" in now.said
    assert (now.at, now.question) == (0, None)
    assert review.rest == [1], "nor is it with what `A` approves"
    assert press(review, "d", SHORT)[0].question is Question.REASON
    assert press(review, "s", SHORT)[0].fates == {0: Fate.SKIPPED}
