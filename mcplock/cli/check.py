"""`mcplock check`."""

import click

from mcplock.cli.options import finish, format_option, reading_contact, trust_option
from mcplock.cli.settings import Command, Settings, pass_settings
from mcplock.workflow.check import Leniency, check


@click.command("check", cls=Command)
@click.option("--offline", is_flag=True, help="Judge manifest and lock only; start nothing.")
@click.option("--allow-unreviewed", is_flag=True, help="Let pass what nobody approved yet.")
@click.option(
    "--allow-unreachable",
    multiple=True,
    metavar="GLOB",
    help="Servers that need not answer, be resolved or authorised.",
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

    Never writes. Exit code 1: something changed or waits for review; 2: something could not
    be judged, such as a server that does not answer.
    """
    how = None if offline else reading_contact(settings, trust_sources=trust_sources)
    leniency = Leniency(unreviewed=allow_unreviewed, unreachable=allow_unreachable)
    return finish(settings, check(settings.project, how, leniency), output)
