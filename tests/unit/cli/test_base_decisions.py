"""`check --base`: what counts as a decision, and what it is compared with."""

import pytest

from mcplock.lockfile import edit
from mcplock.model import Lock

from .conftest import Project, commit, definition, git, server

OFFLINE = ("check", "--offline")


def test_decisions_since_a_revision_are_listed_and_can_be_forbidden(committed: Project) -> None:
    committed.ok("deny", "docs/fetch", "--reason", "no")
    commit(committed)
    committed.ok("reset", "docs/fetch")
    committed.ok("approve", "docs/fetch", "--note", "after all")
    committed.ok("deny", "mail/send", "--reason", "never")
    committed.write_manifest({"docs": "serve", "mail": "serve"}, '[policy]\nconfirm = "none"\n')

    result = committed.ok(*OFFLINE, "--base", "HEAD")

    for words in (
        "decided since HEAD:",
        "docs/fetch  reset: no longer denied",
        "docs/fetch  approved sha256:",
        "(after all)",
        "mail/send  denied: never",
        "policy changed",
        '"all" → "none"',
    ):
        assert words in result.out
    forbidden = committed.run(*OFFLINE, "--base", "HEAD", "--no-new-decisions")
    assert forbidden.code == 1
    assert forbidden.out.splitlines()[-1].endswith("4 new decisions since HEAD")
    rows = committed.ok(*OFFLINE, "--base", "HEAD", "--format", "json").document()["changes"]
    assert {(row["what"], row["kind"]) for row in rows} == {
        ("policy", "changed"),
        ("tool", "approved"),
        ("tool", "denied"),
        ("tool", "reset"),
    }
    assert {row["since"] for row in rows} == {"HEAD"}
    commit(committed)
    committed.ok(*OFFLINE, "--base", "HEAD", "--no-new-decisions")


def test_a_source_is_a_decision_and_so_is_all_of_a_lock_that_is_new(committed: Project) -> None:
    git(committed.root, "rm", "--quiet", "--cached", "mcp.lock", "mcp.toml")
    git(committed.root, "commit", "--quiet", "--message", "none yet")

    result = committed.run(*OFFLINE, "--base", "HEAD", "--no-new-decisions")

    assert result.code == 1
    assert "+ @docs  added" in result.out
    assert "docs/search  approved" in result.out


@pytest.mark.parametrize("words", [["--base", "nowhere"], ["--no-new-decisions"]])
def test_a_base_that_is_not_there_cannot_be_judged(committed: Project, words: list[str]) -> None:
    assert committed.run(*OFFLINE, *words).code == 2


def test_a_base_outside_of_git_cannot_be_judged(two_servers: Project) -> None:
    assert two_servers.run(*OFFLINE, "--base", "HEAD").code == 2


def test_what_steers_a_check_is_a_decision_too(committed: Project) -> None:
    edit(
        committed.lock_path,
        lambda lock: Lock({n: s._replace(protocol="2024-11-05") for n, s in lock.servers.items()}),
    )
    manifest = committed.root / "mcp.toml"
    manifest.write_text(
        'client_name = "other"\n' + manifest.read_text(encoding="utf-8"), encoding="utf-8"
    )

    result = committed.run("check", "--offline", "--base", "HEAD", "--no-new-decisions")

    assert result.code == 1
    rows = result.out.splitlines()
    assert "~ docs  policy changed" in rows
    assert "~ policy  policy changed" in rows
    assert "client_name" in result.out
    document = committed.ok("check", "--offline", "--base", "HEAD", "--format", "json").document()
    assert {(row["server"], row["entry"]) for row in document["changes"]} == {
        ("docs", "server"),
        ("mail", "server"),
        ("", "manifest"),
    }


def test_taking_a_secret_that_is_written_out_is_a_decision(committed: Project) -> None:
    manifest = committed.root / "mcp.toml"
    more = 'allow_literal_secrets = true\nenv = { API_TOKEN = "hunter2hunter2" }\n'
    text = manifest.read_text(encoding="utf-8")
    first, _, rest = text.partition("\n")
    manifest.write_text(f"{first}\n{more}{rest}", encoding="utf-8")

    told = committed.run("check", "--offline", "--base", "HEAD").out

    assert "allow_literal_secrets" in told
    assert "hunter2" not in told


def test_a_note_is_told_of_the_entry_that_it_stands_at(project: Project) -> None:
    (project.root / ".git").rmdir()
    git(project.root, "init", "--quiet", "--initial-branch", "main")
    project.write_manifest({"s": "serve"})
    locked = server(definition("", "Nameless."), instructions="Be brief.")
    edit(project.lock_path, lambda _: Lock({"s": locked}))
    project.ok("approve", "*", "--yes")
    commit(project)
    project.ok("approve", "@s", "--note", "ok", "--yes")
    project.ok("approve", "s/", "--note", "odd")

    since = (*OFFLINE, "--base", "HEAD")
    rows = project.ok(*since).out.splitlines()

    for name in ("@s", "@s:instructions", "s/"):
        assert f"~ {name}  policy changed" in rows
    changes = project.ok(*since, "--format", "json").document()["changes"]
    assert [row["entry"] for row in changes] == ["source", "instructions", "tool"]
    assert {row["what"] for row in changes} == {"policy"}
