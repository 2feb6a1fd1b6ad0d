"""`mcplock audit`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcplock.cli.command import Command, pass_settings
from mcplock.cli.options import gate_format_option
from mcplock.cli.settings import Settings
from mcplock.errors import Exit, UsageError

if TYPE_CHECKING:
    from mcplock.render.outcome import Outcome
    from mcplock.workflow.audit import Audit

_NEVER = "never"


@click.command(
    "audit",
    cls=Command,
    examples={
        "mcplock audit": "all entries of the lock, what is denied left out",
        "mcplock audit --fail-on medium": "stricter",
        "mcplock audit --manifest-only": "how the manifest reaches its servers; needs no lock",
        "mcplock audit tools.json": "what a server once answered to `tools/list`",
        "mcplock audit --format sarif": "for code scanning",
    },
)
@click.argument("file", required=False, metavar="[FILE]", type=click.Path(path_type=Path))
@click.option(
    "--fail-on",
    type=click.Choice(["high", "medium", "low", "info", _NEVER]),
    default="high",
    show_default=True,
    metavar="SEVERITY",
    help="high, medium, low, info or never: what to fail for, or worse.",
)
@click.option("--manifest-only", is_flag=True, help="Look at the manifest, not at the lock.")
@gate_format_option
@pass_settings
def command(
    settings: Settings, file: Path | None, fail_on: str, manifest_only: bool, output: str
) -> int:
    """Look for what a reviewer cannot see, or should not miss.

    Reads the lock, or FILE: a saved answer to `tools/list`, its result, a list of tools, or
    another lock. Starts nothing. Exit code 1: a finding of the severity of `--fail-on` or
    worse. What is denied is left out, and what was approved with a note is told but does not
    fail.
    """
    if file and manifest_only:
        raise UsageError("`--manifest-only` reads the manifest: no FILE")
    from mcplock.cli.ci import finish_for_ci, telling_errors

    if output in ("text", "json"):
        with telling_errors(settings, "audit", output, findings=[]):
            audit = _audited(settings, file, fail_on, manifest_only)
        return _finish(settings, audit, output)

    def judge() -> tuple["Outcome", int]:
        from mcplock.render.audit import audit_outcome

        audit = _audited(settings, file, fail_on, manifest_only)
        return audit_outcome(audit), _code(audit)

    return finish_for_ci(settings, "audit", output, judge)


def _audited(settings: Settings, file: Path | None, fail_on: str, manifest_only: bool) -> "Audit":
    from mcplock.audit import Severity
    from mcplock.workflow.audit import audit_locked, audit_manifest, audit_saved
    from mcplock.workflow.saved import is_lock, read_saved

    least = None if fail_on == _NEVER else Severity(fail_on)
    if manifest_only:
        return audit_manifest(settings.project.manifest, least)
    if file is None:
        return audit_locked(settings.lock_path, least, decidable=True)
    if is_lock(file):
        return audit_locked(file, least)
    return audit_saved(read_saved(file), least)


def _finish(settings: Settings, audit: "Audit", output: str) -> int:
    from mcplock.render.audit import audit_document, audit_hints, audit_lines, audit_verdict

    console = settings.console
    if output == "json":
        console.data(audit_document(audit))
    else:
        console.detail(audit_lines(audit))
        console.show([audit_verdict(audit)])
        settings.hint(audit_hints(audit))
    return _code(audit)


def _code(audit: "Audit") -> int:
    return Exit.NO if audit.failed else Exit.OK
