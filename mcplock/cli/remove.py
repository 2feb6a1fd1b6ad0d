"""`mcplock remove`."""

import click

from mcplock.cli.command import Command, pass_settings
from mcplock.cli.settings import Settings
from mcplock.levels import LOCK_NAME
from mcplock.manifest.edit import remove_server
from mcplock.render.spans import Span, Style, line
from mcplock.text import visible
from mcplock.workflow.project import is_locked


@click.command(
    "remove",
    cls=Command,
    examples={"mcplock remove docs": "from the manifest; `mcplock install` drops it from the lock"},
)
@click.argument("name", metavar="NAME")
@pass_settings
def command(settings: Settings, name: str) -> int:
    """Remove a server from the manifest.

    Comments, order and all other text of the file stay as they are; a comment right above
    the server's table goes with it. The lock has the server until `mcplock install`.
    """
    path = settings.where.manifest()
    removed = remove_server(path, name)
    console = settings.console
    console.show([line(Span(Style.REMOVED, f"- {visible(name)}"), f"  {removed.place}")])
    if is_locked(path.with_name(LOCK_NAME), name):
        settings.hint(["`mcplock install` drops it from the lock"])
    return 0
