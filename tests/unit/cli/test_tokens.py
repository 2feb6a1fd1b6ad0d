"""`list --tokens`, `status --tokens`: what tools cost of a model's context."""

import doctest

import mcplock.tokens
from mcplock.tokens import tokens

from .conftest import Project, definition, server


def locked(project: Project, count: int = 2) -> None:
    tools = [definition(f"t{at}", "Tells. " * 20 * (at + 1)) for at in range(count)]
    project.write({"docs": server(*tools, definition("unread"))})
    project.ok("approve", "@docs", *(f"docs/t{at}" for at in range(count)), "--yes")


def test_each_tool_and_each_server_is_told_the_dearest_first(project: Project) -> None:
    locked(project)

    rows = [line.split() for line in project.ok("list", "--tokens").out.splitlines()]

    assert [row[1:] for row in rows[:-1]] == [["docs/t1"], ["docs/t0"], ["docs,", "all"]]
    dear, cheap, whole = (int(row[0]) for row in rows[:-1])
    assert (dear > cheap, dear + cheap) == (True, whole)
    assert " ".join(rows[-1]) == f"2 tools: about {whole} tokens in every request"


def test_what_a_search_costs_is_told_where_it_would_save(project: Project) -> None:
    locked(project, 10)

    assert "a search that loads 5 of them: about" in project.ok("list", "--tokens").out


def test_status_tells_servers_beside_what_it_says_anyway(project: Project) -> None:
    locked(project)

    out = project.ok("status", "--tokens").out

    assert "docs, all" in out
    assert out.splitlines()[-1] == project.ok("status").out.splitlines()[-1]


def test_json_tells_the_tokens_of_what_agents_get(project: Project) -> None:
    locked(project)

    for command in ("list", "status"):
        tools = project.ok(command, "--tokens", "--json").document()["servers"]["docs"]["tools"]
        assert tools["t1"]["tokens"] > tools["t0"]["tokens"] > 0
        assert "tokens" not in tools["unread"]
        assert "tokens" not in project.ok(command, "--json").out


def test_only_what_is_named_is_counted(project: Project) -> None:
    locked(project)

    assert project.ok("list", "docs/t0", "--tokens").out.splitlines()[-1].startswith("1 tool: ")
    assert project.ok("list", "docs/unread", "--tokens").out.startswith("0 tools: about 0 tokens")


def test_a_tokenizer_makes_it_exact() -> None:
    assert tokens({"a": "é"}) == 3
    assert tokens({"a": "é"}, counter=len) == 9
    assert doctest.testmod(mcplock.tokens).failed == 0
