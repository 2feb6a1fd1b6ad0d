"""`mcplock resolve`."""

from pathlib import Path
from posixpath import relpath

import click

from mcplock.cli.command import Command, pass_settings
from mcplock.cli.settings import Settings
from mcplock.errors import Exit, UsageError
from mcplock.files import project_root, shown
from mcplock.render.resolve import driver_lines, resolved_hints, resolved_lines
from mcplock.workflow.resolve import merge_files, resolve


@click.command(
    "resolve",
    cls=Command,
    examples={
        "mcplock resolve": "after a merge or a rebase stopped at mcp.lock",
        "mcplock git-setup": "let git call it by itself",
    },
)
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[BASE OURS THEIRS]")
@click.option("--name", default="mcp.lock", metavar="PATH", help="How messages call these files.")
@pass_settings
def command(settings: Settings, files: tuple[Path, ...], name: str) -> int:
    """Merge the two sides of a conflicted mcp.lock, entry by entry.

    Takes the sides from git's index, or from the conflict markers alone. Every entry of both
    sides stays; where both changed one, the less trusting state holds. Exit code 1: a
    decision of one side was undone and is to be taken again.

    With three files it is git's merge driver: the result goes into OURS, and exit code 1
    also says that the sides disagree where no decision was undone.
    """
    if files:
        return _drive(settings, files, name)
    path = settings.lock_path
    resolved = resolve(path, settings.environ)
    settings.console.show(resolved_lines(resolved))
    in_git = (project_root(path.parent.absolute()) / ".git").exists()
    settings.hint(resolved_hints(resolved, shown(path), in_git=in_git))
    return resolved.exit_code


def _drive(settings: Settings, files: tuple[Path, ...], name: str) -> int:
    if len(files) != 3:
        raise UsageError("three files are merged: BASE, OURS and THEIRS")
    # Git runs a driver at the root of the work tree, and says where the person stands below it.
    name = relpath(name, settings.environ.get("GIT_PREFIX") or ".")
    resolved = merge_files(*files, name)
    if resolved.clean:
        return Exit.OK
    settings.console.talk(driver_lines(resolved, name))
    settings.hint(resolved_hints(resolved, name))
    return Exit.NO
