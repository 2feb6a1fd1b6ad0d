"""`mcplock logout`."""

import click

from mcplock.cli.command import Command, pass_settings
from mcplock.cli.settings import Settings
from mcplock.render.spans import line
from mcplock.text import visible
from mcplock.workflow.login import log_out


@click.command(
    "logout", cls=Command, examples={"mcplock logout docs": "forget the token for this server"}
)
@click.argument("server")
@pass_settings
def command(settings: Settings, server: str) -> int:
    """Forget the login to a hosted server.

    The token and what renews it are removed from this machine, for all projects that name
    this URL.
    """
    found = log_out(settings.project, server)
    name = visible(server)
    told = f"logged out of {name}" if found else f"there was no login to {name}"
    settings.console.show([line(told)])
    return 0
