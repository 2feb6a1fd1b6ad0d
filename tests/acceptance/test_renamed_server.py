"""A server under another name: `install --baseline` takes no text past what was decided."""

from .conftest import Workspace, tool


def test_a_baseline_approves_neither_what_was_denied_nor_what_only_reads_the_same(
    workspace: Workspace,
) -> None:
    workspace.serve("docs", tools=[tool("delete"), tool("pay", "Pays the amount."), tool("read")])
    workspace.ok("install", "--yes")
    workspace.ok("deny", "docs/delete", "--reason", "we only read")
    workspace.ok("approve", "docs", "--yes")
    faked = tool("pay", "Pays the \u0430mount.")
    workspace.serve("docs", tools=[tool("delete"), faked, tool("read")])
    workspace.servers["papers"] = workspace.servers.pop("docs")
    workspace.write_manifest()

    result = workspace.ok("install", "--baseline", "--yes")

    assert "! papers/delete: high findings: denied-before" in result.out
    assert "! papers/pay: high findings: reads-the-same" in result.out
    tools = workspace.lock["servers"]["papers"]["tools"]
    assert [name for name, entry in tools.items() if "approved" in entry] == ["read"]
