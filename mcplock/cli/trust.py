"""`mcplock trust`."""

import click

from mcplock.cli.command import Command, pass_settings
from mcplock.cli.options import yes_option
from mcplock.cli.settings import Settings
from mcplock.errors import UsageError
from mcplock.render.consent import consent_lines
from mcplock.render.spans import line
from mcplock.render.terms import count
from mcplock.workflow.project import Declined
from mcplock.workflow.trust import to_trust, trusted_names


@click.command(
    "trust",
    cls=Command,
    examples={
        "mcplock trust": "all servers of this lock, after one question",
        "mcplock trust docs": "one of them",
        "mcplock trust --yes": "a step in CI, on a branch that was reviewed",
    },
)
@click.argument("servers", nargs=-1, metavar="[SERVER]...")
@yes_option
@pass_settings
def command(settings: Settings, servers: tuple[str, ...], yes: bool) -> int:
    """Let this machine start the servers of this lock.

    Starting a server runs somebody's code, so each machine is asked once for each command
    line and URL. The answer is kept on this machine, for this project, not in the
    repository. A source that changes is asked for again.
    """
    console = settings.console
    starts = to_trust(settings.project, servers)
    if settings.verbose:
        known = trusted_names(settings.project)
        console.detail(line(f"✓ {name}  trusted already") for name in known)
    if not starts:
        console.show([line("nothing to ask for: every source of this lock is trusted here")])
        return 0
    matter = consent_lines(starts)
    if yes:
        console.talk(matter)
    elif not console.interactive:
        console.talk(matter)
        raise UsageError("nobody is there to ask", hint="`mcplock trust --yes`")
    elif not console.ask(matter, "Trust them?"):
        raise Declined("declined: nothing was trusted")
    settings.project.trust.remember([start.hash for start in starts])
    console.show([line(f"trusted {count(len(starts), 'source')} on this machine")])
    return 0
