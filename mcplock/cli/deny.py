"""`mcplock deny`."""

import click

from mcplock.cli.deciding import decide_and_tell
from mcplock.cli.options import yes_option
from mcplock.cli.settings import Command, Settings, pass_settings
from mcplock.workflow.decide import deny


@click.command("deny", cls=Command)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--reason", required=True, metavar="TEXT", help="Why; kept in the lock.")
@yes_option
@pass_settings
def command(settings: Settings, names: tuple[str, ...], reason: str, yes: bool) -> int:
    """Deny entries, by name, whatever they become.

    A denial holds until `mcplock reset`, also where the entry vanishes and comes back.
    """
    return decide_and_tell(settings, names, deny(reason), "deny", yes=yes)
