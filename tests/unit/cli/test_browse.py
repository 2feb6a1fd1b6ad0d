"""`list`, `show` and `status`."""

import json

import pytest

from mcplock.model import Kind, ServerInfo

from .conftest import Project, definition, server

RICH = definition("search", "Search the docs.\nReturns at most ten hits.") | {
    "inputSchema": {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What to look for"},
            "limit": {"type": "integer", "default": 10},
        },
        "required": ["query"],
    }
}


def test_list_has_a_line_for_each_entry(two_servers: Project) -> None:
    two_servers.ok("approve", "docs/search")

    result = two_servers.ok("list")

    assert result.out.splitlines() == [
        "new       @docs               serve",
        "new       @docs:instructions  Use search first.",
        "new       docs/fetch          Does it.",
        "approved  docs/search         not usable: its server's source is new  Does it.",
        "new       @mail               serve",
        "new       mail/send           Does it.",
    ]
    assert len(two_servers.ok("list", "docs/*", "@mail").out.splitlines()) == 3
    assert two_servers.run("list", "nothing").code == 2


def test_list_as_json_tells_states_hashes_and_findings(project: Project) -> None:
    project.write({"a": server(definition("odd", "Reads\u200b."), definition("plain"))})
    project.ok("approve", "a/plain")

    document = project.ok("list", "--json").document()

    assert document["version"] == 1
    a = document["servers"]["a"]
    assert a["source"]["state"] == "new"
    plain, odd = a["tools"]["plain"], a["tools"]["odd"]
    assert (plain["state"], plain["confirm"], plain["findings"]) == ("approved", "always", [])
    assert plain["hash"] == plain["approved"]
    assert odd["findings"][0]["severity"] == "high"
    assert set(odd["findings"][0]) == {"rule", "severity", "pointer", "message"}
    only = project.ok("list", "a/plain", "--json").document()
    assert list(only["servers"]["a"]) == ["tools"]
    assert list(only["servers"]["a"]["tools"]) == ["plain"]


def test_show_tells_all_of_a_tool(project: Project) -> None:
    project.write({"docs": server(RICH)})

    out = project.ok("show", "docs/search").out

    assert out.splitlines()[0] == "docs/search  new"
    hash_ = project.lock.servers["docs"].of(Kind.TOOL)["search"].hash
    for part in (hash_, "Search the docs.", "Returns at most ten hits.", "What to look for"):
        assert part in out
    query = next(row for row in out.splitlines() if "query" in row)
    assert "string" in query
    assert query.split()[1:3] == ["string", "yes"]
    assert "default 10" in out


def test_show_names_what_decides_in_the_hint(project: Project) -> None:
    project.write({"docs": server(RICH)})

    hint = project.ok("show", "docs/search").err

    word = hint.split("`mcplock approve ")[1].split("`")[0]
    project.ok("approve", word)
    assert project.states() == {"docs/search": "approved"}
    assert project.ok("show", "docs/search").err == ""


def test_show_of_a_source_gives_the_exact_launch_line(project: Project) -> None:
    locked = server(definition("x"), command="run me")
    project.write({"a": locked._replace(info=ServerInfo("cat", "1.2"), protocol="2025-11-25")})

    out = project.ok("show", "@a").out

    assert '"run me"' in out
    assert "cat 1.2, protocol 2025-11-25" in out


def test_show_gives_the_definition_as_it_is_locked(project: Project) -> None:
    project.write({"docs": server(RICH)})

    document = project.ok("show", "docs/search", "--json").document()

    (row,) = document["entries"]
    assert row["content"] == RICH
    assert (row["server"], row["what"], row["name"]) == ("docs", "tool", "search")
    verbose = project.ok("show", "docs/search", "-v").out
    raw = verbose.split("as it is locked:\n")[1]
    assert json.loads(raw) == RICH


def test_show_of_a_hash_that_moved_on_is_a_no(two_servers: Project) -> None:
    result = two_servers.run("show", "docs/search@sha256:" + "0" * 12)

    assert result.code == 1
    assert "another hash" in result.err


def test_show_tells_why_an_entry_is_invalid_or_denied(project: Project) -> None:
    bad = definition("bad") | {"inputSchema": {"type": "array"}}
    project.write({"a": server(bad, definition("no"))})
    project.ok("deny", "a/no", "--reason", "too sharp")
    text = project.lock_path.read_text(encoding="utf-8")
    project.lock_path.write_text(text.replace("too sharp", r"too \u001b[31msharp"))

    assert "schema: its schema is not one of an object" in project.ok("show", "a/bad").out
    out = project.ok("show", "a/no").out
    assert "too ⟨U+001B⟩[31msharp" in out


def test_status_counts_and_names_the_next_command(two_servers: Project) -> None:
    result = two_servers.ok("status")

    assert result.out.splitlines()[-1] == "2 servers, 6 entries (3 tools): 6 to review"
    assert "`mcplock show docs`" in result.err
    assert "`mcplock approve docs`" in result.err
    assert two_servers.ok().out == result.out, "bare `mcplock` is `status`"
    two_servers.ok("approve", "*", "--yes")
    assert "all reviewed" in two_servers.ok("status").out
    assert "`mcplock trust`" in two_servers.ok("status").err


def test_status_without_a_lock_or_a_server_says_what_to_do(project: Project) -> None:
    project.write_manifest({"a": "serve"})
    assert "`mcplock install`" in project.ok("status").err

    project.write_manifest({})
    assert project.ok("status").out == "the manifest names no server\n"
    assert "`mcplock install`" in project.ok("status").err


def test_status_without_a_manifest_is_an_error(project: Project) -> None:
    assert project.run("status").code == 2


