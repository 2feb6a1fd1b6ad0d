"""`mcplock resolve`."""

import click

from mcplock.cli.settings import Command, Settings, pass_settings
from mcplock.render.resolve import resolved_hints, resolved_lines
from mcplock.workflow.resolve import resolve


@click.command(
    "resolve",
    cls=Command,
    examples={"mcplock resolve": "after a merge or a rebase stopped at mcp.lock"},
)
@pass_settings
def command(settings: Settings) -> int:
    """Merge the two sides of a conflicted mcp.lock, entry by entry.

    Takes the sides from git's index, or from the conflict markers alone. Every entry of both
    sides stays; where both changed one, the less trusting state holds. Exit code 1: a
    decision of one side was lost and is to be taken again.
    """
    resolved = resolve(settings.project)
    settings.console.show(resolved_lines(resolved))
    settings.console.hint(resolved_hints(resolved))
    return resolved.exit_code
