"""A server under another name: nothing is taken past what was decided."""

from mcplock.lockfile import edit
from tests.locks import reworded

from .conftest import Workspace, tool


def renamed(workspace: Workspace, old: str, new: str) -> None:
    workspace.servers[new] = workspace.servers.pop(old)
    workspace.write_manifest()


def test_a_baseline_approves_neither_what_was_denied_nor_what_only_reads_the_same(
    workspace: Workspace,
) -> None:
    delete, read = tool("delete", "Deletes it."), tool("read", "Reads it.")
    workspace.serve("docs", tools=[delete, tool("pay", "Pays the amount."), read])
    workspace.ok("install", "--yes")
    workspace.ok("deny", "docs/delete", "--reason", "we only read")
    workspace.ok("approve", "docs", "--yes")
    faked = tool("pay", "Pays the \u0430mount.")
    workspace.serve("docs", tools=[delete, faked, read])
    renamed(workspace, "docs", "papers")

    result = workspace.ok("install", "--baseline", "--yes")

    assert "! papers/delete: denied: we only read" in result.out
    assert "! papers/pay: high findings: reads-the-same" in result.out
    tools = workspace.lock["servers"]["papers"]["tools"]
    assert [name for name, entry in tools.items() if "approved" in entry] == ["read"]


def test_a_denial_holds_for_a_server_under_another_name(workspace: Workspace) -> None:
    away = {"name": "gone", "description": "Deletes all that there is.", "inputSchema": {}}
    workspace.serve("s", tools=[tool("a"), tool("b"), away], instructions="Be brief.")
    workspace.ok("install", "--yes")
    workspace.ok("approve", "s", "--yes")
    workspace.ok("deny", "s/b", "s/gone", "@s:instructions", "--reason", "no")
    edit(workspace.lock_path, lambda lock: reworded(lock, "no", "no\u202e"))
    workspace.serve("s", tools=[tool("a"), tool("b", "Another text.")], instructions="Be brief.")
    renamed(workspace, "s", "z")

    install = workspace.ok("install", "--yes")

    assert "- s  gone: 3 tools, 3 denied" in install.out
    assert "+ z  new: 2 tools, 2 denied" in install.out
    assert "+ b  (denied: no⟨U+202E⟩)  Another text." in install.out
    assert "what was denied stays denied, all else needs review" in " ".join(install.out.split())
    workspace.ok("approve", "z", "--yes")
    server = workspace.lock["servers"]["z"]
    assert {name for name, entry in server["tools"].items() if "denied" in entry} == {"b", "gone"}
    assert server["tools"]["gone"]["absent"]
    assert "denied" in server["instructions"]
    assert [name for name, entry in server["tools"].items() if "approved" in entry] == ["a"]
    assert workspace.run("approve", "z/b").code == 1
    workspace.ok("check")


def test_a_server_that_changed_both_names_is_told_as_denied_before(workspace: Workspace) -> None:
    workspace.serve("s", tools=[tool("a"), tool("b", "Deletes it.")])
    workspace.ok("install", "--yes")
    workspace.ok("deny", "s/b", "--reason", "no")
    workspace.serve("s", tools=[tool("a"), tool("c", "Deletes it.")])
    renamed(workspace, "s", "z")
    workspace.ok("update")  # which takes in what is new, and drops nothing
    workspace.ok("install", "--yes")

    approve = workspace.run("approve", "z", "--yes")

    assert approve.code == 1
    assert "denied-before" in approve.out
    assert "approved" not in workspace.lock["servers"]["z"]["tools"]["c"]


