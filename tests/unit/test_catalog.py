"""What agents load, through the public API."""

import doctest
import json
import subprocess
import sys
from pathlib import Path

import pytest

import mcplock
import mcplock.approved
import mcplock.catalog
import mcplock.exporters.make
import mcplock.patterns.search
import mcplock.search
import mcplock.search.guesses
import mcplock.search.query
import mcplock.search.words
import mcplock.validation.checker
from mcplock.canonical import hash_value
from mcplock.exporters import FORMATS
from mcplock.lockfile import format_lock
from tests.locks import entry, lock, server, tool

HISTORY = tool("log", "Shows the history.", approve=True, confirm="never")
LOCK = lock(
    docs=server(
        tool("search", "Finds pages.", approve=True),
        tool("fetch"),
        instructions=entry("Be brief.", approve=True),
    ),
    git=server(
        HISTORY,
        tool("push", approve=True, denied="not from here"),
        instructions=entry("Unread."),
    ),
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a lock, and a folder in it."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "mcp.lock").write_text(format_lock(LOCK), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nothing"))
    return tmp_path


@pytest.mark.parametrize(
    "module",
    [
        mcplock.approved,
        mcplock.catalog,
        mcplock.patterns.search,
        mcplock.search,
        mcplock.search.guesses,
        mcplock.search.query,
        mcplock.search.words,
        mcplock.validation.checker,
    ],
    ids=lambda module: module.__name__,
)
def test_the_examples_in_the_documentation_run(module, project: Path):
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted > 0


def test_the_page_for_agents_runs(project: Path):
    page = Path(__file__).parents[2] / "docs" / "agents.md"
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted >= 7


def test_only_what_is_approved_is_there(project: Path):
    catalog = mcplock.load()
    assert (
        [tool.id for tool in catalog] == ["docs/search", "git/log"] == [t.id for t in catalog.tools]
    )
    assert [tuple(left) for left in catalog.omitted] == [
        ("docs", "fetch", "new"),
        ("git", "push", "denied: not from here"),
    ]
    assert catalog.instructions == {"docs": "Be brief."}
    assert [tool.confirm for tool in catalog] == [True, False]


@pytest.mark.parametrize("name", ["git/log", "mcp__git__log"])
def test_a_tool_has_two_names(project: Path, name: str):
    catalog = mcplock.load()
    assert catalog.get(name) is catalog[name] is catalog.tools[1]
    assert name in catalog


@pytest.mark.parametrize(
    ("name", "said"),
    [("git/push", "denied: not from here"), ("mcp__docs__fetch", "new"), ("nothing", "nothing")],
)
def test_a_tool_that_is_not_there_says_why(project: Path, name: str, said: str):
    catalog = mcplock.load()
    assert catalog.get(name) is None
    assert name not in catalog
    with pytest.raises(KeyError, match=said):
        catalog[name]


def test_a_catalog_is_frozen(project: Path):
    catalog = mcplock.load()
    with pytest.raises(AttributeError, match="frozen"):
        catalog.tools = ()
    with pytest.raises(AttributeError, match="frozen"):
        catalog.other = 1
    with pytest.raises(AttributeError, match="frozen"):
        del catalog._approved
    with pytest.raises(AttributeError):
        catalog.tools[0].hash = "x"
    catalog.export("mcp")["tools"][0]["inputSchema"]["properties"].clear()
    catalog.export("jsonl")[0]["definition"].clear()
    assert catalog.tools[0].input_schema["properties"] == {"q": {"type": "string"}}


def test_what_a_tool_hands_out_changes_nothing_that_is_exported(project: Path):
    catalog = mcplock.load()
    before = catalog.export("mcp")
    tool = catalog["git/log"]
    tool.wire["description"] = "EVIL"
    tool.wire["inputSchema"]["properties"].clear()
    tool.definition["inputSchema"].clear()
    tool.input_schema.clear()
    assert catalog.export("mcp") == before
    assert (tool.description, hash_value(tool.wire)) == ("Shows the history.", tool.hash)


