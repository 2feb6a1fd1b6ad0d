"""`mcplock check`."""

import click

from mcplock.cli.contacting import finish, reading_contact
from mcplock.cli.options import format_option, trust_option
from mcplock.cli.settings import Command, Settings, pass_settings
from mcplock.workflow.check import Leniency, check


@click.command(
    "check",
    cls=Command,
    examples={
        "mcplock check": "ask every server whether it still says the same",
        "mcplock check --offline": "manifest and lock alone; nothing is started",
        "mcplock check --trust-sources": "in CI, on a branch that was reviewed",
        "mcplock check --allow-unreachable 'gitlab*'": "let pass what has no credentials here",
        "mcplock check --format json": "for a program",
    },
)
@click.option("--offline", is_flag=True, help="Judge manifest and lock only; start nothing.")
@click.option("--allow-unreviewed", is_flag=True, help="Let pass what nobody approved yet.")
@click.option(
    "--allow-unreachable",
    multiple=True,
    metavar="GLOB",
    help="Servers that need not answer, be resolved or authorised; may be given again.",
)
@trust_option
@format_option
@pass_settings
def command(
    settings: Settings,
    offline: bool,
    allow_unreviewed: bool,
    allow_unreachable: tuple[str, ...],
    trust_sources: bool,
    output: str,
) -> int:
    """Fail unless manifest, lock and servers agree and all is reviewed.

    Never writes the lock. Exit code 1: something changed or waits for review. 2: something
    could not be judged, such as a server that does not answer or may not be started here.
    """
    how = None if offline else reading_contact(settings, trust_sources=trust_sources)
    leniency = Leniency(unreviewed=allow_unreviewed, unreachable=allow_unreachable)
    return finish(settings, check(settings.project, how, leniency), output)
