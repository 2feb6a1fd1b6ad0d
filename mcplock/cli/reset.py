"""`mcplock reset`."""

import click

from mcplock.cli.deciding import decide_and_tell
from mcplock.cli.options import yes_option
from mcplock.cli.settings import Command, Settings, pass_settings
from mcplock.workflow.decide import reset


@click.command("reset", cls=Command)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@yes_option
@pass_settings
def command(settings: Settings, names: tuple[str, ...], yes: bool) -> int:
    """Take back decisions: what was approved or denied is to be reviewed again."""
    return decide_and_tell(settings, names, reset, "reset", yes=yes)
