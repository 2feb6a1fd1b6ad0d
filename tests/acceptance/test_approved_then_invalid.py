"""What was approved and became invalid waits for a person: no gate passes it before that."""

import json
import sys

import pytest

from .conftest import Workspace, tool
from .terminal import Typist

KEYS = "? help"
DEEP = "[" * 300 + "]" * 300


def listed(name: str, more: str = "", text: str = "Does it.") -> str:
    """A tool as a server may list it; more: members of it, each with its comma."""
    schema = '"inputSchema":{"type":"object"}'
    return f'{{"name":"{name}","description":"{text}",{more}{schema}}}'


BROKEN = [
    listed("twice", '"p":1,"p":2,'),
    listed("half", text="Does \\ud800 it."),
    listed("huge", '"p":1e400,'),
    listed("deep", f'"p":{DEEP},'),
    listed("same"),
    listed("same", text="Does that."),
    '{"name":"null","description":"Does it.","inputSchema":null}',
]
NAMES = ["deep", "half", "huge", "null", "same", "twice"]


@pytest.fixture
def broken(workspace: Workspace) -> Workspace:
    """`s`, whose tools were approved and are listed without a canonical form since."""
    workspace.serve("s", tools=[tool(name, f"Does {name}.") for name in NAMES])
    workspace.ok("install", "--yes")
    workspace.ok("approve", "s", "--yes")
    workspace.serve("s", tools_text=f"[{','.join(BROKEN)}]")
    workspace.ok("update", "--yes")
    return workspace


def test_no_gate_passes_what_became_invalid_since_it_was_approved(broken: Workspace) -> None:
    for words in (["check"], ["check", "--offline"]):
        check = broken.run(*words)
        assert check.code == 1, check
        assert "reviewed and unchanged" not in check.out
        assert "1 unreviewed" in check.out
        assert "Does twice." in check.out, "the approved text"
        assert "mcplock deny s/deep --reason TEXT" in check.err
        assert "mcplock reset s/deep" in check.err
        assert "mcplock approve" not in check.err

    document = broken.run("check", "--format", "json").document()
    assert document["conclusion"] == "fail"
    assert document["servers"][0]["status"] == "unreviewed"
    waiting = {row["name"]: row for row in document["waiting"]}
    assert sorted(waiting) == NAMES
    assert {row["state"] for row in waiting.values()} == {"invalid"}
    assert {row["change"]["state"] for row in waiting.values()} == {"invalid"}


def test_whatever_counts_or_shows_what_waits_counts_and_shows_it(broken: Workspace) -> None:
    status = broken.ok("status")
    assert "6 to review" in status.out.splitlines()[-1]
    assert "mcplock reset s/deep" in status.err
    assert "unreviewed" in status.out
    diff = broken.run("diff", "--unreviewed")
    assert diff.code == 1
    assert "6 differences: 6 changed" in diff.out
    assert "mcplock approve" not in diff.err
    audit = broken.ok("audit").out.splitlines()[-1]
    assert audit.endswith("6 invalid"), audit
    show = broken.ok("show", "s/twice")
    assert "what was approved:" in show.out
    assert "Does twice." in show.out
    assert "mcplock deny s/twice --reason TEXT" in show.err
    assert "mcplock approve" not in show.err


def test_a_person_denies_it_or_takes_its_approval_back(broken: Workspace) -> None:
    assert broken.run("approve", "s/twice").code == 1
    assert broken.run("check").code == 1
    broken.ok("deny", "s/twice", "s/half", "s/huge", "--reason", "no")
    broken.ok("reset", "s/deep", "s/same")
    assert broken.run("check").code == 1
    broken.ok("reset", "s/null")

    check = broken.ok("check")

    assert "s/deep is invalid: " in check.out, "a warning"
    assert check.out.splitlines()[-1].endswith("reviewed and unchanged (but 3 invalid)")
    assert "all reviewed, but 3 invalid" in broken.ok("status").out
    broken.ok("reset", "s/twice")
    assert broken.run("check").code == 1, "it differs again from what was approved"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_review_shows_why_and_what_was_approved_and_approves_nothing(broken: Workspace) -> None:
    before = broken.lock
    env = {**broken.environ(), "NO_COLOR": "1"}
    with Typist(["review"], cwd=broken.root, env=env) as person:
        first = person.see(KEYS)
        assert "1/6" in first
        assert "it cannot be approved, for it nests too deeply" in first
        assert "Does deep." in first
        person.type("a")
        person.see("cannot be approved: `d` denies it")
        assert broken.lock == before
        person.type("A")
        person.see("nothing is left of this server that can be approved")
        person.type("d")
        person.see("Why is it denied?")
        person.type("odd\n")
        assert "2/6  s/half" in person.see(KEYS)
        person.type("q")
    denied = [
        name for name, entry in broken.lock["servers"]["s"]["tools"].items() if "denied" in entry
    ]
    assert denied == ["deep"]


def test_formats_for_ci_fail_for_it(broken: Workspace) -> None:
    sarif = broken.run("check", "--format", "sarif")
    assert sarif.code == 1
    results = json.loads(sarif.out)["runs"][0]["results"]
    levels = {row["level"] for row in results if row["ruleId"] == "unreviewed"}
    assert levels == {"error"}
