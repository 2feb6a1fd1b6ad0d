"""`list --tokens`, `status --tokens`: what tools cost of a model's context."""

import doctest
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mcplock.tokens
from mcplock.tokens import tokens

from .conftest import Project, definition, server


def locked(project: Project, count: int = 2) -> None:
    tools = [definition(f"t{at}", "Tells. " * 20 * (at + 1)) for at in range(count)]
    project.write({"docs": server(*tools, definition("unread"))})
    project.ok("approve", "@docs", *(f"docs/t{at}" for at in range(count)), "--yes")


def test_each_tool_and_each_server_is_told_the_dearest_first(project: Project) -> None:
    locked(project)

    head, *lines = project.ok("list", "--tokens").out.splitlines()
    rows = [line.split() for line in lines]
    assert head == "tokens  of a tool, counting name, description and input schema"

    assert [row[1:] for row in rows[:-1]] == [["docs/t1"], ["docs/t0"], ["docs,", "all"]]
    dear, cheap, whole = (int(row[0]) for row in rows[:-1])
    assert (dear > cheap, dear + cheap) == (True, whole)
    assert " ".join(rows[-1]) == f"2 tools: about {whole} tokens in every request"


def test_the_head_of_an_export_that_is_refused_says_what_is_counted(project: Project) -> None:
    locked(project)
    refused = project.run("export", "--format", "mcp", "--max-tokens", "1")
    assert refused.err.startswith("tokens  of a tool, counting what `--format mcp` writes\n")


def test_a_tool_that_agents_do_not_get_costs_nothing(project: Project) -> None:
    locked(project)
    manifest = '[servers.docs]\ncommand = "serve"\ndisabled = true\n'
    (project.root / "mcp.toml").write_text(manifest, encoding="utf-8")
    for command in ("list", "status"):
        assert "0 tools: about 0 tokens" in project.ok(command, "--tokens").out


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


# tiktoken fetches its own encodings from the network, which tests have not. So these bring one of
# theirs, in the way that tiktoken has for that: a module in the namespace `tiktoken_ext`.
STAND_IN = """
from tiktoken.load import load_tiktoken_bpe

def every_byte():
    ranks = {bytes([at]): at for at in range(256)}
    return {"name": "bytes", "pat_str": r"[\\s\\S]", "mergeable_ranks": ranks, "special_tokens": {}}

def out_of_reach():
    return {"mergeable_ranks": load_tiktoken_bpe("http://127.0.0.1:9/none.tiktoken")}

ENCODING_CONSTRUCTORS = {"bytes": every_byte, "far": out_of_reach}
"""


def with_stand_in(project: Project, *words: str) -> subprocess.CompletedProcess[str]:
    """Run mcplock where tiktoken has the encodings `bytes` and `far` too."""
    pytest.importorskip("tiktoken", reason="the extra `tokens` is not installed")
    plugins = project.root / "plugins"
    (plugins / "tiktoken_ext").mkdir(parents=True, exist_ok=True)
    (plugins / "tiktoken_ext" / "stand_in.py").write_text(STAND_IN, encoding="utf-8")
    paths = [str(plugins), str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")]
    return subprocess.run(
        [sys.executable, "-m", "mcplock", *words],
        cwd=project.root,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "TIKTOKEN_CACHE_DIR": str(plugins),
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_list_and_status_count_with_the_tokenizer_that_is_named(project: Project) -> None:
    locked(project, 10)
    tool = definition("t0", "Tells. " * 20)
    wire = {"name": "mcp__docs__t0", "description": tool["description"]}
    counted = tokens(wire | {"parameters": tool["inputSchema"]}, counter=len)

    listed = with_stand_in(project, "list", "docs/t0", "--tokenizer", "bytes")
    assert listed.stdout.splitlines()[-1] == f"1 tool: {counted} tokens of bytes in every request"
    for command in ("list", "status"):
        done = with_stand_in(project, command, "--tokenizer", "bytes", "--json")
        document = json.loads(done.stdout)
        assert document["tokenizer"] == "bytes"
        assert document["servers"]["docs"]["tools"]["t0"]["tokens"] == counted
    assert "tokens of bytes" in with_stand_in(project, "status", "--tokenizer", "bytes").stdout
    assert "tokenizer" not in project.ok("list", "--tokens", "--json").document()


def test_an_export_can_be_bounded_by_the_tokenizer_that_is_named(project: Project) -> None:
    locked(project)
    words = ("export", "--format", "mcp", "--tokenizer", "bytes", "--max-tokens")

    refused = with_stand_in(project, *words, "10")

    assert refused.returncode == 1
    assert "these tools are about" not in refused.stderr
    assert with_stand_in(project, *words, "100000").returncode == 0
    alone = project.run("export", "--format", "mcp", "--tokenizer", "bytes")
    assert (alone.code, "which is not given" in alone.err) == (2, True)


def test_an_encoding_that_is_not_there_is_told(project: Project) -> None:
    locked(project)

    unknown = with_stand_in(project, "list", "--tokenizer", "o9\x1b[2J")
    assert unknown.returncode == 2
    assert "has no encoding `o9⟨U+001B⟩[2J`" in unknown.stderr
    assert "hint: it has bytes, cl100k_base" in unknown.stderr

    far = with_stand_in(project, "status", "--tokenizer", "far")
    assert far.returncode == 2
    assert "tiktoken cannot load its encoding `far`" in far.stderr
    assert "TIKTOKEN_CACHE_DIR" in far.stderr


def test_a_tokenizer_that_is_not_installed_is_told(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked(project)
    monkeypatch.setitem(sys.modules, "tiktoken", None)

    for command in ("list", "status"):
        result = project.run(command, "--tokenizer", "o200k_base")
        assert (result.code, result.out) == (2, "")
        assert "tiktoken, which is not installed" in result.err
        assert "hint: `pip install 'mcplock-cli[tokens]'`" in result.err
