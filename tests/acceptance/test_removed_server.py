"""A server that the manifest has no more and the lock still has."""

from .conftest import Workspace, tool


def test_after_remove_all_hints_lead_to_install(workspace: Workspace) -> None:
    workspace.serve("docs", tools=[tool("search")])
    workspace.ok("install", "--yes")
    workspace.ok("approve", "*", "--yes")
    workspace.serve("pr", tools=[tool("open")])
    workspace.ok("install", "--yes")
    workspace.ok("remove", "pr")

    updated = workspace.ok("update")

    assert updated.err.count("hint: ") == 1
    assert "`mcplock install` drops from the lock what the manifest has no more: pr" in updated.err
    assert "to review" not in updated.out
    for command in (["status"], ["check", "--offline"]):
        hints = workspace.run(*command).err
        assert "`mcplock install`" in hints
        assert "review" not in hints
    workspace.ok("install", "--yes")
    assert "hint: " not in workspace.ok("update").err
    assert list(workspace.lock["servers"]) == ["docs"]
