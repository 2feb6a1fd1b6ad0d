"""`mcplock call`, in this process, on servers that really run."""

import base64
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.calling import Caller, caller
from tests.unit.live.conftest import OBJECT, definition

ECHO = definition("echo")
PICTURE = base64.b64encode(b"\x89PNG").decode()
COUNT = definition(
    "count",
    inputSchema={
        "type": "object",
        "properties": {"n": {"type": "integer"}, "id": {"type": "string"}},
        "required": ["n"],
        "additionalProperties": False,
    },
)


@pytest.fixture
def project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Caller:
    return caller(tmp_path, monkeypatch, capsys)


def content(*blocks: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"echo": {"content": list(blocks), **more}}


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


@pytest.mark.parametrize("name", ["demo/count", "mcp__demo__count"])
def test_arguments_are_read_as_they_are_declared(project: Caller, name: str) -> None:
    project.serve(COUNT)
    project.lock(confirm=None)  # whoever types it is the person
    big = 12345678901234567890123
    result = project.call(name, "--arg", f"n={big}", "--arg", "id=007")
    assert (result.code, json.loads(result.out)) == (0, {"n": big, "id": "007"})
    [sent] = project.heard("tools/call")
    assert sent["arguments"] == {"n": big, "id": "007"}


def test_arguments_may_come_as_a_document(
    project: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    project.serve(COUNT)
    project.lock()
    (tmp_path / "given.json").write_text('\ufeff{"n": 2}', encoding="utf-8")
    (tmp_path / "stdin.json").write_text('{"n": 3}', encoding="utf-8")
    with (tmp_path / "stdin.json").open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        for words, n in ((['{"n": 1}'], 1), (["@given.json"], 2), (["@-"], 3)):
            result = project.call("demo/count", "--json", *words)
            assert json.loads(result.out) == {"n": n}
    assert project.call("demo/count", "--json", "{}", "--arg", "n=1").code == 2
    assert project.call("demo/count", "--json", "[]").code == 2
    assert project.call("demo/count", "--json", "@none.json").code == 2


def test_every_violation_is_told_and_nothing_is_started(project: Caller) -> None:
    project.serve(COUNT)
    project.lock(trusted=False)
    result = project.call("demo/count", "--arg", "n=many", "--arg", "x=1")
    assert (result.code, result.out) == (2, "")
    assert "demo/count: the arguments do not fit, so nothing was sent:" in result.err
    assert "  /n: must be integer, not string" in result.err
    assert "  /x: " in result.err
    assert project.heard("initialize") == []


def test_a_source_that_is_not_trusted_is_not_started(project: Caller) -> None:
    project.serve(ECHO)
    project.lock(trusted=False)
    result = project.call("demo/echo")
    assert result.code == 2
    assert "no consent to start it\nhint: `mcplock trust demo`" in result.err
    assert project.heard("initialize") == []
    assert project.call("demo/echo", "--trust-sources").code == 0
    assert project.call("demo/echo").code == 2


@pytest.mark.parametrize(
    ("name", "head", "code", "said"),
    [
        ("demo/echo", {"approve": False}, 1, "demo/echo is locked, but new"),
        ("mcp__demo__echo", {"denied": "no"}, 1, "mcp__demo__echo is locked, but denied: no"),
        ("demo/ecko", {}, 2, "no approved tool is called demo/ecko; did you mean demo/echo?"),
    ],
)
def test_what_the_lock_does_not_give_is_refused(
    project: Caller, name: str, head: Any, code: int, said: str
) -> None:
    project.serve(ECHO)
    project.lock(echo=head)
    result = project.call(name)
    assert result.code == code
    assert said in result.err
    assert project.heard("initialize") == []


def test_a_tool_that_changed_is_not_called(project: Caller) -> None:
    project.serve(ECHO)
    project.lock()
    project.change(tools=[definition("echo", title="Other")])
    result = project.call("demo/echo")
    assert result.code == 1
    assert "error: demo/echo changed since you approved it\nhint: `mcplock update demo`" in (
        result.err
    )
    assert project.heard("tools/call") == []


def test_the_lock_can_be_taken_at_its_word(project: Caller) -> None:
    project.serve(ECHO)
    project.lock()
    project.change(tools=[definition("echo", title="Other")])
    assert project.call("demo/echo", "--trust-lock").code == 0
    assert project.heard("tools/list") == []


def test_the_tool_s_own_error_is_exit_code_3(project: Caller) -> None:
    project.serve(ECHO, results=content(text("no such page"), isError=True))
    project.lock()
    result = project.call("demo/echo")
    assert (result.code, result.out) == (3, "no such page\n")
    assert result.err == "error: demo/echo ran and reported an error\n"


def test_an_error_of_the_protocol_is_passed_on(project: Caller) -> None:
    error = {"code": -32603, "message": "broken\x1b[2J"}
    project.serve(ECHO, errors={"echo": error})
    project.lock()
    result = project.call("demo/echo")
    assert result.code == 2
    assert "error -32603: broken⟨U+001B⟩[2J" in result.err


def test_structured_content_comes_first_and_is_not_said_twice(project: Caller) -> None:
    again = text('{"n":  1}')
    blocks = text("one\n"), again, {"type": "resource_link", "uri": "file:///x"}, {"type": "odd"}
    results = content(*blocks, structuredContent={"n": 1}, toolResult=[7])
    project.serve(ECHO, results=results)
    project.lock()
    result = project.call("demo/echo")
    odd = '{"type": "odd"}'
    assert result.out == f'{{\n  "n": 1\n}}\none\n\nfile:///x\n{odd}\n[\n  7\n]\n'


def test_the_whole_result_is_a_document(project: Caller) -> None:
    sent = {
        "content": [text("##[error] \u202e")],
        "structuredContent": {"n": 1},
        "_meta": {"version": 9, "server": "other"},
        "version": 3,
    }
    project.serve(ECHO, results={"echo": sent})
    project.lock()
    document = project.call("demo/echo", "--format", "json").document()
    assert document.pop("result") == sent
    assert document == {
        "version": 1,
        "server": "demo",
        "tool": "echo",
        "is_error": False,
        "compared": True,
        "violations": [],
        "remarks": [],
        "files": [],
    }


def test_a_result_that_is_not_as_promised_is_exit_code_1(project: Caller) -> None:
    schema = OBJECT | {"properties": {"n": {"type": "integer"}}}
    results = content(structuredContent={"n": "x"})
    project.serve(definition("echo", outputSchema=schema), results=results)
    project.lock()
    result = project.call("demo/echo")
    assert (result.code, json.loads(result.out)) == (1, {"n": "x"})
    assert "    /n: must be integer, not string" in result.err


def test_what_is_no_text_goes_to_files_of_our_names(project: Caller, tmp_path: Path) -> None:
    image = {"type": "image", "data": PICTURE, "mimeType": "image/png", "name": "../x"}
    note = {"uri": "file:///etc/x", "text": "kept", "mimeType": "text/plain; charset=utf-8"}
    broken = {"type": "audio", "data": "%%", "mimeType": "audio/wav"}
    blocks = text("see"), image, {"type": "resource", "resource": note}, broken
    project.serve(ECHO, results=content(*blocks))
    project.lock()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "call-1.png").write_bytes(b"mine")

    without = project.call("demo/echo")
    assert without.out == "see\nkept\n"
    assert "image/png, 4 bytes: not kept\naudio/wav: no well-formed Base64" in without.err
    assert "hint: `--output DIR/` keeps what is no text" in without.err
    result = project.call("demo/echo", "--output", "out")
    assert result.out == "see\n"
    assert sorted(os.listdir(tmp_path / "out")) == ["call-1.png", "call-1.txt", "call-2.png"]
    assert (tmp_path / "out" / "call-1.png").read_bytes() == b"mine"
    assert (tmp_path / "out" / "call-2.png").read_bytes() == b"\x89PNG"
    assert "image/png, 4 bytes: out/call-2.png" in result.err


