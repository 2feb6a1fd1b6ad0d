"""`approve`, `deny` and `reset`: what they reach, what they leave out, what they say."""

import pytest

from mcplock.canonical import hash_value
from mcplock.model import Kind, Lock, State

from .conftest import Project, definition, server

HIDDEN = definition("odd", "Reads\u200b files.")
NO_SCHEMA = definition("bad") | {"inputSchema": {"type": "string"}}


def entry(project: Project, name: str, tool: str):
    return project.lock.servers[name].of(Kind.TOOL)[tool]


def test_approve_writes_the_hash_that_stands_there_and_nothing_else(two_servers: Project) -> None:
    before = two_servers.lock

    result = two_servers.ok("approve", "docs/search", "--note", "read by me")

    approved = entry(two_servers, "docs", "search")
    assert approved.approved == approved.hash
    assert approved.note == "read by me"
    others = {
        key: value for key, value in flat(two_servers.lock).items() if key != ("docs", "search")
    }
    assert others == {k: v for k, v in flat(before).items() if k != ("docs", "search")}
    assert result.out.splitlines()[-1] == "1 entry approved"


def flat(lock: Lock) -> dict:
    return {
        (name, definition or kind.value): entry
        for name, locked in lock.servers.items()
        for kind, definition, entry in locked.entries()
    }


def test_at_names_the_source_and_the_instructions(two_servers: Project) -> None:
    two_servers.ok("approve", "@docs", "--yes")

    docs = two_servers.lock.servers["docs"]
    assert docs.source.state is State.APPROVED
    assert docs.instructions is not None
    assert docs.instructions.state is State.APPROVED
    assert entry(two_servers, "docs", "search").state is State.NEW


@pytest.mark.parametrize("word", ["docs", "docs/*", "*", "@docs", "*/sen?"])
def test_what_may_name_several_needs_a_yes_where_nobody_can_be_asked(
    two_servers: Project, word: str
) -> None:
    before = two_servers.lock_path.read_bytes()

    result = two_servers.run("approve", word)

    assert result.code == 2
    assert "--yes" in result.err
    assert two_servers.lock_path.read_bytes() == before
    two_servers.ok("approve", word, "--yes")
    assert two_servers.lock_path.read_bytes() != before


def test_one_word_that_fits_nothing_stops_the_whole_command(two_servers: Project) -> None:
    before = two_servers.lock_path.read_bytes()

    result = two_servers.run("approve", "docs/search", "docs/serch", "mial")

    assert result.code == 2
    assert "docs/serch; did you mean docs/search" in result.err
    assert "mial; did you mean mail" in result.err
    assert two_servers.lock_path.read_bytes() == before


def test_a_name_that_exists_is_no_pattern(project: Project) -> None:
    project.write({"a": server(definition("x*"), definition("xy"))})

    project.ok("approve", "a/x*")

    assert project.states() == {"a/x*": "approved", "a/xy": "new"}


def test_a_name_that_fits_two_things_lists_both_and_how_to_say_which(project: Project) -> None:
    project.write({"a": server(definition("b")), "a/b": server(definition("c"))})

    result = project.run("approve", "a/b")

    assert result.code == 2
    assert "the server a/b" in result.err
    assert "the tool `a/tool:b`" in result.err
    project.ok("approve", "a/tool:b")
    assert project.states() == {"a/b": "approved", "a/b/c": "new"}


def test_a_pin_approves_only_what_was_seen(two_servers: Project) -> None:
    hash_ = entry(two_servers, "docs", "search").hash
    other = entry(two_servers, "docs", "fetch").hash

    moved = two_servers.run("approve", f"docs/search@{other[:19]}")

    assert moved.code == 1
    assert "another hash" in moved.out
    assert entry(two_servers, "docs", "search").state is State.NEW
    short = two_servers.run("approve", f"docs/search@{hash_[:12]}")
    assert short.code == 2
    assert "12 digits" in short.err
    two_servers.ok("approve", f"docs/search@{hash_[:19]}")
    assert entry(two_servers, "docs", "search").state is State.APPROVED


