"""`audit` over a lock, a manifest, and what somebody saved."""

import json
import shlex

import pytest

from tests.formats import commands, junit_cases, sarif_results

from .conftest import Project, definition, server

BAD = definition("search", "Searches.\u200b")
PLAIN = definition("fetch", "")


@pytest.fixture
def odd(project: Project) -> Project:
    """A tool with a hidden character, one without a description, an unpinned package."""
    project.write({"docs": server(BAD, PLAIN, command="uvx"), "mail": server(definition("send"))})
    text = (project.root / "mcp.toml").read_text(encoding="utf-8")
    with_package = text.replace('command = "uvx"', 'command = "uvx"\nargs = ["docs-server"]')
    (project.root / "mcp.toml").write_text(with_package, encoding="utf-8")
    return project


def rules(project: Project, *words: str) -> list[tuple[str, str, str]]:
    rows = project.run("audit", *words, "--format", "json").document()["findings"]
    return [(row["server"], row["name"], row["rule"]) for row in rows]


def test_the_gravest_comes_first_and_decides(odd: Project) -> None:
    result = odd.run("audit")

    assert result.code == 1
    assert result.out.startswith("docs/search\n  ! high   hidden-character: ")
    assert "docs/fetch\n  ! low    empty-description" in result.out
    assert result.out.splitlines()[-1] == "failed: 5 entries of 2 servers: 1 high"
    assert "`mcplock show docs/search`" in result.err
    assert "`mcplock deny docs/search@sha256:" in result.err


@pytest.mark.parametrize(
    ("severity", "code"), [("high", 1), ("medium", 1), ("low", 1), ("info", 1), ("never", 0)]
)
def test_the_gate_fails_from_a_severity_on(odd: Project, severity: str, code: int) -> None:
    assert odd.run("audit", "--fail-on", severity).code == code
    odd.ok("deny", "docs/search", "--reason", "no")
    assert odd.run("audit", "--fail-on", severity).code == (severity in ("low", "info"))


def test_what_is_denied_is_left_out_and_what_was_approved_with_a_note_does_not_fail(
    odd: Project,
) -> None:
    (hint,) = [line for line in odd.run("audit").err.splitlines() if "accepts it" in line]
    accept = hint.split("`")[3].replace("TEXT", "'their editor'")
    odd.ok(*shlex.split(accept)[1:])

    result = odd.ok("audit")

    assert "approved all the same: their editor" in result.out
    assert result.out.splitlines()[-1].endswith("only 1 low, 1 finding accepted with a note")
    (row, _) = odd.ok("audit", "--format", "json").document()["findings"]
    assert row["accepted"] == "their editor"
    odd.ok("reset", "docs/search")
    odd.ok("deny", "docs/search", "--reason", "no")
    assert rules(odd) == [("docs", "fetch", "empty-description")]


def test_the_document_has_the_published_keys(odd: Project) -> None:
    document = odd.run("audit", "--format", "json").document()

    assert document["version"] == 1
    assert document["conclusion"] == "fail"
    first = document["findings"][0]
    published = {"server", "name", "rule", "severity", "pointer", "message"}
    assert published <= first.keys()
    assert (first["severity"], first["pointer"]) == ("high", "/description")


def test_the_manifest_alone_needs_no_lock(odd: Project) -> None:
    odd.lock_path.unlink()

    assert odd.run("audit").code == 2
    assert rules(odd, "--manifest-only") == [("docs", "", "unpinned")]
    found = commands(odd.run("audit", "--manifest-only", "--format", "github").out)
    assert [(level, told["file"], told["line"]) for level, told, _ in found] == [
        ("warning", "mcp.toml", "1")
    ]
    assert odd.run("audit", "--manifest-only", "--fail-on", "medium").code == 1
    assert odd.run("audit", "--manifest-only", "x.json").code == 2


LISTING = {"tools": [PLAIN, BAD], "nextCursor": "x"}


@pytest.mark.parametrize(
    "value",
    [LISTING, {"jsonrpc": "2.0", "id": 1, "result": LISTING}, [PLAIN, BAD]],
    ids=["result", "response", "list"],
)
def test_a_saved_listing_is_read_as_it_was_saved(project: Project, value: object) -> None:
    path = project.root / "docs tools.json"
    text = json.dumps(value, indent=2, ensure_ascii=False)
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())

    assert rules(project, path.name) == [
        ("docs tools", "search", "hidden-character"),
        ("docs tools", "fetch", "empty-description"),
    ]
    result = project.run("audit", path.name, "--format", "sarif")
    assert result.code == 1
    (first, _) = sarif_results(result.out)
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "docs%20tools.json"
    line = text.splitlines()[place["region"]["startLine"] - 1]
    assert line.strip() == "{"
    assert '"search"' in text.splitlines()[place["region"]["startLine"]]


def test_one_bad_definition_hides_no_other(project: Project) -> None:
    path = project.root / "tools.json"
    bad = json.dumps(BAD, ensure_ascii=False)
    path.write_text(f'[{{"name": "twice", "a": 1, "a": 2}}, {{"name": 1}}, {bad}]', "utf-8")

    result = project.run("audit", "tools.json")

    assert "tools/search" in result.out
    assert "tools/twice is invalid: a key stands in it twice" in result.out
    assert "tool 2 of the list has no string as its name" in result.out
    assert {case.get("name") for case in junit_cases(
        project.run("audit", "tools.json", "--format", "junit").out
    )} >= {"tools/search: hidden-character", "tools/twice: issue"}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ('{"tools":\n [}', "tools.json:2: not JSON"),
        ('{"mcpServers": {}}', "holds no listing"),
        ('{"tools": {}}', "holds no listing"),
        ('{"jsonrpc": "2.0", "id": 1, "error": {"code": 1}}', "holds no listing"),
        ("[" * 100_000, "not JSON"),
        ("5", "holds no listing"),
    ],
    ids=["empty", "syntax", "manifest", "object", "error", "deep", "number"],
)
def test_what_is_no_listing_is_told(project: Project, text: str, said: str) -> None:
    (project.root / "tools.json").write_text(text, "utf-8")

    result = project.run("audit", "tools.json")

    assert (result.code, result.out) == (2, "")
    assert said in result.err
    assert project.run("audit", "nowhere.json").code == 2
    assert project.run("audit", ".").code == 2


def test_another_lock_is_read_as_one(odd: Project) -> None:
    other = odd.root / "other.txt"
    odd.lock_path.rename(other)
    assert rules(odd, "other.txt")[0] == ("docs", "search", "hidden-character")
    result = odd.run("audit", "other.txt")
    assert result.err == "", "what is in no lock of this project is not to be decided here"
