"""`mcplock git-setup`."""

import shutil

import click

from mcplock.cli.command import Command, pass_settings
from mcplock.cli.settings import Settings, here
from mcplock.render.git_setup import set_up_hints, set_up_lines
from mcplock.workflow.git_setup import Git, install, uninstall


@click.command(
    "git-setup",
    cls=Command,
    examples={
        "mcplock git-setup": "once in each clone; then commit .gitattributes",
        "mcplock git-setup --global": "for all repositories of this user",
        "mcplock git-setup --uninstall": "take it back",
    },
)
@click.option("--global", "everywhere", is_flag=True, help="In the user's settings of git.")
@click.option("--uninstall", "leave", is_flag=True, help="Remove what this command has set up.")
@pass_settings
def command(settings: Settings, everywhere: bool, leave: bool) -> int:
    """Let git merge mcp.lock entry by entry, and show it in words.

    Makes `mcplock resolve` git's merge driver for mcp.lock, and `mcplock show` what
    `git diff` and `git log -p` compare. Two settings go into this clone's configuration, a
    line into .gitattributes. A clone that was not set up merges the lines of the file, as
    before.
    """
    git = Git(here(), settings.environ, everywhere=everywhere)
    done = uninstall(git) if leave else install(git)
    console = settings.console
    console.show(set_up_lines(done, everywhere=everywhere, leave=leave))
    found = shutil.which("mcplock", path=settings.environ.get("PATH"))
    settings.hint([] if leave else set_up_hints(done, everywhere=everywhere, found=bool(found)))
    return 0