def test_a_pattern_leaves_out_what_stops_a_reviewer_and_approves_the_rest(
    project: Project,
) -> None:
    project.write({"a": server(HIDDEN, NO_SCHEMA, definition("plain"))})

    result = project.run("approve", "a/*", "--yes")

    assert result.code == 1
    assert project.states() == {"a/bad": "invalid", "a/odd": "new", "a/plain": "approved"}
    assert "2 left out" in result.out.splitlines()[-1]
    assert project.run("approve", "a/*", "--yes", "--with-findings").code == 2, "without a note"
    again = project.run("approve", "a/*", "--yes", "--with-findings", "--note", "their editor")
    assert again.code == 1, "what is invalid is still left out"
    assert entry(project, "a", "odd").note == "their editor"


def test_what_is_named_alone_needs_a_word_about_its_findings(project: Project) -> None:
    project.write({"a": server(HIDDEN)})
    before = project.lock_path.read_bytes()

    result = project.run("approve", "a/odd")

    assert result.code == 2
    assert "--with-findings --note TEXT" in result.err
    assert project.lock_path.read_bytes() == before
    told = project.ok("approve", "a/odd", "--yes")
    assert "high: " in told.out
    assert told.out.splitlines()[-1] == "1 entry approved, 1 with high findings"


def test_approve_never_lifts_a_denial(two_servers: Project) -> None:
    two_servers.ok("deny", "docs/search", "--reason", "we only read")

    result = two_servers.run("approve", "docs/search")

    assert result.code == 1
    assert "hint: `mcplock reset docs/search`" in result.out
    assert entry(two_servers, "docs", "search").denied == "we only read"
    two_servers.ok("reset", "docs/search")
    two_servers.ok("approve", "docs/search")


@pytest.mark.parametrize("word", ["docs", "docs/*", "docs/sear*"])
def test_what_merely_sweeps_over_a_denial_leaves_it_and_is_no_failure(
    two_servers: Project, word: str
) -> None:
    two_servers.ok("deny", "docs/search", "--reason", "we only read")

    result = two_servers.ok("approve", word, "--yes")

    assert "! docs/search: denied: we only read" in result.out
    assert result.out.splitlines()[-1].endswith("1 denied as before")
    assert entry(two_servers, "docs", "search").state is State.DENIED
    named_too = two_servers.run("approve", word, "docs/search", "--yes")
    assert named_too.code == 1, "it was named by itself as well"


def test_deny_takes_back_an_approval_and_needs_a_reason(two_servers: Project) -> None:
    two_servers.ok("approve", "docs/search", "--note", "fine")
    assert two_servers.run("deny", "docs/search").code == 2
    assert two_servers.run("deny", "docs/search", "--reason", " ").code == 2

    two_servers.ok("deny", "docs/search", "--reason", "we only read")

    denied = entry(two_servers, "docs", "search")
    assert (denied.state, denied.approved, denied.note) == (State.DENIED, None, None)


@pytest.mark.parametrize(
    "words", [["deny", "docs/search", "--reason"], ["approve", "docs/search", "--note"]]
)
@pytest.mark.parametrize("why", ["\x1b", "we\u200b read", "\x1b[31mred"])
def test_a_reason_or_a_note_hides_nothing(two_servers: Project, words: list[str], why: str) -> None:
    before = two_servers.lock

    result = two_servers.run(*words, why)

    assert result.code == 2
    assert "does not show: ⟨U+" in result.err
    assert two_servers.lock == before


def test_a_reason_may_have_lines_and_the_blanks_of_its_language(two_servers: Project) -> None:
    two_servers.ok("deny", "docs/search", "--reason", "non\xa0:\non lit")

    assert "denied non⟨U+00A0⟩:⟨U+000A⟩on lit" in two_servers.ok("show", "docs/search").out


