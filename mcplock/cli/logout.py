"""`mcplock logout`."""

import click

from mcplock.cli.command import Command, pass_settings
from mcplock.cli.settings import Settings
from mcplock.errors import MissingFile, UsageError
from mcplock.render.login import logged_out_lines, not_revoked_warnings
from mcplock.workflow.logout import LoggedOut, log_out, log_out_at, log_out_everywhere


@click.command(
    "logout",
    cls=Command,
    examples={
        "mcplock logout docs": "forget the login to this server",
        "mcplock logout https://docs.example.com/mcp": "to this address, whatever names it",
        "mcplock logout --all": "every login of this machine",
    },
)
@click.argument("server", required=False, metavar="[SERVER|URL]")
@click.option("--all", "everywhere", is_flag=True, help="Forget every login.")
@pass_settings
def command(settings: Settings, server: str | None, everywhere: bool) -> int:
    """Forget the login to a hosted server.

    The token and what renews it are removed from this machine, for all projects that name
    this URL, and taken back at the authorization server, if it says where. An address needs
    no manifest: `mcplock login --list` names them.
    """
    if everywhere == (server is not None):
        problem = "`--all` and a server exclude each other" if everywhere else "which server?"
        raise UsageError(problem, hint="`mcplock login --list` names them")
    found = _forgotten(settings, server)
    console = settings.console
    console.show(logged_out_lines(found, server or ""))
    console.warn(not_revoked_warnings(found))
    if any(one.not_revoked and not one.kept.problem for one in found):
        console.hint(["where that matters, end the session in the settings of your account"])
    return 0


def _forgotten(settings: Settings, server: str | None) -> list[LoggedOut]:
    if server is None:
        return list(log_out_everywhere(settings.machine))
    if "://" in server:
        return list(log_out_at(settings.machine, server))
    if damaged := list(log_out_at(settings.machine, server)):
        return damaged
    try:
        project = settings.project
    except MissingFile as error:
        hint = f"an address needs no manifest: `mcplock login --list` names them; {error.hint}"
        raise MissingFile(error.message, hint=hint) from None
    return list(log_out(project, server))
