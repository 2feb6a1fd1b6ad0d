"""`mcplock update`."""

import click

from mcplock.cli.command import Command, pass_settings
from mcplock.cli.contacting import contact, finish_written
from mcplock.cli.options import markdown_option, yes_option
from mcplock.cli.settings import Settings
from mcplock.workflow.update import update


@click.command(
    "update",
    cls=Command,
    examples={
        "mcplock update": "ask all servers, show and lock what they say now",
        "mcplock update docs": "one server",
        "mcplock update --dry-run": "show only",
        "mcplock update --format markdown": "as the body of a pull request",
    },
)
@click.argument("servers", nargs=-1, metavar="[SERVER]...")
@click.option("--dry-run", is_flag=True, help="Show what changed, write nothing.")
@click.option("--accept-empty", is_flag=True, help="Take a server's word that it has no tools now.")
@yes_option
@markdown_option
@pass_settings
def command(
    settings: Settings,
    servers: tuple[str, ...],
    dry_run: bool,
    accept_empty: bool,
    yes: bool,
    output: str,
) -> int:
    """Ask servers again and show what changed, old against new.

    What changed is written to mcp.lock and is unapproved until a person reviewed it.
    Without a SERVER all of them are asked. A server that does not answer is kept as it was
    locked, and exit code 2 says so. Exit code 0: all answered, whatever changed.
    """
    from mcplock.cli.ci import print_markdown, telling_errors

    hint = "`mcplock update --yes` starts them, if you know them"
    how = contact(settings, hint=hint, yes=yes, accept_empty=accept_empty)
    with telling_errors(settings, "update", output):
        written = update(settings.project, servers, how, dry_run=dry_run)
    if output != "markdown":
        return finish_written(settings, written, output, dry_run=dry_run)
    from mcplock.render.report_outcome import written_outcome

    print_markdown(settings, lambda file: written_outcome(written, file, dry_run=dry_run))
    return written.exit_code