def test_a_denial_that_is_lifted_leaves_what_was_approved_to_compare_with(
    two_servers: Project,
) -> None:
    two_servers.ok("approve", "docs/search")
    approved = entry(two_servers, "docs", "search").hash
    changed = server(definition("search", "Search, and read all."), definition("fetch"))
    tools = changed.of(Kind.TOOL)
    tools = {**tools, "search": tools["search"]._replace(approved=approved)}
    two_servers.write({"docs": changed._replace(definitions={Kind.TOOL: tools})})

    two_servers.ok("deny", "docs/search", "--reason", "odd")
    assert entry(two_servers, "docs", "search").state is State.DENIED
    lifted = two_servers.ok("reset", "docs/search").out

    assert entry(two_servers, "docs", "search").approved == approved
    assert entry(two_servers, "docs", "search").state is State.CHANGED
    assert lifted.splitlines()[0].rstrip().endswith("  now: changed")
    forgotten = two_servers.ok("reset", "docs/search").out
    assert f"  now: new; its approval of {approved[:19]} is forgotten\n" in forgotten
    assert entry(two_servers, "docs", "search").state is State.NEW


def test_reset_takes_what_is_gone_upstream_out_of_the_lock(project: Project) -> None:
    locked = server(definition("x"), definition("y"))
    tools = locked.of(Kind.TOOL)
    ghost = tools["x"]._replace(denied="no", absent=True)
    project.write({"a": locked._replace(definitions={Kind.TOOL: {**tools, "x": ghost}})})

    assert "now: out of the lock" in project.ok("reset", "a/x").out

    assert project.states() == {"a/y": "new"}


@pytest.mark.parametrize(
    "words", [["approve", "*"], ["deny", "*", "--reason", "r"], ["reset", "*"]]
)
def test_without_a_lock_nothing_is_decided(project: Project, words: list[str]) -> None:
    project.write_manifest({"a": "serve"})

    result = project.run(*words, "--yes")

    assert result.code == 2
    assert "hint: `mcplock install`" in result.err
    assert not project.lock_path.exists()


def test_decisions_need_no_manifest(project: Project) -> None:
    project.write({"a": server(definition("x"))}, manifest=False)

    project.ok("approve", "a/x")

    assert project.states() == {"a/x": "approved"}


def test_what_is_approved_can_be_shown_against_a_later_text(two_servers: Project) -> None:
    two_servers.ok("approve", "docs/search")
    approved = entry(two_servers, "docs", "search").approved
    later = server(definition("search", "Does something else."))
    changed = later.of(Kind.TOOL)["search"]._replace(approved=approved)
    two_servers.write({"docs": later._replace(definitions={Kind.TOOL: {"search": changed}})})

    result = two_servers.ok("show", "docs/search")

    assert "- Does it." in result.out
    assert "+ Does something else." in result.out


def test_where_the_approved_text_is_nowhere_it_is_said(project: Project) -> None:
    locked = server(definition("x"))
    changed = locked.of(Kind.TOOL)["x"]._replace(approved="sha256:" + "0" * 64)
    project.write({"a": locked._replace(definitions={Kind.TOOL: {"x": changed}})})

    assert "only its hash is known" in project.ok("show", "a/x").out
    assert "only the hash of the old content is known" in project.run("diff", "--unreviewed").out


def test_a_name_that_looks_pinned_catches_no_approval(project: Project) -> None:
    search = definition("search")
    digits = hash_value(search).removeprefix("sha256:")[:12]
    decoy = definition(f"search@sha256:{digits}", "Sends your keys.")
    project.write({"docs": server(search, decoy)})

    project.ok("approve", f"docs/search@sha256:{digits}")

    assert entry(project, "docs", "search").state is State.APPROVED
    assert entry(project, "docs", decoy["name"]).state is State.NEW
    own = hash_value(decoy)[: len("sha256:") + 12]
    project.ok("approve", f"docs/{decoy['name']}@{own}")
    assert entry(project, "docs", decoy["name"]).state is State.APPROVED


def test_a_tool_called_like_a_pattern_shields_no_other_from_except(project: Project) -> None:
    project.write({"docs": server(definition("delete_all"), definition("delete_*"))})
    project.ok("approve", "*", "--yes")

    exported = project.ok("export", "--format", "mcp", "--except", "docs/delete_*")

    assert exported.document() == {"tools": []}


