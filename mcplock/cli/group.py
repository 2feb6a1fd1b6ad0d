"""`mcplock` itself: which commands there are, imported when they are called."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from mcplock import __version__
from mcplock.cli.command import global_options
from mcplock.errors import UsageError

COMMANDS = {
    "Lock": {
        "init": "Write a manifest with the servers of clients' files.",
        "add": "Add a server to the manifest.",
        "remove": "Remove a server from the manifest.",
        "install": "Lock the servers of the manifest that are not locked yet.",
        "update": "Ask servers again and show what changed.",
        "status": "Say where each server stands and what to do next.",
    },
    "Review": {
        "review": "Decide on what waits for review, one entry a screen.",
        "diff": "Show what differs, old against new.",
        "approve": "Approve entries as they are locked now.",
        "deny": "Deny entries, by name, whatever they become.",
        "reset": "Take back decisions: the entries are to be reviewed again.",
        "resolve": "Merge the two sides of a conflicted mcp.lock, entry by entry.",
        "git-setup": "Let git merge mcp.lock entry by entry, and show it in words.",
        "list": "List what is locked: state, name, and how it begins.",
        "show": "Show entries whole: state, hash, findings, text, parameters.",
    },
    "Gate": {
        "check": "Fail unless manifest, lock and servers agree and all is reviewed.",
        "audit": "Look for what a reviewer cannot see, or should not miss.",
        "trust": "Let this machine start the servers of this lock.",
        "login": "Log in to a hosted server by OAuth.",
        "logout": "Forget the login to a hosted server.",
    },
    "Agents": {
        "export": "Write the approved tools for agents.",
        "search": "Find approved tools by the meaning of words.",
        "call": "Call an approved tool once.",
    },
    "Learn": {
        "demo": "Play the whole story on a built-in server.",
    },
}
"""Heading -> command -> its line in the help. A command's module bears its name."""

_MODULES = {"list": "list_", "git-setup": "git_setup"}


class Group(click.Group):
    """Knows its commands by name and imports none before it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the help."""
        del ctx
        return [name for commands in COMMANDS.values() for name in commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command called `cmd_name`, or None."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module = import_module(f"mcplock.cli.{_MODULES.get(cmd_name, cmd_name)}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which one was probably meant."""
        if args and args[0] not in self.list_commands(ctx):
            from mcplock.naming import nearest
            from mcplock.text import visible

            near = nearest(args[0], self.list_commands(ctx))
            message = f"there is no command `{visible(args[0])}`"
            raise click.UsageError(f"{message}; {near}" if near else message, ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands under their headings."""
        del ctx
        for heading, commands in COMMANDS.items():
            with formatter.section(heading):
                formatter.write_dl(list(commands.items()))


@click.command(cls=Group, invoke_without_command=True, params=global_options())
@click.version_option(__version__, prog_name="mcplock")
@click.help_option("-h", "--help")
@click.pass_context
def group(ctx: click.Context) -> Any:
    """The lockfile for the tools that AI agents use.

    `mcplock install` snapshots what MCP servers tell an agent into `mcp.lock`; a person
    approves it; `mcplock check` fails when a server says something else. Without a command:
    `mcplock status`.
    """
    if ctx.invoked_subcommand is None:
        return ctx.invoke(import_module("mcplock.cli.status").command)
    return None


def _named(arguments: Sequence[str]) -> str:
    """The command that a command line is of, for a fault that click knows no context of."""
    known = {name for commands in COMMANDS.values() for name in commands}
    return " ".join(["mcplock", *[word for word in arguments if word in known][:1]])


def parsed(arguments: Sequence[str]) -> object:
    """Run the command line `arguments`; click's own defaults, exit code 1 above all, are bent."""
    try:
        return group.main(list(arguments), "mcplock", standalone_mode=False)
    except click.ClickException as error:
        context = error.ctx if isinstance(error, click.UsageError) else None
        usage = context.command_path if context else _named(arguments)
        message = " ".join(error.format_message().split())
        raise UsageError(message, hint=f"`{usage} --help`") from None
    except click.Abort:
        raise KeyboardInterrupt from None
