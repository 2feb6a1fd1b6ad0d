"""What has a high finding is approved with a word why, or `audit` says that it lacks one."""

import io
import sys
from collections.abc import Callable

import pytest

from mcplock.model import Entry, Kind

from .conftest import Project, definition, server

HIDDEN = definition("odd", "Reads\u200b files.")
Typed = Callable[..., str]


def entry(project: Project) -> Entry:
    return project.lock.servers["a"].of(Kind.TOOL)["odd"]


@pytest.fixture
def odd(project: Project) -> Project:
    """A server whose only tool hides a character."""
    project.write({"a": server(HIDDEN)})
    return project


@pytest.fixture
def typed(odd: Project, monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Run `approve` on a terminal where a person types these lines; give what stands on it."""

    def run(lines: str, *arguments: str) -> str:
        stdin = io.StringIO(lines)
        monkeypatch.setattr(stdin, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stdin", stdin)
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        told = odd.run("approve", "a/odd", *arguments).err
        return " ".join(told.split())

    return run


def test_on_a_terminal_a_person_is_asked_why_too(odd: Project, typed: Typed) -> None:
    told = typed("y\nIt is their editor.\n")

    assert "hidden-character: hidden characters: 1× U+200B" in told
    assert "`mcplock audit` fails for that unless a note says why" in told
    assert "Why is it right in spite of that?" in told
    assert (entry(odd).state.value, entry(odd).note) == ("approved", "It is their editor.")
    odd.ok("audit")


def test_a_typed_word_why_hides_nothing(odd: Project, typed: Typed) -> None:
    assert "does not show" in typed("y\nok\u200b\x1b[Dx\n")
    assert entry(odd).state.value == "new"


@pytest.mark.parametrize("lines", ["y\n\n", "y\n  ", "\n", "n\nwhy\n", ""])
def test_without_a_yes_or_a_word_why_nothing_is_decided(
    odd: Project, typed: Typed, lines: str
) -> None:
    assert "nothing was decided" in typed(lines)
    assert entry(odd).state.value == "new"


def test_a_note_that_was_given_is_not_asked_for(odd: Project, typed: Typed) -> None:
    told = typed("y\n", "--note", "Seen.")

    assert "Why is it" not in told
    assert "audit" not in told
    assert entry(odd).note == "Seen."


def test_a_yes_without_a_note_says_that_audit_fails(odd: Project) -> None:
    told = odd.ok("approve", "a/odd", "--yes").err

    assert "`mcplock approve a/odd --note TEXT` says why" in told
    assert odd.run("audit").code == 1
    assert "--note" not in odd.ok("approve", "a/odd", "--note", "Their editor.").err
    odd.ok("audit")
