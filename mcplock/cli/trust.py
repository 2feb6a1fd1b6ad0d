"""`mcplock trust`."""

import click

from mcplock.cli.options import yes_option
from mcplock.cli.settings import Command, Settings, pass_settings
from mcplock.errors import UsageError
from mcplock.render.consent import consent_lines
from mcplock.render.report import count
from mcplock.render.spans import line
from mcplock.workflow.project import Declined
from mcplock.workflow.trust import to_trust


@click.command("trust", cls=Command)
@click.argument("servers", nargs=-1, metavar="[SERVER]...")
@yes_option
@pass_settings
def command(settings: Settings, servers: tuple[str, ...], yes: bool) -> int:
    """Let this machine start the servers of this lock.

    Starting a server runs somebody's code, so each machine is asked once for each command
    line. The answer is kept on this machine, not in the repository.
    """
    console = settings.console
    starts = to_trust(settings.project, servers)
    if not starts:
        console.show([line("all of them are trusted on this machine")])
        return 0
    console.talk(consent_lines(starts))
    if not yes:
        if not console.interactive:
            raise UsageError("nobody is there to ask", hint="give --yes")
        if not console.ask("Trust them?"):
            raise Declined("nothing was trusted")
    settings.project.trust.remember([start.hash for start in starts])
    console.show([line(f"trusted {count(len(starts), 'source')} on this machine")])
    return 0
