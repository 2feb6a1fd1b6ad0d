"""`mcplock deny`."""

import click

from mcplock.cli.command import Command, pass_settings
from mcplock.cli.deciding import decide_and_tell, written_why
from mcplock.cli.options import yes_option
from mcplock.cli.settings import Settings
from mcplock.workflow.decide import deny


@click.command(
    "deny",
    cls=Command,
    examples={
        "mcplock deny docs/delete --reason 'we only read'": "one tool",
        "mcplock deny '*/delete_*' --reason 'we only read'": "a pattern, after a question",
    },
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--reason", required=True, metavar="TEXT", help="Why; kept in the lock.")
@yes_option
@pass_settings
def command(settings: Settings, names: tuple[str, ...], reason: str, yes: bool) -> int:
    """Deny entries, by name, whatever they become.

    A denial holds until `mcplock reset`, also where the entry vanishes and comes back.
    NAME is as for `mcplock approve`.
    """
    judge = deny(written_why("--reason", reason))
    return decide_and_tell(settings, names, judge, "deny", yes=yes)