def test_a_file_that_is_there_is_not_overwritten(project: Caller, tmp_path: Path) -> None:
    image = {"type": "image", "data": PICTURE, "mimeType": "image/png"}
    project.serve(ECHO, results=content(image, image))
    project.lock()
    assert project.call("demo/echo", "--output", "a.png").code == 0
    assert sorted(path.name for path in tmp_path.glob("*.png")) == ["a-2.png", "a.png"]
    calls = len(project.heard("tools/call"))
    result = project.call("demo/echo", "--output", "a.png")
    assert result.code == 2
    assert "a.png is there already, and is not overwritten" in result.err
    assert len(project.heard("tools/call")) == calls
    assert project.call("demo/echo", "--output", "none/a.png").code == 2


def test_a_directory_is_told_by_its_slash_and_made(project: Caller, tmp_path: Path) -> None:
    image = {"type": "image", "data": PICTURE, "mimeType": "image/png"}
    project.serve(ECHO, results=content(image))
    project.lock()
    result = project.call("demo/echo", "--output", "charts/")
    assert result.code == 0
    assert (tmp_path / "charts" / "call-1.png").read_bytes() == b"\x89PNG"


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="open files have no names here")
def test_a_pipe_takes_all_attachments(project: Caller) -> None:
    image = {"type": "image", "data": PICTURE, "mimeType": "image/png"}
    project.serve(ECHO, results=content(image, image))
    project.lock()
    reader, writer = os.pipe()
    result = project.call("demo/echo", "--output", f"/dev/fd/{writer}")
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        assert pipe.read() == b"\x89PNG" * 2
    assert result.code == 0


