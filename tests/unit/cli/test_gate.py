"""`check --offline`, `install --locked`, `diff` between states."""

import pytest

from mcplock.model import Kind

from .conftest import Project, definition, server

OFFLINE = ("check", "--offline")


def test_what_is_not_reviewed_fails_unless_it_is_allowed(two_servers: Project) -> None:
    result = two_servers.run(*OFFLINE)

    assert result.code == 1
    assert "6 entries" not in result.out.splitlines()[-1]
    assert result.out.splitlines()[-1] == "failed: 2 servers: 2 unreviewed"
    allowed = two_servers.ok(*OFFLINE, "--allow-unreviewed")
    assert "but 2 unreviewed" in allowed.out.splitlines()[-1]
    document = two_servers.run(*OFFLINE, "--format", "json").document()
    assert document["conclusion"] == "fail"
    assert [row["status"] for row in document["servers"]] == ["unreviewed", "unreviewed"]
    assert {row["name"] for row in document["waiting"]} == {"", "fetch", "search", "send"}


def test_only_the_servers_that_are_named_are_judged(two_servers: Project) -> None:
    two_servers.ok("approve", "mail", "--yes")

    result = two_servers.ok(*OFFLINE, "mail")

    told = "ok: 1 of 2 servers, 1 tool: locked and reviewed; no server was asked"
    assert result.out.splitlines()[-1] == told
    assert two_servers.run(*OFFLINE, "docs").out.splitlines()[-1] == (
        "failed: 1 of 2 servers: 1 unreviewed"
    )
    online = two_servers.run("check", "mail")
    assert online.code == 2
    assert "docs" not in online.out + online.err
    both = two_servers.run("check", "mail", "docs", "--offline", "--format", "json")
    assert both.code == 1
    assert [row["server"] for row in both.document()["servers"]] == ["docs", "mail"]


def test_a_server_is_judged_that_either_file_has_and_no_other(two_servers: Project) -> None:
    two_servers.ok("approve", "*", "--yes")
    two_servers.write_manifest({"mail": "serve", "late": "serve"})

    assert "1 drift" in two_servers.run(*OFFLINE, "docs").out
    assert "1 not locked" in two_servers.run(*OFFLINE, "late").out
    assert two_servers.run(*OFFLINE, "mail").code == 0
    result = two_servers.run(*OFFLINE, "maill")
    assert result.code == 2
    assert "neither the manifest nor the lock has a server maill; " in result.err


def test_a_named_server_has_its_own_decisions_alone(committed: Project) -> None:
    committed.ok("reset", "docs/search")
    committed.ok("approve", "docs/search")
    committed.ok("deny", "mail/send", "--reason", "no")
    base = ("--base", "HEAD", "--no-new-decisions")
    assert "mail/send" in committed.run(*OFFLINE, *base, "mail").out
    assert committed.ok(*OFFLINE, *base, "docs")


def test_a_green_check_claims_no_more_than_it_looked_at(two_servers: Project) -> None:
    two_servers.ok("approve", "*", "--yes")

    result = two_servers.ok(*OFFLINE)

    last = result.out.splitlines()[-1]
    assert last == "ok: 2 servers, 3 tools: locked and reviewed; no server was asked"
    assert result.err == ""


@pytest.mark.parametrize(
    ("commands", "status", "words"),
    [
        ({"docs": "serve"}, {"docs": "ok", "mail": "drift"}, "- mail  gone: 1 tool"),
        ({"docs": "serve", "mail": "x"}, {"docs": "ok", "mail": "drift"}, "@mail  source changed"),
        (
            {"docs": "serve", "mail": "serve", "new": "x"},
            {"docs": "ok", "mail": "ok", "new": "unlocked"},
            "1 not locked",
        ),
    ],
    ids=["gone", "another source", "new"],
)
@pytest.mark.parametrize("command", [OFFLINE, ("install", "--locked")])
def test_a_lock_that_is_behind_the_manifest_fails(
    two_servers: Project,
    command: tuple[str, ...],
    commands: dict[str, str],
    status: dict[str, str],
    words: str,
) -> None:
    two_servers.ok("approve", "*", "--yes")
    two_servers.write_manifest(commands)
    before = two_servers.lock_path.read_bytes()

    result = two_servers.run(*command)

    assert result.code == 1
    assert words in result.out
    assert "`mcplock install`" in result.err
    rows = two_servers.run(*command, "--format", "json").document()["servers"]
    assert {row["server"]: row["status"] for row in rows} == status
    assert two_servers.lock_path.read_bytes() == before


