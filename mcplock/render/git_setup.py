"""What `git-setup` did, as text."""

from mcplock.render.spans import Line, line
from mcplock.text import visible
from mcplock.workflow.git_setup import SetUp


def set_up_lines(done: SetUp, *, everywhere: bool, leave: bool) -> list[Line]:
    """Where it was written, and what git does from now on."""
    config = "the user's configuration of git" if everywhere else "this clone's configuration"
    where = f"{config} and {visible(done.attributes)}"
    if leave:
        said = "git treats mcp.lock as any other file"
        return [line(f"removed from {where}" if done.changed else "nothing was set up"), line(said)]
    if not done.changed:
        return [line(f"set up already, in {where}")]
    said = "git merges mcp.lock entry by entry, and shows it in words"
    return [line(f"written to {where}"), line(said)]


def set_up_hints(done: SetUp, *, everywhere: bool, found: bool) -> list[str]:
    """What is left to do."""
    hints = []
    if done.outweighed:
        hints.append("another line outweighs it: `git check-attr merge diff -- mcp.lock`")
    if not found:
        hints.append("git finds no `mcplock` on the PATH, and goes on as before until it does")
    if done.changed and not everywhere:
        attributes = visible(done.attributes)
        hints.append(
            f"`git add {attributes}` shares that line; each clone runs `mcplock git-setup` once"
        )
    return hints
