import json

from mcplock.changes import compare_server
from mcplock.model import Entry, Issue, Kind, LockedServer, Snapshot, Stage
from mcplock.render.document import change_rows, document, dump


def test_a_document_has_the_published_shape():
    old = {"name": "get", "a": 1, "b": None}
    new = {"name": "get", "a": True, "c": "\u200b\n⟨"}
    locked = LockedServer(
        Entry("s", {}), definitions={Kind.TOOL: {"get": Entry("1", old, approved="1")}}
    )
    listed = Snapshot("docs", definitions={Kind.TOOL: {"get": Entry("2", new)}})
    changes = compare_server("docs", locked, listed)
    issue = Issue("docs", Stage.TOOL, "odd", name="x", hint="look")
    text = document(
        "fail", [{"server": "docs", "status": "drift", "tools": 1}], change_rows(changes), [issue]
    )
    assert "\u200b" not in text
    assert "\\u200b" in text
    found = json.loads(text)
    assert found["version"] == 1
    (change,) = found["changes"]
    assert list(change) == [
        "server", "what", "name", "kind", "state", "old", "new",
        "impact", "text", "fields", "findings",
    ]  # fmt: skip
    assert change["fields"] == [
        {"pointer": "/a", "old": 1, "new": True},
        {"pointer": "/b", "old": None},
        {"pointer": "/c", "new": "\u200b\n⟨"},
    ]
    assert found["issues"] == [
        {"server": "docs", "name": "x", "stage": "tool", "message": "odd", "hint": "look"}
    ]


def test_no_log_of_a_job_obeys_a_document():
    text = dump({"##[add-mask]a": "see ##vso[task.setvariable]x ##[error]"})
    assert "##[" not in text
    assert "##vso[" not in text
    assert json.loads(text) == {"##[add-mask]a": "see ##vso[task.setvariable]x ##[error]"}