def test_a_source_that_was_denied_is_not_started_under_another_name(workspace: Workspace) -> None:
    path = workspace.serve("s", tools=[tool("a")])
    workspace.ok("install", "--yes")
    workspace.ok("deny", "@s", "--reason", "not ours")
    renamed(workspace, "s", "z")
    path.write_text("no JSON: it would fail", encoding="utf-8")

    locked = workspace.run("install", "--locked")
    assert locked.code == 1
    assert "z  unlocked" in locked.out
    named = workspace.run("update", "z")
    assert named.code == 1
    assert "denied" in named.err

    install = workspace.ok("install", "--yes")
    assert "+ z  new: no tools, 1 denied" in install.out
    assert workspace.lock["servers"].keys() == {"z"}
    assert workspace.lock["servers"]["z"]["source"]["denied"] == "not ours"
    assert "mcp.lock untouched" in workspace.ok("install", "--yes").out


def test_a_server_beside_another_that_is_reached_alike_inherits_nothing(
    workspace: Workspace,
) -> None:
    workspace.serve("s", tools=[tool("a")])
    workspace.ok("install", "--yes")
    workspace.ok("deny", "s/a", "--reason", "no")
    workspace.servers["z"] = workspace.servers["s"]
    workspace.write_manifest()
    workspace.ok("install", "--yes")
    assert "denied" not in workspace.lock["servers"]["z"]["tools"]["a"]


def beside(workspace: Workspace) -> None:
    """`s/b` is denied, all else of `s` approved; the manifest also names `t`, the same server."""
    workspace.serve("s", tools=[tool("a"), tool("b", "Deletes it.")])
    workspace.ok("install", "--yes")
    workspace.ok("deny", "s/b", "--reason", "no")
    workspace.ok("approve", "s", "--yes")
    workspace.servers["t"] = workspace.servers["s"]
    workspace.write_manifest()


def approved(workspace: Workspace, server: str) -> list[str]:
    tools = workspace.lock["servers"][server]["tools"]
    return [name for name, entry in tools.items() if "approved" in entry]


def test_a_baseline_does_not_approve_what_is_denied_of_the_same_server(
    workspace: Workspace,
) -> None:
    beside(workspace)

    install = workspace.ok("install", "--baseline", "--yes")

    assert "! t/b: high findings: denied-before" in install.out
    assert approved(workspace, "t") == ["a"]


def test_whatever_tells_findings_tells_that_the_same_server_had_it_denied(
    workspace: Workspace,
) -> None:
    beside(workspace)
    assert "denied-before" in workspace.ok("install", "--yes").out

    approve = workspace.run("approve", "t", "--yes")
    assert approve.code == 1
    assert "! t/b: high findings: denied-before" in approve.out
    assert approved(workspace, "t") == ["a"]
    for words in (["check"], ["check", "--offline"], ["audit"]):
        run = workspace.run(*words)
        assert run.code == 1
        assert "denied-before" in run.out, words
    for words in (["show", "t/b"], ["status"], ["list"]):
        assert "denied-before" in workspace.ok(*words).out, words
    assert "denied-before" in workspace.run("diff", "--unreviewed").out
    workspace.ok("approve", "t/b", "--with-findings", "--note", "right for this one")
    workspace.ok("check")
    workspace.ok("audit")


def test_what_was_denied_and_comes_under_another_name_everywhere_is_told_everywhere(
    workspace: Workspace,
) -> None:
    beside(workspace)
    workspace.ok("install", "--yes")
    workspace.ok("approve", "t/a")
    workspace.serve("s", tools=[tool("a"), tool("b2", "Deletes it.")])
    changes = workspace.run("check", "--format", "json").document()["changes"]
    came = {
        row["server"]: [finding["rule"] for finding in row["findings"]]
        for row in changes
        if row["name"] == "b2"
    }
    assert came == {"s": ["denied-before"], "t": ["denied-before"]}

    update = workspace.ok("update", "--yes")

    assert update.out.count("denied-before") == 2
    approve = workspace.run("approve", "*/b2", "--yes")
    assert approve.code == 1
    assert "! s/b2: high findings: denied-before" in approve.out
    assert "! t/b2: high findings: denied-before" in approve.out
    assert approved(workspace, "s") == approved(workspace, "t") == ["a"]
