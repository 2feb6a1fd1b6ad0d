"""`mcplock install`."""

import click

from mcplock.cli.ci import telling_errors
from mcplock.cli.command import Command, pass_settings
from mcplock.cli.contacting import contact, finish, finish_written
from mcplock.cli.options import format_option, yes_option
from mcplock.cli.settings import Settings
from mcplock.errors import MissingFile, UsageError
from mcplock.workflow.install import install, verify_installed


@click.command(
    "install",
    cls=Command,
    examples={
        "mcplock install": "lock what the manifest names, after one question",
        "mcplock install --yes": "the same, unasked",
        "mcplock install --baseline": "and approve it, but for high findings",
        "mcplock install --locked": "fail where it would write; asks no server",
    },
)
@click.option(
    "--locked/--no-locked",
    default=None,
    help="Fail instead of writing; asks no server. Default where CI is set.",
)
@click.option("--baseline", is_flag=True, help="Approve what is added, but for high findings.")
@click.option("--accept-empty", is_flag=True, help="Take a server's word that it has no tools now.")
@yes_option
@format_option
@pass_settings
def command(
    settings: Settings,
    locked: bool | None,
    baseline: bool,
    accept_empty: bool,
    yes: bool,
    output: str,
) -> int:
    """Lock the servers of the manifest that are not locked yet.

    Asks the servers that mcp.lock lacks, or whose command or URL changed, and drops those
    that are gone from the manifest. No other entry is touched. What is added is to be
    reviewed and approved.

    Starting a server runs somebody's code: what would be started is shown, in one list,
    with one question.
    """
    if locked and (baseline or accept_empty):
        raise UsageError("`--locked` writes nothing: it does not go with options that write")
    in_ci = _in_ci(settings.machine.environ.get("CI", ""))
    if in_ci if locked is None else locked:
        return _verify(settings, output, in_ci=in_ci)
    hint = "`mcplock install --yes` starts them, if you know them"
    how = contact(settings, hint=hint, yes=yes, accept_empty=accept_empty)
    with telling_errors(settings, "install", output):
        written = install(settings.project, how, baseline=baseline)
    return finish_written(settings, written, output)


def _verify(settings: Settings, output: str, *, in_ci: bool) -> int:
    """Whether there is nothing to install; in CI `mcplock install` alone would not write."""
    with telling_errors(settings, "install", output):
        project = settings.project
        try:
            report = verify_installed(project)
        except MissingFile as error:
            raise MissingFile(error.message, hint=_OUTSIDE if in_ci else error.hint) from None
    hints = ([_OUTSIDE] if report.exit_code else []) if in_ci else None
    return finish(settings, report, output, hints)


_OUTSIDE = (
    "CI is set, so nothing is written: run `mcplock install` outside CI, "
    "or `mcplock install --no-locked`"
)


def _in_ci(value: str) -> bool:
    return value.lower() not in ("", "0", "false")
