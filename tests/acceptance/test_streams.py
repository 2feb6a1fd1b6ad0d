"""stdout is data, stderr is talk: any encoding, any pipe, closed or full."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import PROGRAM, Workspace, tool
from .terminal import in_terminal

UNIX = pytest.mark.skipif(sys.platform == "win32", reason="shells and devices are Unix's")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A locked project, its tool not ASCII; the tests of this module only read it."""
    base = tmp_path_factory.mktemp("streams")
    workspace = Workspace(base / "project", base / "home")
    for directory in (workspace.root, workspace.home, workspace.root / ".git"):
        directory.mkdir()
    tools = [tool("größe", "Mißt 漢字 👍 und \u200b mehr."), tool("plain")]
    workspace.serve("docs", tools=tools)
    workspace.ok("install", "--yes")
    workspace.ok("approve", "@docs", "docs/plain")
    return workspace


@pytest.fixture
def workspace(made: Workspace) -> Iterator[Workspace]:
    before = made.lock_path.read_bytes()
    yield made
    assert made.lock_path.read_bytes() == before


DOCUMENTS = [
    ["list", "--json"], ["show", "*", "--json"], ["status", "--json"],
    ["check", "--format", "json"], ["export", "--format", "mcp"],
]  # fmt: skip


@pytest.mark.parametrize("words", DOCUMENTS, ids=" ".join)
def test_documents_are_the_same_value_in_any_encoding(
    workspace: Workspace, words: list[str]
) -> None:
    expected = workspace.run(*words).document()
    for encoding in ("ascii", "cp1252", "utf-16"):
        done = run(workspace, *words, env={"PYTHONIOENCODING": encoding})
        assert json.loads(done.stdout.decode(encoding)) == expected
        assert b"Traceback" not in done.stderr


def run(
    workspace: Workspace, *words: str, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [PROGRAM, *words],
        cwd=workspace.root,
        env={**workspace.environ(), **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("env", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "LANG": ""}])
def test_text_that_the_stream_cannot_carry_is_escaped(
    workspace: Workspace, env: dict[str, str]
) -> None:
    done = run(workspace, "show", "docs", env=env)

    assert done.returncode == 0
    text = done.stdout.decode()
    assert "größe" in text or r"gr\xf6\xdfe" in text


def test_an_escape_is_not_taken_for_the_character(tmp_path: Path) -> None:
    """On a stream without the letter, a name that spells its escape looks otherwise."""
    workspace = Workspace(tmp_path, tmp_path / "home")
    (tmp_path / "home").mkdir()
    workspace.serve("s", tools=[tool("\u0430"), tool(r"\u0430")])
    workspace.ok("install", "--yes")

    out = run(workspace, "list", "s/*", env={"PYTHONIOENCODING": "ascii"}).stdout.decode()

    assert len(set(out.splitlines())) == 2


@pytest.mark.parametrize("words", [[*words] for words in DOCUMENTS] + [["list"], ["show", "*"]])
def test_data_goes_to_stdout_and_talk_to_stderr(workspace: Workspace, words: list[str]) -> None:
    result = workspace.run(*words)

    assert result.out
    assert "hint:" not in result.out
    assert not re.search(r"\x1b\[", result.out + result.err), "colour without a terminal"


