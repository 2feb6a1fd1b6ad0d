"""`mcplock check`."""

from typing import Any

import click

from mcplock.cli.command import Command, pass_settings
from mcplock.cli.gate import judge
from mcplock.cli.options import gate_format_option, trust_option
from mcplock.cli.settings import Settings


@click.command(
    "check",
    cls=Command,
    examples={
        "mcplock check": "ask every server whether it still says the same",
        "mcplock check --offline": "manifest and lock alone; nothing is started",
        "mcplock check docs": "one server; the others may be as they are",
        "mcplock check --trust-sources": "in CI, on a branch that was reviewed",
        "mcplock check --allow-unreachable 'gitlab*'": "let pass what has no credentials here",
        "mcplock check --offline --base main": "what this branch decided",
        "mcplock check --format json": "for a program",
        "mcplock check --format github": "in GitHub's CI: annotations and a summary",
    },
)
@click.argument("servers", nargs=-1, metavar="[SERVER]...")
@click.option("--offline", is_flag=True, help="Judge manifest and lock only; start nothing.")
@click.option("--allow-unreviewed", is_flag=True, help="Let pass what nobody approved yet.")
@click.option(
    "--allow-unreachable",
    multiple=True,
    metavar="GLOB",
    help="Servers that need not answer, be resolved or authorised; may be given again.",
)
@click.option(
    "--base",
    metavar="REV",
    help="Also list what was decided since this git revision: approvals, lifted denials, "
    "sources, policy.",
)
@click.option("--no-new-decisions", is_flag=True, help="With --base: fail if anything was.")
@trust_option
@gate_format_option
@pass_settings
def command(settings: Settings, /, **given: Any) -> int:
    """Fail unless manifest, lock and servers agree and all is reviewed.

    Never writes the lock. With a SERVER only that one is judged, and decisions of `--base` that
    are of others are left out. Exit code 1: something changed or waits for review. 2: something
    could not be judged, such as a server that does not answer or may not be started here.
    """
    return judge(settings, **given)
