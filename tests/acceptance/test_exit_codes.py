"""Exit codes of commands that ask servers: 1 is a no, 2 what could not be done or judged."""

import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from mcplock.lockfile import edit
from mcplock.manifest import load
from mcplock.model import Lock, LockedServer
from mcplock.workflow.project import source_entry
from tests.machine import alive

from .conftest import PROGRAM, Workspace, tool
from .terminal import in_terminal

ALL = {"docs": "ok", "mail": "ok"}


@pytest.fixture
def locked(workspace: Workspace) -> Workspace:
    """Two servers, locked and approved."""
    workspace.serve("docs", tools=[tool("search")])
    workspace.serve("mail", tools=[tool("send")])
    workspace.ok("install", "--yes")
    workspace.ok("approve", "*", "--yes")
    return workspace


def breaks(workspace: Workspace, name: str) -> None:
    workspace.servers[name].write_text("no JSON", encoding="utf-8")


def statuses(workspace: Workspace, *words: str) -> dict[str, str]:
    rows = workspace.run(*words, "--format", "json").document()["servers"]
    return {row["server"]: row["status"] for row in rows}


def test_nothing_changed_is_0(locked: Workspace) -> None:
    before = locked.lock_path.read_bytes()
    for words in (["check"], ["diff"], ["update"], ["update", "--dry-run"], ["install"]):
        assert locked.run(*words).code == 0
    assert locked.lock_path.read_bytes() == before
    assert statuses(locked, "check") == ALL


def test_drift_is_1_for_a_gate_and_0_for_an_update(locked: Workspace) -> None:
    locked.serve("docs", tools=[tool("search", "Something else.")])
    before = locked.lock_path.read_bytes()

    assert locked.run("check").code == 1
    assert locked.run("diff").code == 1
    assert statuses(locked, "diff", "--server", "mail") == {"mail": "ok"}
    assert locked.run("update", "--dry-run").code == 0
    assert "mcp.lock would change" in locked.run("update", "--dry-run").out
    assert locked.lock_path.read_bytes() == before
    assert locked.run("update").code == 0
    assert locked.run("diff").code == 0, "the lock has it now"
    assert locked.run("check").code == 1, "but nobody reviewed it"


def test_an_outage_is_2_and_no_change(locked: Workspace) -> None:
    breaks(locked, "mail")
    before = locked.lock_path.read_bytes()

    for words in (["check"], ["diff"], ["update"]):
        result = locked.run(*words)
        assert result.code == 2, result
        assert "mail" in result.out
    document = locked.run("check", "--format", "json").document()
    assert document["conclusion"] == "error"
    assert document["changes"] == []
    assert document["issues"][0]["server"] == "mail"
    assert statuses(locked, "check") == {"docs": "ok", "mail": "unreachable"}
    assert locked.lock_path.read_bytes() == before
    assert locked.run("check", "--allow-unreachable", "m*").code == 0
    assert locked.run("check", "--allow-unreachable", "docs").code == 2
    assert "but 1 unreachable" in locked.run("check", "--allow-unreachable", "mail").out


def test_drift_beside_an_outage_is_1_and_both_are_told(locked: Workspace) -> None:
    locked.serve("docs", tools=[tool("search", "Something else.")])
    breaks(locked, "mail")

    result = locked.run("check")

    assert result.code == 1
    assert result.out.splitlines()[-1] == "failed: 2 servers: 1 drifted, 1 unreachable"
    updated = locked.run("update")
    assert updated.code == 2, "one could not be asked"
    assert locked.lock["servers"]["docs"]["tools"]["search"]["description"] == ["Something else."]
    assert "send" in locked.lock["servers"]["mail"]["tools"], "what cannot be fetched is kept"


