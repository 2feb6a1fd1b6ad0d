"""Entries are found at their lines, however a lock is laid out."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from mcplock.jsontext import lines
from mcplock.lockfile import format_lock
from mcplock.model import Kind, Place
from mcplock.workflow.places import Places, entry_lines, from_root
from tests.locks import entry, lock, server, tool

NAMES = st.text(max_size=8)


@given(st.lists(NAMES, unique=True, max_size=5), st.lists(NAMES, unique=True, max_size=5))
def test_a_walk_over_every_token_finds_the_same(servers: list[str], tools: list[str]) -> None:
    same = server(*(tool(name) for name in sorted(tools)), instructions=entry("Use it."))
    text = format_lock(lock(**dict.fromkeys(sorted(servers), same)))

    found = entry_lines(text)

    own = {None: (), Kind.SOURCE: ("source",), Kind.INSTRUCTIONS: ("instructions",)}
    paths = {
        (name, kind, ""): ("servers", name, *path) for name in servers for kind, path in own.items()
    }
    paths |= {
        (name, Kind.TOOL, one): ("servers", name, "tools", one) for name in servers for one in tools
    }
    expected = lines(text, set(paths.values()))
    assert found == {key: expected[path] for key, path in paths.items()}


def test_a_lock_on_one_line_has_all_there(tmp_path: Path) -> None:
    path = tmp_path / "mcp.lock"
    text = json.dumps(json.loads(format_lock(lock(docs=server(tool("search"))))))
    path.write_text("\ufeff" + text, encoding="utf-8")
    assert Places(path).of("docs", Kind.TOOL, "search") == Place("mcp.lock", 1)
    assert Places(path).of("nowhere") == Place("mcp.lock", 1)


def test_a_file_outside_of_the_repository_keeps_its_whole_name(tmp_path: Path) -> None:
    (tmp_path / "repository").mkdir()
    path = tmp_path / "mcp.toml"
    assert from_root(path, tmp_path / "repository") == path.resolve().as_posix()
    assert from_root(path, tmp_path.resolve()) == "mcp.toml"
