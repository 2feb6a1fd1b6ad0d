"""Options that several commands take, and how they talk about consent."""

from collections.abc import Sequence

import click

from mcplock.cli.settings import Settings
from mcplock.render.consent import consent_lines
from mcplock.render.report import report_hints, report_lines, written_hints, written_lines
from mcplock.render.report_json import report_document, written_document
from mcplock.workflow.commit import Written
from mcplock.workflow.contact import Contact
from mcplock.workflow.project import Consent, Declined, Start, given, nobody
from mcplock.workflow.report import Report

yes_option = click.option("--yes", "-y", is_flag=True, help="Answer the question with yes.")
trust_option = click.option(
    "--trust-sources", is_flag=True, help="Start the servers of this lock, this time, unasked."
)
format_option = click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What stdout gets.",
)


def asking(settings: Settings) -> Consent:
    """Ask on a terminal, once; elsewhere nobody is there to be asked."""
    if not settings.console.interactive:
        return nobody

    def consent(starts: Sequence[Start]) -> bool:
        settings.console.talk(consent_lines(starts))
        if not settings.console.ask("Start them?"):
            raise Declined("not started; nothing was written")
        return True

    return consent


def contact(settings: Settings, *, yes: bool = False, accept_empty: bool = False) -> Contact:
    """How `install` and `update` reach servers: a yes is remembered."""
    return Contact(
        consent=given if yes else asking(settings),
        progress=settings.console.progress,
        remember=True,
        accept_empty=accept_empty,
    )


def reading_contact(settings: Settings, *, trust_sources: bool) -> Contact:
    """How every other command reaches servers; only a yes on a terminal is remembered."""
    return Contact(
        consent=given if trust_sources else asking(settings),
        progress=settings.console.progress,
        remember=not trust_sources,
    )


def finish(settings: Settings, report: Report, output: str) -> int:
    """Print a gate's report; give its exit code."""
    if output == "json":
        settings.console.data(report_document(report))
    else:
        settings.console.show(report_lines(report, settings.console.width()))
        settings.console.hint(report_hints(report))
    return report.exit_code


def finish_written(
    settings: Settings, written: Written, output: str, *, dry_run: bool = False
) -> int:
    """Print what was written to the lock; give the exit code."""
    if output == "json":
        settings.console.data(written_document(written))
    else:
        width = settings.console.width()
        settings.console.show(written_lines(written, width, dry_run=dry_run))
        settings.console.hint(written_hints(written, dry_run=dry_run))
    return written.exit_code