def test_an_install_writes_what_it_can(workspace: Workspace) -> None:
    workspace.serve("docs", tools=[tool("search")])
    workspace.serve("mail", tools=[tool("send")])
    breaks(workspace, "mail")

    result = workspace.run("install", "--yes")

    assert result.code == 2
    assert list(workspace.lock["servers"]) == ["docs"]
    assert result.out.splitlines()[-1].endswith("nothing written of mail")
    workspace.lock_path.unlink()
    breaks(workspace, "docs")
    assert workspace.run("install", "--yes").code == 2
    assert not workspace.lock_path.exists(), "no server answered: no lock at all"


def test_a_listing_that_became_empty_is_an_outage_until_a_person_says_otherwise(
    locked: Workspace,
) -> None:
    locked.serve("docs", tools=[])
    before = locked.lock_path.read_bytes()

    for words in (["check"], ["update"]):
        result = locked.run(*words)
        assert result.code == 2
        assert "lists no tools where the lock has 1" in result.out
    assert locked.lock_path.read_bytes() == before
    assert locked.run("update", "docs", "--accept-empty").code == 0
    assert "tools" not in locked.lock["servers"]["docs"]


def test_an_undefined_variable_leaves_one_server_unresolved(locked: Workspace) -> None:
    path = locked.root / "mcp.toml"
    text = path.read_text(encoding="utf-8")
    head = '[servers."mail"]'
    path.write_text(text.replace(head, f"{head}\nenv.X = '${{NOPE}}'"))
    assert locked.run("install", "--yes", env={"NOPE": "1"}).code == 0
    locked.ok("approve", "*", "--yes")

    result = locked.run("check")

    assert result.code == 2
    assert "NOPE" in result.out
    assert statuses(locked, "check") == {"docs": "ok", "mail": "unresolved"}
    assert locked.run("check", "--allow-unreachable", "mail").code == 0


def test_a_baseline_approves_what_it_adds_but_for_high_findings(workspace: Workspace) -> None:
    workspace.serve("docs", tools=[tool("search"), tool("odd", "Reads\u200b.")])

    result = workspace.run("install", "--yes", "--baseline")

    assert result.code == 0
    assert "2 approved by --baseline" in result.out
    assert "docs/odd: high findings" in result.out
    tools = workspace.lock["servers"]["docs"]["tools"]
    assert "approved" in tools["search"]
    assert "approved" not in tools["odd"]
    workspace.serve("mail", tools=[tool("send")])
    workspace.ok("install", "--yes", "--baseline")
    assert "approved" not in workspace.lock["servers"]["docs"]["tools"]["odd"]
    assert "approved" in workspace.lock["servers"]["mail"]["tools"]["send"]


def test_what_was_denied_comes_back_denied(locked: Workspace) -> None:
    locked.ok("deny", "docs/search", "--reason", "no")
    locked.serve("docs", tools=[tool("other")])
    locked.ok("update")
    assert locked.lock["servers"]["docs"]["tools"]["search"]["absent"] is True
    assert "search" not in locked.ok("diff").out

    locked.serve("docs", tools=[tool("other"), tool("search", "In new clothes.")])
    locked.ok("update")

    entry = locked.lock["servers"]["docs"]["tools"]["search"]
    assert entry["denied"] == "no"
    assert "absent" not in entry