def test_status_as_json_tells_of_servers_that_are_not_locked_too(two_servers: Project) -> None:
    two_servers.write_manifest({"docs": "serve", "mail": "another", "new": "serve"})

    servers = two_servers.ok("status", "--json").document()["servers"]

    assert {name: row["status"] for name, row in servers.items()} == {
        "docs": "unreviewed",
        "mail": "drift",
        "new": "unlocked",
    }
    assert servers["docs"]["instructions"]["state"] == "new"


def test_status_says_why_lock_and_manifest_do_not_agree(two_servers: Project) -> None:
    two_servers.write_manifest({"docs": "another", "new": "serve"})

    told = {row.split()[1]: row for row in two_servers.ok("status").out.splitlines()[1:4]}

    assert told["docs"].endswith("  source changed in the manifest")
    assert told["mail"].endswith("  gone from the manifest")
    assert told["new"].endswith("  not in the lock yet")


@pytest.mark.parametrize("command", [["list"], ["show", "a"], ["diff", "--unreviewed"]])
def test_the_lock_alone_is_enough(project: Project, command: list[str]) -> None:
    project.write({"a": server(definition("x"))}, manifest=False)

    assert "x  " in project.run(*command).out


def test_what_is_odd_stands_first(project: Project) -> None:
    plain = [definition(f"a{number}") for number in range(40)]
    project.write({"s": server(*plain, definition("z", "Reads\u202e."))})

    rows = project.ok("status").out.splitlines()

    first = next(row for row in rows if row.startswith("! ") and "new" in row)
    assert first.startswith("! s/z ")
    assert "high: " in first


def test_verbose_lists_all_that_waits_and_each_finding(project: Project) -> None:
    tools = [definition(f"a{number:02}") for number in range(40)]
    project.write({"s": server(*tools, definition("z", "Reads\u202e."))})

    short = project.ok("status").out
    whole = project.ok("status", "-v").out

    assert "… and 30 more to review" in short
    assert all(f"! s/a{number:02} " in whole for number in range(40))
    assert "more to review" not in whole
    assert "! high" in whole
    assert "/description" in whole


def test_a_description_in_the_log_of_a_job_is_no_command(project: Project) -> None:
    lines = "::error::boo\n   ::set-env name=PATH::x\nsee ##[add-mask]secret"
    project.write({"docs": server(definition("search", lines))})

    result = project.ok("show", "docs/search")

    assert "⟨U+003A⟩:error::boo" in result.out
    assert "##⟨U+005B⟩add-mask]" in result.out
    assert not any(line.strip().startswith("::") for line in result.out.splitlines())


def test_show_leaves_out_what_says_nothing_and_tells_it_when_asked(project: Project) -> None:
    noisy = definition("search", title="Search", annotations={"readOnlyHint": False})
    project.write({"docs": server(noisy)})

    shown = project.ok("show", "docs/search")
    assert "readOnlyHint" not in shown.out
    assert "left out: 1 title like the name, 1 annotation as by default" in shown.out
    whole = project.ok("show", "docs/search", "-v")
    assert "/annotations/readOnlyHint  false" in whole.out
    assert "left out" not in whole.out


def test_an_approved_tool_that_agents_do_not_get_is_not_shown_as_if_they_did(
    two_servers: Project,
) -> None:
    two_servers.ok("approve", "docs/search")

    listed = two_servers.ok("list", "docs/search", "docs/fetch").out.splitlines()

    assert listed == [
        "new       docs/fetch   Does it.",
        "approved  docs/search  not usable: its server's source is new  Does it.",
    ]
    status = two_servers.ok("status").out
    assert "! docs  1 approved tool is not usable: its source is new" in status
    for command in ("list", "status"):
        tools = two_servers.ok(command, "--json").document()["servers"]["docs"]["tools"]
        assert (tools["search"]["usable"], tools["fetch"]["usable"]) == (False, False)
        assert tools["search"]["why"] == "its server's source is new"
        assert tools["fetch"]["why"] == "new"

    two_servers.ok("approve", "@docs", "--yes")
    assert "not usable" not in two_servers.ok("list").out + two_servers.ok("status").out
    row = two_servers.ok("list", "--json").document()["servers"]["docs"]["tools"]["search"]
    assert (row["usable"], "why" in row) == (True, False)


def test_what_the_manifest_closes_is_told_to_be_unusable(two_servers: Project) -> None:
    two_servers.ok("approve", "*", "--yes")
    manifest = two_servers.root / "mcp.toml"
    text = manifest.read_text(encoding="utf-8")
    text = text.replace('"serve"\n', '"serve"\ndisabled = true\n', 1)
    manifest.write_text(text, encoding="utf-8")

    listed = two_servers.ok("list").out

    assert listed.count("not usable: its server is disabled") == 2
    assert "! docs  2 approved tools are not usable: it is disabled" in two_servers.ok("status").out
    mail = two_servers.ok("list", "mail/send", "--json").document()["servers"]["mail"]
    assert mail["tools"]["send"]["usable"] is True


def test_list_goes_on_where_the_manifest_cannot_be_read_and_says_so(two_servers: Project) -> None:
    two_servers.ok("approve", "docs/search")
    (two_servers.root / "mcp.toml").write_text("[", encoding="utf-8")

    result = two_servers.ok("list", "docs/search")

    assert "not usable: its server's source is new" in result.out
    assert "warning: the manifest cannot be read" in result.err


@pytest.mark.parametrize("command", [["list", "docs/long"], ["search", "word"]])
def test_a_pipe_gets_the_beginning_of_a_description_as_well(
    project: Project, command: list[str]
) -> None:
    project.write({"docs": server(definition("long", "word " * 500))})
    project.ok("approve", "docs", "--yes")

    (row,) = project.ok(*command).out.splitlines()

    assert row.endswith("word…")
    assert len(row) < 150
