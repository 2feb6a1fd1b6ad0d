"""`mcplock search`."""

import sys

import click

from mcplock.cli.ci import telling_errors
from mcplock.cli.command import Command, pass_settings
from mcplock.cli.options import json_option
from mcplock.cli.settings import Settings
from mcplock.errors import Exit
from mcplock.render.search import left_out_lines, search_document, search_lines
from mcplock.render.spans import line
from mcplock.workflow.search import search


@click.command(
    "search",
    cls=Command,
    examples={
        "mcplock search list files": "what could do this",
        "mcplock search 'issue tracker' --limit 3": "the best three",
        "mcplock search weather --json": "for a program, with scores",
    },
)
@click.argument("query", nargs=-1, required=True, metavar="QUERY")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    metavar="N",
    help="How many tools at most.",
)
@json_option
@pass_settings
def command(settings: Settings, query: tuple[str, ...], limit: int, as_json: bool) -> int:
    """Find approved tools by the meaning of words.

    Looks through names, titles, descriptions and parameters, best first. Reads the lock, and
    the manifest beside it: what agents do not get is not looked through, but counted, with the
    reason. Exit code 0, also where nothing fits.
    """
    with telling_errors(settings, "search", "json" if as_json else "text", results=[]):
        state_dir = settings.machine.state_dir
        found = search(settings.seen, " ".join(query), limit, state_dir)
    if as_json:
        settings.console.data(search_document(found))
    else:
        width = settings.console.width() if sys.stdout.isatty() else None
        settings.console.show(search_lines(found, width))
        settings.console.talk([] if found.hits else [line("nothing fits")])
        settings.console.talk(left_out_lines(found.left_out))
        if not found.hits:
            settings.hint(["`mcplock list` shows all that is locked"])
    return Exit.OK
