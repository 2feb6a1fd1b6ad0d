"""`mcplock status`, also bare `mcplock`."""

import click

from mcplock.cli.settings import Command, Settings, pass_settings
from mcplock.errors import Exit
from mcplock.render.status import status_hints, status_lines
from mcplock.workflow.status import standing


@click.command("status", cls=Command)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
@pass_settings
def command(settings: Settings, as_json: bool) -> int:
    """Say where each server stands and what to do next.

    Reads manifest and lock and asks no server. Exit code 0 whatever it finds: the gate is
    `mcplock check`.
    """
    if as_json:
        from mcplock.render.report_json import lock_document

        settings.console.data(lock_document(settings.project.lock().lock))
        return Exit.OK
    found = standing(settings.project)
    settings.console.show(status_lines(found))
    settings.console.hint(status_hints(found))
    return Exit.OK
