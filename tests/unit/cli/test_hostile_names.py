"""Servers and tools with any name whatever: through every command, safely, and reachable."""

import re
import shlex

import pytest

from mcplock.naming import entries_of

from .conftest import Project, Result, definition, server

ODD = [
    "*", "?", "[a]", "[!x]", "..", ".", "/", "a/b", "a/b/c", "@x", "@", "-x", "--help", "x" * 300,
    " ", "a b", "'", '"', "`id`", "$(id)", ";", "\\", "a\nb", "a\tb", "\x1b[2J\x1b]0;t\x07",
    "\u202eevil", "zero\u200bwidth", "\ufeffbom", "\u2028", "\U000e0041", "⟨U+200B⟩", "[red]x[/]",
    "{x}", "%s", "é", "e\u0301", "漢字", "👍🏽", "prompt:x", "tool:x", "x@sha256:0123456789ab",
    "null", "__proto__", "COM1", "\x9b31m", "\x85", "#", "=", "a=b", "sha256:" + "0" * 64,
]  # fmt: skip
SAFE = re.compile(r"[^\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e\u2028\ufeff]*")


def safe(result: Result) -> Result:
    """No byte of a result moves a cursor or hides; nothing crashed."""
    assert SAFE.fullmatch(result.out), result.out
    assert SAFE.fullmatch(result.err), result.err
    assert "this is a bug" not in result.err, result.err
    return result


@pytest.fixture(params=ODD, ids=ascii)
def odd(request: pytest.FixtureRequest, project: Project) -> str:
    name: str = request.param
    locked = {name: server(definition("plain")), "host": server(definition(name))}
    project.write(locked, manifest=False)
    project.write_manifest({"host": "serve"})
    text = (project.root / "mcp.toml").read_text() + f"\n[servers.{toml_key(name)}]\n"
    (project.root / "mcp.toml").write_text(text + 'command = "serve"\n', encoding="utf-8")
    return name


def toml_key(name: str) -> str:
    return '"' + "".join(f"\\U{ord(char):08X}" for char in name) + '"'


WORDS = [
    [], ["status"], ["status", "-v"], ["status", "--json"], ["list"], ["list", "-v"],
    ["list", "--json"], ["show", "*"], ["show", "*", "-v"], ["show", "*", "--json"],
    ["check", "--offline"], ["check", "--offline", "-v"],
    ["check", "--offline", "--format", "json"],
    ["diff", "--unreviewed"], ["diff", "--unreviewed", "--format", "json"], ["install", "--locked"],
    ["export", "--format", "mcp", "-v"], ["trust"], ["update"], ["check"], ["approve", "*"],
]  # fmt: skip


def test_no_command_is_upset(project: Project, odd: str) -> None:
    for words in WORDS:
        result = safe(project.run(*words))
        assert result.code in (0, 1, 2)
        if result.out and ("--json" in words or "json" in words):
            result.document()


def test_every_entry_is_reached_by_its_name_alone(project: Project, odd: str) -> None:
    for named in entries_of(project.lock):
        ambiguous = safe(project.run("show", "--json", "--", named.plain))
        if ambiguous.code == 2:
            assert re.search("fits|looks pinned", ambiguous.err)
            continue
        rows = ambiguous.document()["entries"]
        assert (named.server, named.name) in {(row["server"], row["name"]) for row in rows}


def test_the_hint_of_show_decides_on_that_entry(project: Project, odd: str) -> None:
    """What a hint says can be typed into a shell, and names what it was about."""
    entries = [named for named in entries_of(project.lock) if named.name]
    for named in entries:
        before = project.run("show", "--json", "--", named.plain)
        if before.code != 0 or len(before.document()["entries"]) != 1:
            continue
        hint = safe(project.run("show", "--", named.plain)).err
        line = re.search(r"hint: `mcplock ((approve|deny) .*?)` (approves this text|turns)", hint)
        assert line, hint
        command, *words = shlex.split(line[1])
        decided = safe(project.run(command, "--yes", *words))
        assert decided.code == 0, decided
        now = {named.key: named.entry.state for named in entries_of(project.lock)}
        assert now[named.key] == {"approve": "approved", "deny": "denied"}[line[2]]


def test_decisions_and_exports_reach_all_of_them(project: Project, odd: str) -> None:
    (project.root / "mcp.toml").unlink()  # a manifest takes no name that hides something
    safe(project.run("approve", "**", "--yes", "--with-findings", "--note", "read"))
    assert set(project.states().values()) == {"approved"}
    tools = safe(project.run("export", "--format", "mcp")).document()["tools"]
    assert len(tools) == 2
    assert all(re.fullmatch(r"mcp__[A-Za-z0-9_-]{1,59}", tool["name"]) for tool in tools)
    raw = safe(project.run("export", "--format", "mcp", "--raw-names")).document()["tools"]
    assert sorted(tool["name"] for tool in raw) == sorted(["plain", odd])
    if safe(project.run("deny", "**", "--reason", f"no {odd}", "--yes")).code == 2:
        safe(project.run("deny", "**", "--reason", "no", "--yes"))  # what hides is no reason
    assert set(project.states().values()) == {"denied"}
    safe(project.run("reset", "**", "--yes"))
    assert set(project.states().values()) == {"new"}


@pytest.mark.parametrize("word", ["", *ODD], ids=ascii)
def test_a_word_that_names_nothing_is_an_error_of_its_own(project: Project, word: str) -> None:
    project.write({"docs": server(definition("search"))})

    result = safe(project.run("show", "--", word))

    assert result.code in (0, 1, 2)
    assert (result.code == 0) == (word == "*"), result
