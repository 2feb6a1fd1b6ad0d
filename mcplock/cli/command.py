"""How a command is written for click; it takes the global options before or after its name."""

from pathlib import Path
from typing import Any

import click

from mcplock.cli.settings import Settings
from mcplock.errors import McplockError


def _take(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    settings = ctx.find_root().ensure_object(Settings)
    if value not in (None, False):
        setattr(settings, str(param.name), value)


class GlobalOption(click.Option):
    """An option of all commands; what is given in either place counts."""

    def __init__(self, *names: str, **how: Any) -> None:
        super().__init__(names, expose_value=False, callback=_take, **how)


def global_options() -> list[click.Parameter]:
    """Fresh ones, for one command."""
    file = click.Path(path_type=Path)
    return [
        GlobalOption(
            "--manifest",
            metavar="FILE",
            type=file,
            help="The manifest, where it is not the nearest one.",
        ),
        GlobalOption(
            "--user",
            is_flag=True,
            help="Work on your own manifest and lock, not on the project's.",
        ),
        GlobalOption(
            "--no-user",
            is_flag=True,
            help="Do not add the servers of your own lock to what agents see.",
        ),
        GlobalOption(
            "--ca-file",
            metavar="FILE",
            type=file,
            help="Certificates to trust beside the system's.",
        ),
        GlobalOption("--no-color", is_flag=True, help="Plain text, also on a terminal."),
        GlobalOption("--no-input", is_flag=True, help="Never ask: what would be asked is a no."),
        GlobalOption("-q", "--quiet", is_flag=True, help="Only the verdict, and errors."),
        GlobalOption("-v", "--verbose", is_flag=True, help="More detail."),
    ]


class Command(click.Command):
    """A command of mcplock: it takes the global options too, `-h`, and has examples.

    examples: command line -> what it does, in a few words.
    """

    def __init__(self, name: str | None, *, examples: dict[str, str], **how: Any) -> None:
        how.setdefault("context_settings", {"help_option_names": ["-h", "--help"]})
        super().__init__(name, **how)
        self.params += global_options()
        self.examples = examples

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The arguments, the command's own options, then those of all commands."""
        sections: dict[str, list[tuple[str, str]]] = {
            "Arguments": [],
            "Options": [],
            "Options of all commands": [],
        }
        for param in self.get_params(ctx):
            if row := param.get_help_record(ctx):
                sections[_heading(param)].append(row)
        for heading, rows in sections.items():
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples."""
        del ctx
        with formatter.section("Examples"):
            formatter.write_dl(list(self.examples.items()), col_max=44)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, and leave no progress bar on the screen whatever happens."""
        settings = ctx.find_root().ensure_object(Settings)
        try:
            return super().invoke(ctx)
        except McplockError as error:
            from mcplock.cli.level import mend_hint

            mend_hint(settings, error)
            raise
        finally:
            settings.console.progress.stop()


def _heading(param: click.Parameter) -> str:
    match param:
        case click.Argument():
            return "Arguments"
        case GlobalOption():
            return "Options of all commands"
        case _:
            return "Options"


pass_settings = click.make_pass_decorator(Settings, ensure=True)