def test_names_of_servers_that_are_not_there(locked: Workspace) -> None:
    result = locked.run("update", "dcos", "mail")

    assert result.code == 2
    assert "did you mean docs?" in result.err


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_pattern_is_asked_for_on_a_terminal(locked: Workspace) -> None:
    locked.ok("reset", "*", "--yes")
    before = locked.lock_path.read_bytes()
    for answer, code in ((b"\n", 2), (b"n\n", 2), (b"y\n", 0)):
        screen = in_terminal(
            ["approve", "docs/*"], cwd=locked.root, env=locked.environ(), typed=[answer]
        )
        assert screen.code == code
        assert "docs/search" in screen.text
        assert (locked.lock_path.read_bytes() == before) == (code == 2)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are Unix's")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interruption_is_130_and_no_server_stays(locked: Workspace, number: int) -> None:
    marker = locked.root / "pid"
    program = (
        "import os, pathlib, time\n"
        f"pathlib.Path({str(marker)!r}).write_text(str(os.getpid()))\n"
        "time.sleep(300)\n"
    )
    (locked.root / "slow.py").write_text(program, encoding="utf-8")
    manifest = f'[servers.slow]\ncommand = "{sys.executable}"\nargs = ["slow.py"]\n'
    (locked.root / "mcp.toml").write_text(manifest, encoding="utf-8")
    before = locked.lock_path.read_bytes()
    with subprocess.Popen(
        [PROGRAM, "install", "--yes"],
        cwd=locked.root,
        env=locked.environ(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        until(lambda: marker.exists() and marker.read_text() != "")
        process.send_signal(number)
        _, err = process.communicate(timeout=60)

    assert process.returncode == 130
    assert err.decode().endswith("error: interrupted\n")
    assert not alive(int(marker.read_text()))
    assert locked.lock_path.read_bytes() == before


def until(condition) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_no_command_writes_but_to_the_lock_and_the_state_directory(locked: Workspace) -> None:
    def files() -> set[str]:
        return {str(p.relative_to(locked.root)) for p in locked.root.rglob("*") if p.is_file()}

    before = files()
    manifest = (locked.root / "mcp.toml").read_bytes()
    for words in (
        ["install", "--yes"], ["update"], ["check"], ["diff"], ["diff", "--unreviewed"],
        ["status"], ["list"], ["show", "*"], ["approve", "*", "--yes"],
        ["deny", "mail", "--reason", "x", "--yes"],
        ["reset", "*", "--yes"], ["trust", "--yes"], ["export", "--format", "mcp"], ["demo"],
    ):  # fmt: skip
        locked.run(*words)

    assert files() == before
    assert (locked.root / "mcp.toml").read_bytes() == manifest
    written = {path.relative_to(locked.home).parts[:2] for path in locked.home.rglob("*.json")}
    assert written == {("state", "mcplock")}


def test_a_denied_source_is_not_started(locked: Workspace) -> None:
    marker = locked.root / "marker"
    manifest = (locked.root / "mcp.toml").read_text(encoding="utf-8")
    locked.ok("deny", "@docs", "--reason", "not ours", "--yes")
    program = f"import pathlib; pathlib.Path({str(marker)!r}).touch()"
    locked.servers["docs"].write_text("no JSON", encoding="utf-8")

    check = locked.run("check")
    assert check.code == 0
    assert "its source is denied: not ours" in check.out
    assert locked.run("update").code == 0
    assert locked.run("update", "docs").code == 1
    other = f'[servers.docs]\ncommand = "{sys.executable}"\nargs = ["-c", "{program}"]\n'
    mail = manifest.partition('[servers."mail"]')
    (locked.root / "mcp.toml").write_text(other + mail[1] + mail[2], encoding="utf-8")
    assert locked.run("install", "--yes").code == 0
    assert not marker.exists(), "a denial holds by name, whatever the source becomes"
    locked.ok("reset", "@docs", "--yes")
    assert locked.run("install", "--yes").code == 2
    assert marker.exists()


class Forbids(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(401)
        self.send_header("WWW-Authenticate", "Bearer")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def test_a_server_that_asks_for_credentials_can_be_allowed(locked: Workspace) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Forbids) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        path = locked.root / "mcp.toml"
        text = path.read_text(encoding="utf-8")
        text += f'[servers.web]\nurl = "http://127.0.0.1:{server.server_port}/mcp"\n'
        path.write_text(text, encoding="utf-8")
        web = source_entry(load(path).servers["web"].source)
        locked_web = LockedServer(web._replace(approved=web.hash))
        edit(locked.lock_path, lambda lock: Lock({**lock.servers, "web": locked_web}))

        refused = locked.run("check", "--trust-sources")
        allowed = locked.run("check", "--trust-sources", "--allow-unreachable", "web")

        server.shutdown()
    assert (refused.code, allowed.code) == (2, 0)
    assert "401" in refused.out
    assert "but 1 unreachable" in allowed.out