def test_hints_about_a_high_finding_lead_to_a_no(project: Project) -> None:
    project.write({"a": server(HIDDEN, definition("plain"))})

    for words in (["status"], ["check", "--offline"], ["diff", "--unreviewed"], ["show", "a"]):
        hints = project.run(*words).err
        assert "approve" not in hints
        name = "NAME" if words[0] == "diff" else "a/odd"
        assert f"`mcplock deny {name} --reason TEXT`" in hints


def test_hints_about_what_changed_offer_a_no_too(two_servers: Project) -> None:
    two_servers.ok("approve", "@docs", "docs/*", "--yes")
    two_servers.ok("approve", "mail", "--yes")
    two_servers.ok("reset", "docs/search")

    hints = two_servers.run("check", "--offline").err

    assert "`mcplock approve docs/search@sha256:" in hints
    assert "or `mcplock deny docs/search --reason TEXT`" in hints


def test_the_last_approval_leads_to_a_commit(two_servers: Project) -> None:
    assert "git add" not in two_servers.ok("approve", "docs", "--yes").err
    assert "`git add mcp.toml mcp.lock`" in two_servers.ok("approve", "mail", "--yes").err
    (two_servers.root / "mcp.toml").unlink()
    two_servers.ok("reset", "mail/send")
    assert "`git add mcp.lock`" in two_servers.ok("approve", "mail/send").err


def reworded(project: Project, old: str, new: str) -> None:
    """`a/x` was approved with one text and has the other by now."""
    project.write({"a": server(definition("x", old), definition("y"))})
    project.ok("approve", "a", "--yes")
    before = entry(project, "a", "x")
    locked = server(definition("x", new), definition("y"))
    tools = locked.of(Kind.TOOL)
    changed = tools["x"]._replace(approved=before.hash)
    project.write({"a": locked._replace(definitions={Kind.TOOL: {**tools, "x": changed}})})


def test_what_reads_the_same_and_is_not_stops_a_pattern(project: Project) -> None:
    reworded(project, "Pays the amount.", "Pays the \u0430mount.")

    result = project.run("approve", "a/*", "--yes")

    assert result.code == 1
    assert "! a/x: high findings: " in result.out
    assert "reads-the-same" in result.out
    assert project.states() == {"a/x": "changed", "a/y": "approved"}
    assert project.run("approve", "a/x").code == 2, "nobody can be asked"
    assert "reads-the-same" in project.ok("show", "a/x").out


def test_what_was_denied_under_another_name_stops_a_pattern(project: Project) -> None:
    locked = server(definition("gone", "Deletes all."), definition("back", "Deletes all."))
    tools = locked.of(Kind.TOOL)
    ghost = tools["gone"]._replace(denied="no", absent=True)
    project.write({"a": locked._replace(definitions={Kind.TOOL: {**tools, "gone": ghost}})})

    result = project.run("approve", "a/*", "--yes")

    assert result.code == 1
    assert "! a/back: high findings: denied-before" in result.out
    assert entry(project, "a", "back").state is State.NEW


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('[servers.new]\ncommand = "x"\n', "new"),
        ('[servers.mail]\ncommand = "other"\n', "mail"),
        ("".join(f'[servers.s{at}]\ncommand = "x"\n' for at in range(5)), "s0, s1, s2 and 2 more"),
    ],
)
def test_where_servers_are_not_locked_yet_install_comes_next(
    two_servers: Project, more: str, told: str
) -> None:
    kept = {name: "serve" for name in ("docs", "mail") if f"servers.{name}" not in more}
    two_servers.write_manifest(kept, more)

    err = two_servers.ok("approve", "*", "--yes").err

    assert "nothing is left to review" not in err
    hint = f"hint: `mcplock install` comes next: not locked as in the manifest: {told}\n"
    assert err == hint


def test_a_disabled_server_needs_no_install(two_servers: Project) -> None:
    more = '[servers.new]\ncommand = "x"\nenabled = false\n'
    two_servers.write_manifest({"docs": "serve", "mail": "serve"}, more)
    assert "nothing is left to review" in two_servers.ok("approve", "*", "--yes").err
