"""`mcplock show`."""

from pathlib import Path

import click

from mcplock.cli.ci import telling_errors
from mcplock.cli.command import Command, pass_settings
from mcplock.cli.options import json_option
from mcplock.cli.settings import Settings
from mcplock.errors import Refused, UsageError
from mcplock.lockfile import load
from mcplock.render.entry import comparable_lines, entry_lines, show_document, show_hints
from mcplock.render.report import separated
from mcplock.workflow.browse import chosen_entries, whole_views


@click.command(
    "show",
    cls=Command,
    examples={
        "mcplock show docs/search": "one tool",
        "mcplock show @docs": "how docs is reached, and its instructions",
        "mcplock show docs": "all of the server docs",
        "mcplock show docs/search -v": "with its definition as it is locked",
        "mcplock show --file old.lock": "what another lock says, for a comparison",
    },
)
@click.argument("names", nargs=-1, metavar="NAME...")
@click.option(
    "--file",
    type=click.Path(path_type=Path),
    metavar="LOCK",
    help="All of that lock instead, for a comparison line by line.",
)
@json_option
@pass_settings
def command(settings: Settings, names: tuple[str, ...], file: Path | None, as_json: bool) -> int:
    """Show entries whole: state, hash, findings, text, parameters.

    Of a changed entry also what changed since it was approved. NAME is `server/tool`,
    `@server`, `server`, or a pattern.

    Each parameter is a row, and so is what is inside of one: `a.b` is the property `b` of `a`,
    `a[]` an item of it, `a.*` any other property, `a|1` the first of what it may be.
    """
    console = settings.console
    if file:
        if names or as_json:
            raise UsageError("`--file` shows all of a lock as text: no NAME, no `--json`")
        console.show(comparable_lines(load(file).lock))
        return 0
    if not names:
        raise UsageError("Missing argument 'NAME...'", hint="`mcplock show --help`")
    with telling_errors(settings, "show", "json" if as_json else "text", entries=[]):
        seen = settings.locked
        selection = chosen_entries(seen.lock, names)
        ours, *users = (
            whole_views(seen.lock, entries, level.path, settings.machine, seen.users)
            for level, entries in seen.by_level(selection.entries)
        )
    found = [*ours, *(view for views in users for view in views)]
    if as_json:
        console.data(show_document(found))
    else:
        width = console.width()
        verbose = settings.verbose
        blocks = [entry_lines(v, width, verbose=verbose, quiet=not verbose) for v in found]
        console.show(separated(blocks))
        settings.hint(show_hints(ours))  # `--user` decides on the others
    if selection.moved:
        labels = ", ".join(named.label for named in selection.moved)
        raise Refused(f"has another hash by now: {labels}")
    return 0
