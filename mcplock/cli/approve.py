"""`mcplock approve`."""

import click

from mcplock.cli.deciding import decide_and_tell
from mcplock.cli.options import yes_option
from mcplock.cli.settings import Command, Settings, pass_settings
from mcplock.errors import UsageError
from mcplock.workflow.decide import approval


@click.command("approve", cls=Command)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--note", metavar="TEXT", help="Why; kept in the lock.")
@click.option(
    "--with-findings", is_flag=True, help="Also what has a high finding; say why in --note."
)
@yes_option
@pass_settings
def command(
    settings: Settings, names: tuple[str, ...], note: str | None, with_findings: bool, yes: bool
) -> int:
    """Approve entries as they are locked now.

    NAME is `server/tool`, `@server` for how a server is reached and what it says of itself,
    `server` for all of it, or a pattern (`'*'` is everything). NAME@sha256:PREFIX approves
    only if the hash still begins like that.
    """
    if with_findings and not note:
        raise UsageError("--with-findings needs a --note that says why")
    lock = settings.project.lock().lock
    judge = approval(lock, with_findings=with_findings, note=note)
    return decide_and_tell(settings, names, judge, "approve", yes=yes)