def test_the_hash_is_over_what_agents_get(project: Path):
    before = mcplock.load().hash
    (project / "mcp.lock").write_text(
        format_lock(lock(**{**LOCK.servers, "other": server(tool("new"))})), encoding="utf-8"
    )
    assert mcplock.load().hash == before
    (project / "mcp.lock").write_text(
        format_lock(lock(**{**LOCK.servers, "other": server(tool("x", approve=True))})),
        encoding="utf-8",
    )
    assert mcplock.load().hash != before
    assert mcplock.load().without("other").hash == before


def test_catalogs_can_be_narrowed(project: Path):
    catalog = mcplock.load()
    assert [t.id for t in catalog.only("git")] == ["git/log"]
    assert [t.id for t in catalog.only("*/s*", "mcp__git__log")] == ["docs/search", "git/log"]
    assert [t.id for t in catalog.without("d*")] == ["git/log"]
    assert len(catalog.only("nothing")) == 0
    assert repr(catalog).startswith("<Catalog: 2 tools, 2 omitted, sha256:")


def test_the_nearest_lock_is_read(project: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(project / "a" / "b")
    assert len(mcplock.load()) == 2
    assert len(mcplock.load(project / "mcp.lock")) == len(mcplock.load(str(project / "mcp.lock")))
    (project / "a" / ".git").mkdir()
    with pytest.raises(mcplock.MissingFile) as caught:
        mcplock.load()
    assert caught.value.hint == "`mcplock install` writes it"


def test_an_edited_lock_is_refused_with_the_place(project: Path):
    text = (project / "mcp.lock").read_text(encoding="utf-8")
    (project / "mcp.lock").write_text(text.replace("Shows the", "Steals the"), encoding="utf-8")
    with pytest.raises(mcplock.FaultyFile, match=r"mcp.lock:\d+: servers.git.tools.log.hash"):
        mcplock.load()


@pytest.mark.parametrize("name", ["mcp", "jsonl"])
@pytest.mark.parametrize("raw", [False, True])
def test_an_export_can_be_loaded(project: Path, name: str, raw: bool):
    from mcplock.exporters import Options
    from mcplock.exporters.make import make

    odd = tool("bare", approve=True, more={"outputSchema": {"$ref": "#/x"}, "inputSchema": {}})
    whole = lock(**LOCK.servers, odd=server(odd, entry({"name": "none"}, approve=True)))
    (project / "mcp.lock").write_text(format_lock(whole), encoding="utf-8")
    catalog = mcplock.load()
    document = make(catalog.tools, name, Options(), raw_names=raw).document
    text = (
        "".join(f"{json.dumps(row)}\n" for row in document)
        if name == "jsonl"
        else json.dumps(document)
    )
    (project / "tools.json").write_text(text, encoding="utf-8")

    loaded = mcplock.load("tools.json")
    assert [(t.server, t.name, t.hash, t.wire) for t in loaded] == [
        (t.server, t.name, t.hash, t.wire) for t in catalog
    ]
    assert all(t.confirm for t in loaded)

    (project / "tools.json").write_text(text.replace("Shows the", "Steals the"), encoding="utf-8")
    with pytest.raises(mcplock.FaultyFile, match="git/log: its hash does not fit"):
        mcplock.load("tools.json")


@pytest.mark.parametrize("narrowed", [(), ("git",), ("nothing",)])
def test_an_export_as_mcp_has_the_instructions_and_the_hash_of_its_lock(
    project: Path, narrowed: tuple[str, ...]
):
    catalog = mcplock.load().only(*narrowed) if narrowed else mcplock.load()
    (project / "tools.json").write_text(json.dumps(catalog.export("mcp")), encoding="utf-8")

    loaded = mcplock.load("tools.json")

    assert (loaded.instructions, loaded.hash) == ({"docs": "Be brief."}, catalog.hash)


def test_edited_instructions_of_an_export_are_refused(project: Path):
    text = json.dumps(mcplock.load().export("mcp")).replace("Be brief.", "Be evil.")
    (project / "tools.json").write_text(text, encoding="utf-8")
    with pytest.raises(mcplock.FaultyFile, match="docs: its instructions do not fit their hash"):
        mcplock.load("tools.json")


@pytest.mark.parametrize(
    "text",
    [
        '{"tools": [], "_meta": {"mcplock/catalog": {"tools": [], "instructions": []}}}',
        '{"tools": [], "_meta": {"mcplock/catalog": {"tools": [], "instructions": {"s": "t"}}}}',
        '{"tools": [{"name": "x", "inputSchema": {}}]}',
        '{"tools": [1], "_meta": {"mcplock/catalog": {"tools": [1]}}}',
        '{"tools": [], "_meta": {"mcplock/catalog": {"tools": [{}]}}, "x"',
        '{"name": "n", "server": "s", "tool": "t", "hash": "h", "definition": {"name": "u"}}',
        '{"name": "n", "server": "s", "tool": "t", "hash": "h", "definition": {"name": "t"}}\nx',
        "[]",
        "hello",
    ],
)
def test_what_is_no_catalog_is_refused(project: Path, text: str):
    (project / "tools.json").write_text(text, encoding="utf-8")
    with pytest.raises(mcplock.FaultyFile, match=r"tools\.json"):
        mcplock.load("tools.json")


@pytest.mark.parametrize("name", ["e.openai", "mcp.toml", "odd.json"])
def test_what_cannot_be_loaded_is_told_what_can(project: Path, name: str):
    texts = {"e.openai": json.dumps(mcplock.load().export("openai")), "odd.json": '{"a": 1}'}
    (project / name).write_text(texts.get(name, "[servers]\n"), encoding="utf-8")
    with pytest.raises(mcplock.FaultyFile, match="neither a lock nor a catalog") as caught:
        mcplock.load(name)
    assert "--format mcp` or `jsonl`" in caught.value.hint
    assert "checkout" not in caught.value.hint


@pytest.mark.parametrize("name", ["mcp.lock", "other.lock"])
def test_a_broken_lock_is_told_as_one(project: Path, name: str):
    text = (project / "mcp.lock").read_text(encoding="utf-8")
    (project / name).write_text(text[:200], encoding="utf-8")
    with pytest.raises(mcplock.FaultyFile) as caught:
        mcplock.load(name)
    assert "neither" not in caught.value.message


def test_an_empty_export_is_an_empty_catalog(project: Path):
    (project / "tools.json").write_text('{"tools": []}', encoding="utf-8")
    assert len(mcplock.load("tools.json")) == 0


@pytest.mark.parametrize("name", list(FORMATS))
def test_every_format_can_be_exported(project: Path, name: str):
    text = json.dumps(mcplock.load().export(name))
    assert "mcp__git__log" in text
    assert "push" not in text


def test_options_that_a_format_does_not_know_are_refused(project: Path):
    catalog = mcplock.load()
    with pytest.raises(mcplock.UsageError, match="only for openai-responses and anthropic"):
        catalog.export("gemini", defer=True)
    with pytest.raises(mcplock.UsageError, match="there is no format"):
        catalog.export("yaml")
    assert len(catalog.export("anthropic", defer=True)) == 3


def test_a_strict_export_refuses_losses(project: Path):
    catalog = mcplock.load()
    assert catalog.export("anthropic", strict=True) == catalog.export("anthropic")
    odd = server(tool("odd", approve=True, more={"inputSchema": {"anyOf": [{}]}}))
    (project / "mcp.lock").write_text(format_lock(lock(s=odd)), encoding="utf-8")
    with pytest.raises(mcplock.Refused, match="s/odd: /inputSchema/anyOf"):
        mcplock.load().export("anthropic", strict=True)


def test_the_public_names_are_there():
    for name in mcplock.__all__:
        assert getattr(mcplock, name).__name__ == name
    with pytest.raises(AttributeError):
        mcplock.nothing  # noqa: B018


LOAD = """
import sys
import mcplock
from mcplock.canonical import hash_value
catalog = mcplock.load()
print(len(catalog), catalog.hash, catalog.get("git/log").description)
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def test_loading_needs_the_standard_library_only(project: Path):
    result = subprocess.run(
        [sys.executable, "-S", "-c", LOAD],
        cwd=project,
        env={"PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    modules = set(result.stdout.splitlines()[1].split())
    assert modules - sys.stdlib_module_names - {"__main__"} == {"mcplock"}
    assert not modules & {"asyncio", "dataclasses", "inspect", "subprocess", "socket"}