@pytest.mark.parametrize(
    ("more", "said", "hint"),
    [
        ("disabled = true\n", "its server is disabled", "take `disabled` out of the manifest"),
        ('cwd = "x"\n', "the manifest has another source", "`mcplock install`"),
        (None, "the manifest has no such server", "`mcplock add demo -- COMMAND`"),
    ],
)
def test_a_server_that_the_manifest_keeps_from_agents_is_told_with_what_to_do(
    project: Caller, more: str | None, said: str, hint: str
) -> None:
    project.serve(ECHO)
    project.lock()
    manifest = project.directory / "mcp.toml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text("[servers]\n" if more is None else text + more, encoding="utf-8")
    result = project.call("demo/echo")
    assert result.code == 1
    assert f"demo/echo is locked, but {said}" in result.err
    assert f"hint: {hint}" in result.err


@pytest.mark.parametrize(
    ("decided", "hint"),
    [
        (["reset", "@demo"], "`mcplock approve @demo`"),
        (["deny", "@demo", "--reason", "no"], "`mcplock reset @demo` takes the denial back"),
        (["deny", "demo/echo", "--reason", "no"], "`mcplock reset demo/echo` takes the denial"),
        (["reset", "demo/echo"], "`mcplock review demo/echo`, or `mcplock approve demo/echo`"),
    ],
)
def test_what_the_lock_refuses_leads_to_the_command_that_decides(
    project: Caller, decided: list[str], hint: str
) -> None:
    project.serve(ECHO)
    project.lock()
    assert project.run(*decided, "--yes").code == 0
    result = project.call("demo/echo")
    assert result.code == 1
    assert f"hint: {hint}" in result.err


def test_input_that_is_required_is_said_clearly(project: Caller) -> None:
    project.serve(ECHO, results={"echo": {"resultType": "input_required", "inputRequests": {}}})
    project.lock()
    result = project.call("demo/echo")
    assert result.code == 2
    assert "demo/echo wants input before it goes on" in result.err


def test_a_job_s_log_gets_no_commands(project: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    project.serve(ECHO, results=content(text("::error::x\x1b[2J\ta")))
    project.lock()
    assert project.call("demo/echo").out == "::error::x\x1b[2J\ta\n"
    monkeypatch.setenv("CI", "true")
    assert project.call("demo/echo").out == "⟨U+003A⟩:error::x⟨U+001B⟩[2J  a\n"


def test_what_a_call_saw_is_told_until_the_server_is_updated(project: Caller) -> None:
    project.serve(ECHO)
    project.lock()
    assert "found changed" not in project.run("status").out
    project.change(tools=[definition("echo", title="Other")])
    assert project.call("demo/echo").code == 1
    project.change(tools=[ECHO])
    before = (project.directory / "mcp.lock").read_bytes()
    assert project.call("demo/echo").code == 1
    assert project.call("demo/echo", "--trust-lock").code == 1

    status = project.run("status")
    assert "! demo/echo  was found changed by a call" in status.out
    assert "hint: `mcplock update demo` shows what its tools are now" in status.err
    assert "! demo    suspect" in status.out
    assert "(1 tool): 1 tool found changed by a call" in status.out
    assert "demo/echo  found changed by a call" in project.run("list").out
    assert "demo/echo  found changed by a call" in project.run("search", "echo").out
    for command in (["list"], ["status"]):
        tools = project.run(*command, "--json").document()["servers"]["demo"]["tools"]
        assert tools["echo"]["suspected"] is True
    [hit] = project.run("search", "echo", "--json").document()["results"]
    assert hit["suspected"] is True
    document = project.run("status", "--json").document()
    assert document["suspicions"] == [{"server": "demo", "tool": "echo"}]
    assert (project.directory / "mcp.lock").read_bytes() == before

    assert project.run("update", "demo", "--dry-run").code == 0
    assert project.call("demo/echo").code == 1
    assert project.run("update", "demo").code == 0
    assert project.call("demo/echo").code == 0
    assert project.run("status", "--json").document()["suspicions"] == []


def test_a_mark_is_void_once_another_text_is_approved(project: Caller) -> None:
    project.serve(ECHO)
    project.lock()
    project.change(tools=[definition("echo", title="Other")])
    assert project.call("demo/echo").code == 1
    project.lock()  # as it is now
    assert project.run("status", "--json").document()["suspicions"] == []
    assert project.call("demo/echo").code == 0
