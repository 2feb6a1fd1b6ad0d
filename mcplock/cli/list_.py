"""`mcplock list`."""

import sys

import click

from mcplock.cli.ci import telling_errors
from mcplock.cli.command import Command, pass_settings
from mcplock.cli.options import json_option, tokenizer_option, tokens_option
from mcplock.cli.settings import Settings
from mcplock.errors import Exit, McplockError
from mcplock.render.costs import cost_lines, cost_verdict
from mcplock.render.entry import list_lines
from mcplock.render.report_json import lock_document
from mcplock.workflow.browse import chosen_entries, views
from mcplock.workflow.costs import costs
from mcplock.workflow.doubts import doubts
from mcplock.workflow.levels import Seen


@click.command(
    "list",
    cls=Command,
    examples={
        "mcplock list": "everything that is locked, a line each",
        "mcplock list docs 'mail/read_*'": "one server, and a pattern of another",
        "mcplock list -v": "with hashes and findings",
        "mcplock list --tokens": "what each tool costs in every request, estimated",
        "mcplock list --tokenizer o200k_base": "the same, counted exactly",
        "mcplock list --json": "for a program",
    },
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@tokens_option
@tokenizer_option
@json_option
@pass_settings
def command(
    settings: Settings, names: tuple[str, ...], with_tokens: bool, encoding: str, as_json: bool
) -> int:
    """List what is locked: state, name, and how it begins.

    NAME is `server/tool`, `@server`, `server`, or a pattern. An approved tool that agents do not
    get, because its source is not approved or the manifest closes its server, is marked
    `not usable`. Reads the lock, and the manifest beside it; with `--tokenizer`, tiktoken
    fetches an encoding that it does not have yet.
    """
    with telling_errors(settings, "list", "json" if as_json else "text", servers={}):
        seen = _seen(settings)
        lock = seen.lock
        selection = chosen_entries(lock, names)
        counted = with_tokens or bool(encoding)
        known = doubts(seen, settings.machine.state_dir)
        found_costs = (
            costs(lock, selection.entries, encoding, left_out=known.left_out) if counted else None
        )
    if as_json:
        document = lock_document(
            lock, only=selection.entries, costs=found_costs, users=seen.users, doubts=known
        )
        settings.console.data(document)
    elif found_costs:
        settings.console.show(cost_lines(found_costs))
        settings.console.show([cost_verdict(found_costs)])
    else:
        width = settings.console.width() if sys.stdout.isatty() else None
        found = views(lock, selection.entries, seen.users, known)
        settings.console.show(list_lines(found, width, verbose=settings.verbose))
    return Exit.NO if selection.moved else Exit.OK


def _seen(settings: Settings) -> Seen:
    """What agents see; what is locked where the manifest cannot be read."""
    try:
        return settings.seen
    except McplockError:
        found = settings.locked
    warning = "the manifest cannot be read, so whether it closes a server is not told"
    settings.console.warn([warning])
    return found
