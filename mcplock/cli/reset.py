"""`mcplock reset`."""

import click

from mcplock.cli.command import Command, pass_settings
from mcplock.cli.deciding import decide_and_tell
from mcplock.cli.options import yes_option
from mcplock.cli.settings import Settings
from mcplock.workflow.decide import reset


@click.command(
    "reset",
    cls=Command,
    examples={
        "mcplock reset docs/search": "take back what was decided on one tool",
        "mcplock reset docs --yes": "all of the server docs is to be reviewed again",
    },
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@yes_option
@pass_settings
def command(settings: Settings, names: tuple[str, ...], yes: bool) -> int:
    """Take back decisions: the entries are to be reviewed again.

    A denial that is lifted leaves what was approved before, for the review to compare with;
    resetting what changed since its approval forgets that approval. A denied entry that its
    server no longer lists leaves the lock. NAME is as for `mcplock approve`.
    """
    return decide_and_tell(settings, names, reset, "reset", yes=yes)