def test_install_locked_is_the_default_in_ci(
    two_servers: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    assert "mcp.lock is as the manifest wants it" in two_servers.ok("install").out
    two_servers.write_manifest({"docs": "serve"})
    before = two_servers.lock_path.read_bytes()

    result = two_servers.run("install")

    assert result.code == 1
    assert "`mcplock install --no-locked`" in result.err
    assert result.err.count("hint: ") == 1
    assert two_servers.lock_path.read_bytes() == before
    two_servers.ok("install", "--no-locked")
    assert list(two_servers.lock.servers) == ["docs"]
    assert two_servers.run("install", "--locked", "--baseline").code == 2


@pytest.mark.parametrize("command", [OFFLINE, ("install", "--locked"), ("diff", "x", "y")])
def test_without_a_lock_nothing_is_judged(project: Project, command: tuple[str, ...]) -> None:
    project.write_manifest({"a": "serve"})

    result = project.run(*command)

    assert (result.code, result.out) == (2, "")
    if "diff" not in command:
        assert "hint: `mcplock install`" in result.err


def test_a_disabled_server_is_neither_missing_nor_asked(two_servers: Project) -> None:
    two_servers.ok("approve", "@docs", "docs/*", "--yes")
    text = (two_servers.root / "mcp.toml").read_text()
    (two_servers.root / "mcp.toml").write_text(text + "disabled = true\n")

    result = two_servers.ok(*OFFLINE)

    assert "- mail  disabled" in result.out
    assert result.out.splitlines()[-1].endswith("(but 1 disabled)")
    two_servers.ok("install")
    assert list(two_servers.lock.servers) == ["docs", "mail"]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda data: b"\xef\xbb\xbf" + data, "byte order mark"),
        (lambda data: data.replace(b"\n", b"\r\n"), "CRLF"),
        (lambda data: data.replace(b'": ', b'" : ', 1), "mcp.lock:2: not as mcplock writes it"),
        (lambda data: data + b"\n\n", "nothing"),
    ],
    ids=["BOM", "CRLF", "spaces", "end"],
)
def test_a_lock_in_another_form_is_shown_and_rewritten(
    two_servers: Project, damage, said: str
) -> None:
    two_servers.ok("approve", "*", "--yes")
    good = two_servers.lock_path.read_bytes()
    two_servers.lock_path.write_bytes(damage(good))

    result = two_servers.run(*OFFLINE)

    assert result.code == 1
    assert said in result.out
    assert "not as mcplock writes it" in result.out.splitlines()[-1]
    assert two_servers.run(*OFFLINE, "--format", "json").document()["notes"]
    assert "the form only" in two_servers.ok("install").out
    assert two_servers.lock_path.read_bytes() == good


def test_what_is_invalid_is_a_warning(project: Project) -> None:
    project.write({"a": server('{"name": "twice", "x": 1, "x": 2}', definition("good"))})
    project.ok("approve", "@a", "a/good", "--yes")

    result = project.ok(*OFFLINE)

    assert "a/twice is invalid: a key stands in it twice" in result.out


def test_a_revision_and_a_file_are_compared_with_the_lock(committed: Project) -> None:
    assert committed.ok("diff", "HEAD").out == "no difference\n"
    lock = committed.lock
    docs = server(definition("search", "Searches and sends."), definition("fetch"))
    committed.write({"docs": docs, "mail": lock.servers["mail"]}, manifest=False)
    other = committed.root / "other.lock"
    other.write_bytes(committed.lock_path.read_bytes())
    committed.lock_path.write_bytes((committed.root / "other.lock").read_bytes())

    result = committed.run("diff", "main")

    assert result.code == 1
    assert "~ docs/search  changed: description" in result.out
    document = committed.run("diff", "HEAD", "other.lock", "--format", "json").document()
    changed = next(row for row in document["changes"] if row["name"] == "search")
    assert changed["kind"] == "changed"
    assert changed["fields"] == [
        {"pointer": "/description", "old": "Does it.", "new": "Searches and sends."}
    ]
    assert document["conclusion"] == "fail"
    assert committed.ok("diff", "main", "--server", "mail").out == "no difference\n"
    assert committed.run("diff", "main", "--server", "nail").code == 2
    assert "no such file" in committed.run("diff", "nowhere").err
    assert committed.run("diff", "a", "b", "c").code == 2
    assert committed.run("diff", "--unreviewed", "HEAD").code == 2


