"""What `check` prints for CI systems."""

from pathlib import Path

import pytest

from mcplock.model import Kind
from tests.formats import commands, junit_cases, markdown_texts, sarif_results

from .conftest import Project, definition, server

CHECK = ("check", "--offline", "--format")
FORMATS = ("github", "sarif", "junit", "markdown")


@pytest.fixture(autouse=True)
def no_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


def line_of(project: Project, words: str) -> int:
    lines = project.lock_path.read_text(encoding="utf-8").splitlines()
    (at,) = [at for at, line in enumerate(lines, start=1) if line.strip().startswith(words)]
    return at


def test_each_entry_is_annotated_at_its_line(two_servers: Project) -> None:
    two_servers.ok("approve", "@docs", "docs/*", "@mail", "--yes")

    result = two_servers.run(*CHECK, "github")

    assert result.code == 1
    ((level, told, message),) = commands(result.out)
    place = ("error", "mcp.lock", str(line_of(two_servers, '"send"')))
    assert (level, told["file"], told["line"]) == place
    assert told["title"] == "mcplock: unreviewed: mail/send"
    assert message == "mail/send is new and waits for review"
    assert result.out.splitlines()[-1] == "failed: 2 servers: 1 unreviewed"
    (finding,) = sarif_results(two_servers.run(*CHECK, "sarif").out)
    physical = finding["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == "mcp.lock"
    assert physical["region"]["startLine"] == int(told["line"])
    wrong = [case for case in junit_cases(two_servers.run(*CHECK, "junit").out) if len(case)]
    assert [(case.get("name"), case.get("line")) for case in wrong] == [
        ("mail/send: unreviewed", told["line"])
    ]


@pytest.mark.parametrize("output", FORMATS)
def test_the_exit_code_is_that_of_the_text(two_servers: Project, output: str) -> None:
    assert two_servers.run(*CHECK, output).code == 1
    two_servers.ok("approve", "*", "--yes")
    assert two_servers.run(*CHECK, output).code == 0


def test_what_is_well_says_so(two_servers: Project) -> None:
    two_servers.ok("approve", "*", "--yes")

    assert commands(two_servers.ok(*CHECK, "github").out) == []
    assert sarif_results(two_servers.ok(*CHECK, "sarif").out) == []
    assert [len(case) for case in junit_cases(two_servers.ok(*CHECK, "junit").out)] == [0, 0]
    shown, loose = markdown_texts(two_servers.ok(*CHECK, "markdown").out)
    assert "ok: 2 servers, 3 tools" in shown
    assert "✅ mcplock check" in loose


def test_files_are_named_from_the_root_of_the_repository(
    two_servers: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = two_servers.root / "agents & co"
    below.mkdir()
    for name in ("mcp.lock", "mcp.toml"):
        (two_servers.root / name).rename(below / name)
    monkeypatch.chdir(below)
    two_servers.ok("approve", "*", "--yes")
    (below / "mcp.toml").write_text('[servers.new]\ncommand = "x"\n', encoding="utf-8")

    found = commands(two_servers.run(*CHECK, "github").out)

    places = {(told["title"].split(": ")[1], told["file"], told["line"]) for _, told, _ in found}
    assert ("unlocked", "agents & co/mcp.toml", "1") in places
    assert {file for rule, file, _ in places if rule == "drift"} == {"agents & co/mcp.lock"}
    uris = {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for result in sarif_results(two_servers.run(*CHECK, "sarif").out)
    }
    assert uris == {"agents%20%26%20co/mcp.toml", "agents%20%26%20co/mcp.lock"}
    assert two_servers.run(*CHECK, "markdown").out.splitlines()[0] == (
        "<!-- mcplock check agents%20%26%20co/mcp.lock -->"
    )


def test_a_server_that_is_gone_is_one_annotation(two_servers: Project) -> None:
    two_servers.ok("approve", "*", "--yes")
    two_servers.write_manifest({"docs": "serve"})

    ((_, told, message),) = commands(two_servers.run(*CHECK, "github").out)

    assert told["title"] == "mcplock: drift: @mail"
    assert message == "mail gone: 1 tool"


def test_more_than_github_shows_is_counted(project: Project) -> None:
    project.write({"docs": server(*(definition(f"t{number:02}") for number in range(40)))})

    result = project.run(*CHECK, "github")

    found = commands(result.out)
    assert len(found) == 10
    assert found[-1][2] == "32 more: see the log and the summary"
    assert "docs/t39" in result.out
    assert len(sarif_results(project.run(*CHECK, "sarif").out)) == 41


def test_the_same_entry_has_the_same_fingerprint_wherever_it_stands(two_servers: Project) -> None:
    two_servers.ok("approve", "docs/*", "@docs", "@mail", "--yes")
    (before,) = sarif_results(two_servers.run(*CHECK, "sarif").out)
    lock = two_servers.lock
    docs = lock.servers["docs"]
    fewer = {name: e for name, e in docs.of(Kind.TOOL).items() if name == "fetch"}
    docs = docs._replace(definitions={Kind.TOOL: fewer})
    two_servers.write({"docs": docs, "mail": lock.servers["mail"]})
    (moved,) = sarif_results(two_servers.run(*CHECK, "sarif").out)

    assert moved["locations"] != before["locations"]
    assert moved["partialFingerprints"] == before["partialFingerprints"]
    two_servers.write({"docs": docs, "mail": server(definition("send", "Other."))})
    two_servers.ok("approve", "@mail", "--yes")
    (other,) = sarif_results(two_servers.run(*CHECK, "sarif").out)
    assert other["partialFingerprints"] != before["partialFingerprints"]


def test_the_summary_of_the_job_is_added_to(
    two_servers: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("# Ours\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))

    two_servers.run(*CHECK, "sarif")
    assert summary.read_text(encoding="utf-8") == "# Ours\n"
    two_servers.run(*CHECK, "github")

    assert summary.read_text(encoding="utf-8").startswith("# Ours\n<!-- mcplock check mcp.lock")
    summary.write_text("x" * 2**20, encoding="utf-8")
    two_servers.run(*CHECK, "github")
    assert summary.stat().st_size == 2**20, "there is no room"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    assert "GITHUB_STEP_SUMMARY cannot be written" in two_servers.run(*CHECK, "github").err


@pytest.mark.parametrize("output", FORMATS)
def test_why_nothing_can_be_judged_is_told_in_the_format_too(
    two_servers: Project, output: str
) -> None:
    text = two_servers.lock_path.read_text(encoding="utf-8")
    cut = text.replace('"servers": {\n', '"servers": {\n<<<<<<< ours\n', 1)
    two_servers.lock_path.write_text(cut, encoding="utf-8")

    result = two_servers.run(*CHECK, output)

    assert result.code == 2
    assert "conflict marker" in result.err
    match output:
        case "github":
            ((level, told, message),) = commands(result.out)
            assert (level, told["file"], told["line"]) == ("error", "mcp.lock", "4")
            assert "conflict marker" in message
        case "sarif":
            (found,) = sarif_results(result.out)
            assert found["locations"][0]["physicalLocation"]["region"] == {"startLine": 4}
        case "junit":
            (case,) = junit_cases(result.out)
            assert case[0].tag == "error"
        case _:
            assert "could not judge" in markdown_texts(result.out)[0]
