"""How commands ask for consent, and print what they found."""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from mcplock.cli.settings import Settings
from mcplock.workflow.project import Consent, Declined, Start, given, nobody

if TYPE_CHECKING:  # each of these is loaded where something is to be asked or printed
    from mcplock.model import Issue
    from mcplock.render.spans import Line
    from mcplock.workflow.commit import Written
    from mcplock.workflow.contact import Contact
    from mcplock.workflow.report import Report


def asking(settings: Settings) -> Consent:
    """Ask on a terminal, once; elsewhere nobody is there to be asked."""
    if not settings.console.interactive:
        return nobody

    def consent(starts: Sequence[Start]) -> bool:
        if not settings.console.ask(_matter(starts), "Start or contact them?"):
            raise Declined("declined: nothing was started, nothing written")
        return True

    return consent


def telling(settings: Settings) -> Consent:
    """The yes was given beforehand: show what it is for."""

    def consent(starts: Sequence[Start]) -> bool:
        settings.console.talk(_matter(starts))
        return True

    return consent


def _matter(starts: Sequence[Start]) -> "list[Line]":
    from mcplock.render.consent import consent_lines

    return consent_lines(starts)


def contact(
    settings: Settings, *, hint: str, yes: bool = False, accept_empty: bool = False
) -> "Contact":
    """How `install` and `update` reach servers: a yes is remembered."""
    from mcplock.workflow.contact import Contact

    return Contact(
        consent=telling(settings) if yes else asking(settings),
        progress=settings.console.progress,
        remember=True,
        accept_empty=accept_empty,
        hint=hint,
        report=_reporting(settings),
    )


def reading_contact(settings: Settings, *, trust_sources: bool) -> "Contact":
    """How every other command reaches servers; only a yes on a terminal is remembered."""
    from mcplock.workflow.contact import Contact

    return Contact(
        consent=given if trust_sources else asking(settings),
        progress=settings.console.progress,
        remember=not trust_sources,
        hint="",  # the report has one for all servers
        report=_reporting(settings),
    )


def _reporting(settings: Settings) -> "Callable[[Exception], str]":
    from mcplock.cli.guard import reported

    return lambda error: reported(error, sys.argv[1:], settings.environ)


def leveled(settings: Settings, issues: "Sequence[Issue]") -> "Sequence[Issue]":
    """`issues` with hints on the level of this run."""
    if not settings.level:
        return issues
    from mcplock.cli.level import addressed

    return [issue._replace(hint=addressed(issue.hint, settings.level)) for issue in issues]


def finish(
    settings: Settings, report: "Report", output: str, hints: Sequence[str] | None = None
) -> int:
    """Print a gate's report; give its exit code. hints: in place of the report's."""
    console = settings.console
    report = report._replace(issues=leveled(settings, report.issues))
    if output == "json":
        from mcplock.render.report_json import report_document

        console.data(report_document(report))
    else:
        from mcplock.render.report import report_hints, report_lines, verdict

        console.detail(report_lines(report, console.width(), verbose=settings.verbose))
        console.show([verdict(report)])
        settings.hint(report_hints(report) if hints is None else hints)
    return report.exit_code


def finish_written(
    settings: Settings, written: "Written", output: str, *, dry_run: bool = False
) -> int:
    """Print what was written to the lock; give the exit code."""
    console = settings.console
    from dataclasses import replace

    written = replace(written, issues=leveled(settings, written.issues))
    if output == "json":
        from mcplock.render.report_json import written_document

        console.data(written_document(written))
    else:
        from mcplock.render.written import written_hints, written_lines, written_verdict

        console.detail(written_lines(written, console.width(), verbose=settings.verbose))
        console.show([written_verdict(written, dry_run=dry_run)])
        settings.hint(written_hints(written, dry_run=dry_run))
    return written.exit_code
