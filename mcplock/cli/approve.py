"""`mcplock approve`."""

import click

from mcplock.cli.command import Command, pass_settings
from mcplock.cli.deciding import decide_and_tell, policy, written_why
from mcplock.cli.options import yes_option
from mcplock.cli.settings import Settings
from mcplock.errors import UsageError
from mcplock.workflow.decide import approval


@click.command(
    "approve",
    cls=Command,
    examples={
        "mcplock approve docs/search": "one tool, as it is locked now",
        "mcplock approve @docs": "how docs is reached, and its instructions",
        "mcplock approve docs": "all of the server docs, after a question",
        "mcplock approve 'docs/read_*' --yes": "a pattern, unasked",
        "mcplock approve docs/search --no-confirm": "and agents call it unasked",
        "mcplock approve docs/search@sha256:0dfb8e7ce8d4": "only if that is still its hash",
    },
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--note", metavar="TEXT", help="Why; kept in the lock.")
@click.option(
    "--with-findings",
    is_flag=True,
    help="Also what has a high finding; say why in --note.",
)
@click.option(
    "--confirm/--no-confirm",
    default=None,
    help="Whether an agent's calls of these tools ask a person. Default: as the policy says.",
)
@yes_option
@pass_settings
def command(
    settings: Settings,
    names: tuple[str, ...],
    note: str | None,
    with_findings: bool,
    confirm: bool | None,
    yes: bool,
) -> int:
    """Approve entries as they are locked now.

    NAME is `server/tool`, `@server` for how a server is reached and what it says of itself,
    `server` for all of it, or a pattern (`'*'` is everything). What exists under that name
    is meant, only then is it a pattern.

    Where NAME names several, what has a high finding is left out, and exit code 1 says so.
    Where it names that entry alone, you are asked, and why it is right all the same; where
    nobody can be asked, it takes `--with-findings` and a `--note`, or `--yes`, and `audit`
    fails until a note says why.
    What is denied stays denied until `mcplock reset`: exit code 1 says so where you name it,
    and a pattern or a server's name leaves it.
    """
    if with_findings and not note:
        raise UsageError("`--with-findings` needs a `--note` that says why")
    if note:
        written_why("--note", note)
    judge = approval(
        with_findings=with_findings, note=note, confirm=confirm, preselect=policy(settings)
    )
    return decide_and_tell(settings, names, judge, "approve", yes=yes, with_findings=with_findings)
