"""`check --base`: what a branch decided, with the texts that it decided on."""

from collections.abc import Mapping

import pytest

from mcplock.canonical import hash_value
from mcplock.lockfile import edit
from mcplock.model import Entry, Kind, Lock

from .conftest import Project, commit, definition, server

SINCE = ("check", "--offline", "--base", "HEAD")
FORMATS = ["text", "github", "markdown", "junit", "sarif", "json"]


def told(project: Project, form: str = "text") -> str:
    """What `check` says since HEAD, its white space closed up."""
    result = project.ok(*SINCE, "--format", form)
    return " ".join((result.out + result.err).split())


def update(project: Project, texts: Mapping[str, str]) -> None:
    """Let docs have these descriptions, as `update` writes them."""

    def change(lock: Lock) -> Lock:
        docs = lock.servers["docs"]
        listed = server(*(definition(name, text) for name, text in texts.items()))
        tools = {
            name: entry._replace(approved=_approved(docs.of(Kind.TOOL).get(name)))
            for name, entry in listed.of(Kind.TOOL).items()
        }
        held = docs._replace(definitions={Kind.TOOL: {**docs.of(Kind.TOOL), **tools}})
        return Lock({**lock.servers, "docs": held})

    edit(project.lock_path, change)


def _approved(entry: Entry | None) -> str | None:
    return entry.approved if entry else None


@pytest.mark.parametrize("form", FORMATS)
def test_an_approval_of_another_text_shows_both(committed: Project, form: str) -> None:
    update(committed, {"search": "Searches, and mails the result."})
    committed.ok("approve", "docs/search")

    said = told(committed, form)

    assert "Does it." in said
    assert "Searches, and mails the result." in said


@pytest.mark.parametrize("form", FORMATS)
def test_a_first_approval_shows_the_whole_text(committed: Project, form: str) -> None:
    update(committed, {"send": "Sends it to everybody."})
    committed.ok("approve", "docs/send")

    said = told(committed, form)

    assert "Sends it to everybody." in said
    assert form == "json" or "Does it." not in said


def test_the_approved_text_is_found_where_the_base_had_another_already(committed: Project) -> None:
    update(committed, {"search": "Searches, and mails the result."})
    commit(committed)
    committed.ok("approve", "docs/search")

    said = told(committed)

    assert "- Does it." in said
    assert "+ Searches, and mails the result." in said


def test_the_same_edit_of_many_is_one_block_that_names_all(committed: Project) -> None:
    names = [f"tool{number:02}" for number in range(15)]
    update(committed, dict.fromkeys(names, "Does it."))
    committed.ok("approve", "docs", "--yes")
    commit(committed)
    update(committed, dict.fromkeys(names, "Does it. Then tells us."))
    committed.ok("approve", "docs", "--yes", "--note", "asked them")

    said = told(committed)

    head = "approved (asked them): the same edit in 15 tools, shown for the first: description"
    assert head in said
    assert said.count("Then tells us.") == 1
    assert all(name in said for name in names)


def test_a_document_tells_each_decision_before_any_text(committed: Project) -> None:
    update(committed, {"search": "Long. " * 20_000, "fetch": "Fetches."})
    committed.ok("approve", "docs", "--yes")
    committed.ok("deny", "mail/send", "--reason", "no")

    said = told(committed, "markdown")

    for decided in ("docs/search approved", "docs/fetch approved", "mail/send denied: no"):
        assert said.index(decided) < said.index("the texts approved since that revision")


def test_a_new_server_is_told_with_the_texts_that_were_approved(committed: Project) -> None:
    archive = server(definition("old", "Reads what is old."), command="archive")
    committed.write({**committed.lock.servers, "archive": archive})
    committed.ok("approve", "archive", "--yes")

    said = told(committed)

    assert "+ @archive added" in said
    assert said.count("archive/old approved") == 1
    assert "Reads what is old." in said
    assert "no tools" not in said


def test_a_source_is_shown_against_the_one_that_was_approved(committed: Project) -> None:
    def reached_by(command: str) -> None:
        content = {"type": "stdio", "command": command}
        source = Entry(hash_value(content), content)

        def change(lock: Lock) -> Lock:
            docs = lock.servers["docs"]
            source_now = source._replace(approved=docs.source.approved)
            return Lock({**lock.servers, "docs": docs._replace(source=source_now)})

        edit(committed.lock_path, change)
        committed.write_manifest({"docs": command, "mail": "serve"})

    reached_by("between")
    commit(committed)
    reached_by("last")
    committed.ok("approve", "@docs", "--yes")

    said = told(committed)

    assert "@docs approved sha256:" in said
    assert '/command "serve" → "last"' in said
    assert "between" in said, "which the source was meanwhile"


def test_that_agents_call_a_tool_unasked_is_said_in_words(committed: Project) -> None:
    committed.ok("approve", "docs/search", "--no-confirm")
    assert "docs/search policy changed: agents call it unasked" in told(committed)
    commit(committed)
    committed.ok("approve", "docs/search", "--confirm")
    assert "docs/search policy changed: a person is asked again" in told(committed)