def test_what_waits_is_shown_against_what_git_has(committed: Project) -> None:
    approved = committed.lock.servers["docs"].of(Kind.TOOL)["search"]
    later = server(definition("search", "Sends it."), definition("fetch"))
    changed = later.of(Kind.TOOL)["search"]._replace(approved=approved.hash)
    tools = {**later.of(Kind.TOOL), "search": changed}
    committed.write({"docs": later._replace(definitions={Kind.TOOL: tools})})
    for path in (committed.home / "mcplock" / "approved").rglob("*.json"):
        path.unlink()

    result = committed.run("diff", "--unreviewed")

    assert result.code == 1
    assert "- Does it." in result.out
    assert "+ Sends it." in result.out
    assert "hint: `mcplock review`" in committed.run(*OFFLINE).err
    for form in ("text", "github", "markdown", "junit", "sarif", "json"):
        told = committed.run(*OFFLINE, "--format", form)
        assert told.code == 1
        assert "Does it." in told.out, form
        assert "Sends it." in told.out, form
    [row] = [row for row in told.document()["waiting"] if row["name"] == "search"]
    assert row["change"]["fields"] == [
        {"pointer": "/description", "old": "Does it.", "new": "Sends it."}
    ]
    for form in ("text", "markdown"):  # what has no approved text is named, not compared
        assert "docs/fetch" in committed.run(*OFFLINE, "--format", form).out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b'{"lockfileVersion": 99, "servers": {}}', "upgrade"),
        (b"<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n", "conflict marker"),
        (b'{"lockfileVersion": 1, "servers": {}, "servers": {}}', "twice"),
        (b'{"lockfileVersion": 1,', "mcp.lock:1"),
        (b"\xff\xfe", "UTF-8"),
    ],
    ids=["empty", "newer", "conflict", "twice", "truncated", "bytes"],
)
@pytest.mark.parametrize(
    "command",
    [OFFLINE, ("install", "--yes"), ("approve", "*", "--yes"), ("list",), ("show", "a"),
     ("status",), ("export", "--format", "mcp"), ("trust", "--yes"), ("diff", "--unreviewed")],
    ids=lambda words: words[0],
)  # fmt: skip
def test_a_broken_lock_is_told_and_never_overwritten(
    project: Project, command: tuple[str, ...], content: bytes, said: str
) -> None:
    project.write_manifest({"a": "serve"})
    project.lock_path.write_bytes(content)

    result = project.run(*command)

    assert result.code == 2, result
    assert said in result.err
    assert project.lock_path.read_bytes() == content


def test_in_ci_a_lock_that_is_not_there_is_not_to_be_installed_there(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write_manifest({"a": "serve"})
    monkeypatch.setenv("CI", "true")

    assert "`mcplock install --no-locked`" in project.run("install").err


def test_where_nobody_can_be_asked_one_hint_says_how_to_consent(two_servers: Project) -> None:
    two_servers.ok("approve", "*", "--yes")

    result = two_servers.run("check")

    assert result.code == 2
    assert (result.out + result.err).count("hint: ") == 1
    assert "`mcplock trust`" in result.err
    assert "`mcplock check --trust-sources`" in result.err
    assert "`mcplock diff --trust-sources`" in two_servers.run("diff").err


def test_the_tools_of_a_server_that_is_not_locked_are_not_counted(two_servers: Project) -> None:
    two_servers.write_manifest({"docs": "serve", "mail": "serve", "new": "serve"})

    for command in (OFFLINE, ("install", "--locked")):
        rows = two_servers.run(*command).out.splitlines()
        (row,) = [row for row in rows if row.startswith("+ new ")]
        assert row.split() == ["+", "new", "unlocked", "tools", "not", "known", "yet"]


def test_the_line_of_a_server_says_how_many_tools_changed_or_are_denied(
    committed: Project,
) -> None:
    committed.ok("deny", "docs/fetch", "--reason", "no")
    assert "2 tools, 1 denied\n" in committed.ok(*OFFLINE).out
    committed.write_manifest({"docs": "serve"})
    assert "1 of 1 tool removed\n" in committed.run(*OFFLINE).out