@UNIX
@pytest.mark.parametrize(
    ("redirection", "code"),
    [("| head -n 0; exit ${PIPESTATUS[0]}", 2), (">&-", 0), ("2>&-", 0), ("0<&-", 0)],
    ids=["closed pipe", "no stdout", "no stderr", "no stdin"],
)
def test_streams_that_are_closed(workspace: Workspace, redirection: str, code: int) -> None:
    done = subprocess.run(
        ["bash", "-c", f"'{PROGRAM}' show '*' -v {redirection}"],
        cwd=workspace.root,
        env=workspace.environ(),
        capture_output=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == code, done
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr
    assert b"bug" not in done.stderr


@UNIX
@pytest.mark.parametrize("words", DOCUMENTS, ids=" ".join)
def test_a_document_that_nobody_can_have_is_a_failure(
    workspace: Workspace, words: list[str]
) -> None:
    done = subprocess.run(
        ["bash", "-c", f"'{PROGRAM}' {' '.join(words).replace('*', chr(39) + '*' + chr(39))} >&-"],
        cwd=workspace.root,
        env=workspace.environ(),
        capture_output=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 2, done
    assert done.stderr == b"error: standard output is closed: the document is written nowhere\n"
    assert run(workspace, *words).returncode != 2


@UNIX
def test_a_document_in_a_file_needs_no_stdout(workspace: Workspace, tmp_path: Path) -> None:
    target = tmp_path / "tools.json"
    for command in (f"export --format mcp -o '{target}' >&-", "export --format mcp >/dev/null"):
        done = subprocess.run(
            ["bash", "-c", f"'{PROGRAM}' {command}"],
            cwd=workspace.root,
            env=workspace.environ(),
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done
    assert json.loads(target.read_text(encoding="utf-8"))["tools"]


@UNIX
@pytest.mark.parametrize("words", [["list"], ["check", "--format", "json"], ["--help"]])
def test_a_reader_that_left_is_quiet_and_never_1(workspace: Workspace, words: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)

    done = subprocess.run(
        [PROGRAM, *words],
        cwd=workspace.root,
        env=workspace.environ(),
        stdin=subprocess.DEVNULL,
        stdout=writer,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )

    os.close(writer)
    assert done.returncode == 2
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("words", [["list"], ["show", "*", "--json"], ["--help"]])
def test_a_full_disk_is_told(workspace: Workspace, words: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [PROGRAM, *words],
            cwd=workspace.root,
            env=workspace.environ(),
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )

    assert done.returncode == 2
    assert b"standard output cannot be written" in done.stderr


@UNIX
@pytest.mark.parametrize(
    ("words", "env", "colored"),
    [
        (["status"], {}, True),
        (["status", "--no-color"], {}, False),
        (["--no-color", "status"], {}, False),
        (["status"], {"NO_COLOR": "1"}, False),
        (["status"], {"NO_COLOR": ""}, True),
        (["status"], {"TERM": "dumb"}, False),
    ],
)
def test_colour_stands_on_terminals_that_want_it(
    workspace: Workspace, words: list[str], env: dict[str, str], colored: bool
) -> None:
    screen = in_terminal(words, cwd=workspace.root, env={**workspace.environ(), **env})

    assert screen.code == 0
    assert ("\x1b[" in screen.text) == colored
    plain = re.sub(r"\x1b\[[0-9;]*m", "", screen.text)
    assert workspace.run("status").out in plain, "the same words with colour and without"


def test_quiet_is_the_verdict_and_verbose_is_more(workspace: Workspace) -> None:
    for words in (["status"], ["check", "--offline"], ["diff", "--unreviewed"]):
        usual, quiet, verbose = (workspace.run(*words, *more) for more in ([], ["-q"], ["-v"]))
        assert quiet.out.splitlines() == usual.out.splitlines()[-1:]
        assert quiet.err == ""
        assert quiet.code == usual.code
        assert len(verbose.out) >= len(usual.out)
    assert len(workspace.run("status", "-v").out) > len(workspace.run("status").out)
    assert workspace.run("list", "-q").out == workspace.run("list").out, "it is what was asked for"


@UNIX
def test_an_export_goes_to_whatever_is_named(workspace: Workspace, tmp_path: Path) -> None:
    expected = workspace.run("export", "--format", "mcp").out
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    script = """
        printf 'before\\n' > "$1/log"
        "$0" export --format mcp -o /dev/stdout >> "$1/log" &&
        "$0" export --format mcp --map >(cat > "$1/map") > "$1/tools" &&
        (cat "$1/pipe" > "$1/copy" & "$0" export --format mcp -o "$1/pipe"; wait)
        "$0" export --format mcp --map /dev/stdout > "$1/both"
        wait
        for _ in $(seq 100); do test -s "$1/map" && break; sleep 0.1; done
    """
    done = subprocess.run(
        ["bash", "-c", script, PROGRAM, str(tmp_path)],
        cwd=workspace.root,
        env=workspace.environ(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "log").read_text(encoding="utf-8") == f"before\n{expected}"
    assert (tmp_path / "tools").read_text(encoding="utf-8") == expected
    assert (tmp_path / "copy").read_text(encoding="utf-8") == expected
    assert pipe.is_fifo()
    map_ = (tmp_path / "map").read_text(encoding="utf-8")
    assert list(json.loads(map_)["tools"]) == ["mcp__docs__plain"]
    assert (tmp_path / "both").read_text(encoding="utf-8") == expected + map_
