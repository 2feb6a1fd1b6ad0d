"""The line of .gitattributes: put in, put in again, taken out."""

import pytest

from mcplock.workflow.git_setup import with_attributes, without_attributes

OURS = "mcp.lock text eol=lf linguist-generated=false linguist-language=JSON"
BOTH = "merge=mcplock diff=mcplock"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", f"{OURS} {BOTH}\n"),
        ("*.png binary", f"*.png binary\n{OURS} {BOTH}\n"),
        (f"{OURS}\n", f"{OURS} {BOTH}\n"),
        ("mcp.lock\n", f"mcp.lock {BOTH}\n"),
        ("mcp.lock -diff merge=ours text\n*.x y\n", f"mcp.lock text {BOTH}\n*.x y\n"),
        ("mcp.lock a\nmcp.lock b\n", f"mcp.lock a\nmcp.lock b {BOTH}\n"),
        ("a/mcp.lock text\n", f"a/mcp.lock text\n{OURS} {BOTH}\n"),
        ("# mcp.lock\n", f"# mcp.lock\n{OURS} {BOTH}\n"),
        ("x\r\nmcp.lock", f"x\r\nmcp.lock {BOTH}\r\n"),
    ],
)
def test_the_line_has_our_attributes_and_others_stay(before: str, after: str) -> None:
    assert with_attributes(before) == after
    assert with_attributes(after) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"*.png binary\n{OURS} {BOTH}\n", f"*.png binary\n{OURS}\n"),
        (f"mcp.lock {BOTH}\n", ""),
        (f"{OURS} {BOTH}\n", ""),
        (f"mcp.lock {BOTH}\r\nx\r\n", "x\r\n"),
        ("mcp.lock merge=union\n", "mcp.lock merge=union\n"),
        (f"other {BOTH}\n", f"other {BOTH}\n"),
    ],
)
def test_only_ours_are_taken_out(before: str, after: str) -> None:
    assert without_attributes(before) == after
