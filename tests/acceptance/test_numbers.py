"""Numbers that few readers of JSON take as they are, from the wire to the screen."""

from .conftest import Workspace

LESS = {"PYTHONINTMAXSTRDIGITS": "640"}


def serve(workspace: Workspace, number: str) -> None:
    schema = f'{{"type": "object", "properties": {{"n": {{"maximum": {number}}}}}}}'
    text = f'[{{"name": "count", "description": "Counts.", "inputSchema": {schema}}}]'
    workspace.serve("numbers", tools_text=text)


def test_a_bound_of_four_thousand_digits_is_locked_to_the_last(workspace: Workspace) -> None:
    serve(workspace, "9" * 4_000)
    assert workspace.run("install", "--yes", env=LESS).code == 0
    assert workspace.run("approve", "*", "--yes", env=LESS).code == 0
    assert workspace.run("check", env=LESS).code == 0
    assert workspace.run("show", "numbers/count", env=LESS).code == 0

    serve(workspace, "9" * 3_999 + "8")
    drift = workspace.run("check", env=LESS)
    assert drift.code == 1
    assert "numbers/count" in drift.out
    assert workspace.run("update", "--yes", env=LESS).code == 0
    assert workspace.run("check", "--offline", "--format", "json", env=LESS).code == 1

    serve(workspace, "9" * 4_001)
    assert workspace.run("update", "--yes", env=LESS).code == 0
    assert workspace.lock["servers"]["numbers"]["tools"]["count"]["invalid"] == "number"


def test_a_bound_beyond_two_to_the_53_is_seen_to_move(workspace: Workspace) -> None:
    serve(workspace, "9007199254740992.0")
    workspace.ok("install", "--yes")
    workspace.ok("approve", "*", "--yes")
    before = workspace.lock_path.read_bytes()
    for spelling in ("9007199254740992", "9.007199254740992e15"):
        serve(workspace, spelling)
        workspace.ok("check")
        workspace.ok("update")
        assert workspace.lock_path.read_bytes() == before
    serve(workspace, "9007199254740993")
    assert workspace.run("check").code == 1
