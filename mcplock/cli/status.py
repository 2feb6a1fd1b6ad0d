"""`mcplock status`, also bare `mcplock`."""

import click

from mcplock.cli.options import json_option, tokens_option
from mcplock.cli.settings import Command, Settings, pass_settings
from mcplock.errors import Exit
from mcplock.render.status import status_hints, status_lines, status_verdict
from mcplock.workflow.status import standing


@click.command(
    "status",
    cls=Command,
    examples={
        "mcplock": "the same",
        "mcplock status -v": "all that waits for review, with every finding",
        "mcplock status --tokens": "what each server costs in every request, estimated",
        "mcplock status --json": "for a program",
    },
)
@tokens_option
@json_option
@pass_settings
def command(settings: Settings, with_tokens: bool, as_json: bool) -> int:
    """Say where each server stands and what to do next.

    Reads manifest and lock and asks no server. Exit code 0 whatever it finds: the gate is
    `mcplock check`.
    """
    console = settings.console
    found = standing(settings.project)
    known = None
    if with_tokens:
        from mcplock.workflow.costs import costs

        known = costs(found.lock)
    if as_json:
        from mcplock.render.report_json import lock_document

        console.data(lock_document(found.lock, status=found.report.servers, costs=known))
        return Exit.OK
    console.detail(status_lines(found, verbose=settings.verbose))
    if known:
        from mcplock.render.costs import cost_verdict, server_cost_lines

        console.show([*server_cost_lines(known), cost_verdict(known)])
    console.show([status_verdict(found)])
    console.hint(status_hints(found))
    return Exit.OK
