"""`mcplock diff`."""

import click

from mcplock.cli.ci import print_markdown, telling_errors
from mcplock.cli.command import Command, pass_settings
from mcplock.cli.contacting import reading_contact
from mcplock.cli.options import markdown_option, trust_option
from mcplock.cli.settings import Settings
from mcplock.errors import UsageError
from mcplock.lockfile import load
from mcplock.render.diff_report import diff_hints, diff_lines, diff_verdict, unreviewed_hints
from mcplock.render.report_json import report_document
from mcplock.workflow.diff import diff_locks, diff_unreviewed, diff_upstream, lock_of
from mcplock.workflow.report import Report


@click.command(
    "diff",
    cls=Command,
    examples={
        "mcplock diff": "the lock against what the servers say now",
        "mcplock diff --unreviewed": "what waits, against what was approved",
        "mcplock diff main": "the lock at a git revision against the lock now",
        "mcplock diff v1 v2": "between two revisions",
        "mcplock diff ../other/mcp.lock": "another file against the lock now",
        "mcplock diff main --format markdown": "as a comment on a pull request",
    },
)
@click.argument("sides", nargs=-1, metavar="[A [B]]")
@click.option(
    "--unreviewed", is_flag=True, help="What waits for review, against what was approved."
)
@click.option(
    "--server",
    "servers",
    multiple=True,
    metavar="GLOB",
    help="Only these servers; may be given again.",
)
@trust_option
@markdown_option
@pass_settings
def command(
    settings: Settings,
    sides: tuple[str, ...],
    unreviewed: bool,
    servers: tuple[str, ...],
    trust_sources: bool,
    output: str,
) -> int:
    """Show what differs, old against new.

    A and B are git revisions or lock files; without B, the lock as it is now is the other
    side. Without A, the lock is compared with what the servers say: they are started, with
    consent, and nothing is written. Exit code 1: there is a difference, or a server is not locked.
    """
    if len(sides) > 2:
        raise UsageError("two sides at most can be compared")
    if unreviewed and sides:
        raise UsageError("`--unreviewed` compares the lock with what was approved: no A, no B")
    with telling_errors(settings, "diff", output):
        report = _compared(settings, sides, servers, unreviewed, trust_sources)
    hints = unreviewed_hints(report) if unreviewed else diff_hints(report, settled=bool(sides))
    console = settings.console
    match output:
        case "json":
            console.data(report_document(report))
        case "markdown":
            from mcplock.render.report_outcome import diff_outcome

            print_markdown(settings, lambda file: diff_outcome(report, file, hints))
        case _:
            console.detail(diff_lines(report, console.width(), verbose=settings.verbose))
            console.show([diff_verdict(report)])
            settings.hint(hints)
    return report.exit_code


def _compared(
    settings: Settings,
    sides: tuple[str, ...],
    servers: tuple[str, ...],
    unreviewed: bool,
    trust_sources: bool,
) -> Report:
    if unreviewed:
        return diff_unreviewed(settings.lock_path, settings.machine, servers)
    if not sides:
        how = reading_contact(settings, trust_sources=trust_sources)
        return diff_upstream(settings.project, how, servers)
    path, machine = settings.lock_path, settings.machine
    old = lock_of(sides[0], path, machine)
    new = lock_of(sides[1], path, machine) if len(sides) == 2 else load(path).lock
    return diff_locks(old, new, servers)
