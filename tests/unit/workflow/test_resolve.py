"""What conflict markers alone tell of two sides of a lock."""

from pathlib import Path

from mcplock.lockfile import format_lock, load
from mcplock.model import Kind
from mcplock.workflow.resolve import resolve
from tests.locks import lock, server, tool


def test_lines_outside_of_the_markers_are_no_base(tmp_path: Path) -> None:
    """Both sides approved, and git's style `zdiff3` shows that as if it had been so before."""
    held = tool("search", approve=True)
    unasked = held._replace(confirm="never")
    ours, theirs = (format_lock(lock(docs=server(one))).splitlines(True) for one in (held, unasked))
    (at,) = [at for at, line in enumerate(theirs) if "confirm" in line]
    assert ours == theirs[:at] + theirs[at + 1 :]
    marked = ["<<<<<<< ours\n", "||||||| base\n", "=======\n", theirs[at], ">>>>>>> theirs\n"]
    path = tmp_path / "mcp.lock"
    path.write_text("".join([*theirs[:at], *marked, *theirs[at + 1 :]]), encoding="utf-8")

    resolved = resolve(path, {})

    merged = load(path).lock.servers["docs"].of(Kind.TOOL)["search"]
    assert merged == held
    assert [remark.what for remark in resolved.lost] == [
        "theirs let agents call it unasked, which is undone: a person is asked again"
    ]
