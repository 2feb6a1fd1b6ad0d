"""`mcplock init`."""

from collections.abc import Sequence
from pathlib import Path

import click

from mcplock.cli.beginning import new_manifest
from mcplock.cli.command import Command, pass_settings
from mcplock.cli.options import yes_option
from mcplock.cli.settings import Settings
from mcplock.errors import UsageError
from mcplock.files import shown
from mcplock.manifest.begin import Offer, begin, offers, refuse_another
from mcplock.manifest.reach import located, users_home, written_as
from mcplock.manifest.unread import unread
from mcplock.render.begin import manifest_line, offer_lines
from mcplock.render.unread import unread_hints, unread_warnings
from mcplock.text import visible
from mcplock.workflow.project import Declined


@click.command(
    "init",
    cls=Command,
    examples={
        "mcplock init": "a manifest with the servers of clients' files, after one question",
        "mcplock init --yes": "the same, unasked",
        "mcplock init --include .mcp.json": "with the servers of this file alone",
        "mcplock init --user": "a manifest of your own, with what clients have in your home",
    },
)
@click.option(
    "--include",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Take the servers of this client's file, and of no other; may be given again.",
)
@yes_option
@pass_settings
def command(settings: Settings, include: tuple[Path, ...], yes: bool) -> int:
    """Write a manifest with the servers of clients' files.

    It is `mcp.toml`. Servers of files such as `.cursor/mcp.json` are not copied: `include`
    takes them from there. With `--user` the files are those of your home directory, such as
    `~/.cursor/mcp.json`. Overwrites nothing, starts and contacts nothing.
    """
    path = new_manifest(settings)
    refuse_another(path)
    home = users_home(path)
    found = [] if include else offers(path)
    if include:
        files = [written_as(file, path.parent, home) for file in include]
    else:
        files = [offer.file for offer in found if not offer.problem]
        _consent(settings, path, found, yes=yes or not files)
    manifest = begin(path, files)
    console = settings.console
    console.show([manifest_line(manifest)])
    console.warn(map(str, manifest.warnings))
    problems = [located(offer.file, path.parent, home) for offer in found if offer.problem]
    left = unread(manifest, problems if home else None)
    console.warn(unread_warnings(left))
    named = ["`mcplock install` locks what they say"] if manifest.servers else []
    named = named or ["`mcplock add NAME -- COMMAND` names a server"]
    hints = unread_hints(left, lambda file: written_as(file, path.parent, home))
    settings.hint([*named, *hints])
    return 0


def _consent(settings: Settings, path: Path, found: Sequence[Offer], *, yes: bool) -> None:
    """Show what was found, and ask."""
    console = settings.console
    lines = offer_lines(found)
    if yes:
        console.talk(lines)
    elif not console.interactive:
        console.talk(lines)
        hint = "`mcplock init --yes`, or `mcplock init --include FILE`"
        raise UsageError("nobody is there to ask", hint=hint)
    elif not console.ask(lines, f"Write {visible(shown(path))} with these servers?"):
        raise Declined("declined: nothing was written")
