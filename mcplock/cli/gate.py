"""What `status` and `check` do once their command line is read; needs no parser itself."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from mcplock.cli.contacting import finish, leveled, reading_contact
from mcplock.cli.settings import Settings
from mcplock.errors import Exit, UsageError

if TYPE_CHECKING:
    from mcplock.render.outcome import Outcome
    from mcplock.workflow.costs import Costs
    from mcplock.workflow.report import Report
    from mcplock.workflow.status import Standing


def tell_status(
    settings: Settings, *, with_tokens: bool = False, encoding: str = "", as_json: bool = False
) -> int:
    """Print where each server stands; give the exit code, which is 0 whatever is found."""
    console = settings.console
    if as_json:
        from mcplock.cli.ci import telling_errors

        with telling_errors(settings, "status", "json", servers={}):
            found, known = _standing(settings, with_tokens=with_tokens, encoding=encoding)
        from mcplock.render.report_json import lock_document

        status = found.report.servers
        document = lock_document(
            found.lock,
            status=status,
            costs=known,
            suspicions=found.suspicions,
            doubts=found.doubts,
        )
        console.data(document)
        return Exit.OK
    found, known = _standing(settings, with_tokens=with_tokens, encoding=encoding)
    from mcplock.render.status import status_hints, status_lines, status_verdict

    console.detail(status_lines(found, verbose=settings.verbose))
    if known:
        from mcplock.render.costs import cost_verdict, server_cost_lines

        console.show([*server_cost_lines(known), cost_verdict(known)])
    if settings.user_lock:
        from mcplock.render.levels import level_lines

        console.detail(level_lines(settings.seen))
    console.show([status_verdict(found)])
    settings.hint(status_hints(found))
    return Exit.OK


def _standing(
    settings: Settings, *, with_tokens: bool, encoding: str
) -> tuple["Standing", "Costs | None"]:
    from mcplock.workflow.status import standing

    _warn_of_unread(settings)
    found = standing(settings.project)
    issues = leveled(settings, found.report.issues)
    found = found._replace(report=found.report._replace(issues=issues))
    if not with_tokens:
        return found, None
    from mcplock.workflow.costs import costs

    left_out = found.doubts.left_out
    return found, costs(found.lock, encoding=encoding, left_out=left_out)


def _warn_of_unread(settings: Settings) -> None:
    """Say which clients' files of the project name servers that its manifest does not have."""
    if settings.user:
        return
    from mcplock.manifest.unread import unread

    if found := unread(settings.project.manifest):
        from mcplock.render.unread import unread_warnings

        settings.console.warn(unread_warnings(found))


def judge(
    settings: Settings,
    *,
    offline: bool = False,
    allow_unreviewed: bool = False,
    allow_unreachable: Collection[str] = (),
    base: str | None = None,
    no_new_decisions: bool = False,
    trust_sources: bool = False,
    output: str = "text",
    servers: Sequence[str] = (),
) -> int:
    """Print the gate's report; give its exit code."""
    from mcplock.workflow.check import Base, check
    from mcplock.workflow.local import Leniency

    if no_new_decisions and base is None:
        raise UsageError("`--no-new-decisions` needs `--base REV`: new since when?")
    since = None if base is None else Base(base, frozen=no_new_decisions)
    how = None if offline else reading_contact(settings, trust_sources=trust_sources)
    leniency = Leniency(unreviewed=allow_unreviewed, unreachable=allow_unreachable)

    def judged() -> "Report":
        _warn_of_unread(settings)
        return check(settings.project, how, leniency, since, servers)

    if output == "text":
        return finish(settings, judged(), output)
    from mcplock.cli.ci import finish_for_ci, telling_errors

    if output == "json":
        with telling_errors(settings, "check", output):
            report = judged()
        return finish(settings, report, output)

    return finish_for_ci(settings, "check", output, lambda: _outcome(settings, judged()))


def _outcome(settings: Settings, report: "Report") -> tuple["Outcome", int]:
    from mcplock.render.report_outcome import report_outcome
    from mcplock.workflow.places import Places

    places = Places(settings.lock_path, settings.project.manifest.servers)
    report = report._replace(issues=leveled(settings, report.issues))
    return report_outcome(report, places), report.exit_code
