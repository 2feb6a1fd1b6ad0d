"""The lines of a report: what is counted of each server."""

from mcplock.changes import compare_server
from mcplock.model import Kind, State, Status
from mcplock.render.report import report_hints, server_rows
from mcplock.workflow.report import Report, ServerReport
from tests import locks


def told(old, new, denied: int = 0) -> str:
    server = ServerReport((Status.DRIFT,), tools=2, denied=denied)
    (row,) = server_rows(Report({"docs": server}, compare_server("docs", old, new)))
    return row.tools


def test_what_is_no_tool_is_counted_too() -> None:
    tools = [locks.tool("a"), locks.tool("b")]
    prompts = {Kind.PROMPT: {name: locks.entry({"name": name}) for name in "xy"}}
    old = locks.server(*tools, instructions=locks.entry("Use a."))
    source = locks.entry({**locks.SOURCE, "command": "other"})
    new = locks.server(
        *tools, instructions=locks.entry("Use b."), source=source, definitions=prompts
    )

    assert told(old, new) == "2 tools, source changed, instructions changed, 2 prompts added"


def test_a_denied_tool_that_changed_is_told_apart() -> None:
    denied = locks.tool("a", denied="no")
    assert denied.state is State.DENIED
    old = locks.server(denied, locks.tool("b"))
    new = locks.server(locks.tool("a", "Other.", denied="no"), locks.tool("b"))

    assert told(old, new, denied=1) == "1 of 2 tools changed, 1 of them denied"


def test_drift_leads_to_the_servers_that_drifted_and_to_their_review() -> None:
    changes = compare_server("docs", locks.server(locks.tool("a")), locks.server(locks.tool("b")))
    servers = {"docs": ServerReport((Status.DRIFT,)), "mail": ServerReport()}

    (hint,) = report_hints(Report(servers, changes))

    assert "`mcplock update docs`" in hint
    assert "`mcplock review`" in hint
