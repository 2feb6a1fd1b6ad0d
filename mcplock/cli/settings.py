"""What all commands take: global options, which may stand before or after the command."""

import os
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from mcplock.console import Console
from mcplock.workflow.project import Machine, Project, open_project


@dataclass
class Settings:
    """The global options as given so far, and what follows from them."""

    manifest: Path | None = None
    no_color: bool = False
    quiet: bool = False
    verbose: bool = False
    no_input: bool = False
    ca_file: Path | None = None

    @cached_property
    def console(self) -> Console:
        """Where this run speaks."""
        return Console(
            color=False if self.no_color else None,
            quiet=self.quiet,
            verbose=self.verbose,
            interactive=not self.no_input and sys.stdin.isatty() and sys.stderr.isatty(),
        )

    @cached_property
    def machine(self) -> Machine:
        """The machine as the workflows may know it."""
        return Machine(os.environ, state_dir(), self.ca_file)

    @cached_property
    def project(self) -> Project:
        """The project that this run works on, its manifest read."""
        return open_project(Path.cwd(), self.manifest, self.machine)


def state_dir() -> Path:
    """Where this user's consent and the cache of approved texts are kept."""
    from platformdirs import user_state_path

    return user_state_path("mcplock", appauthor=False)


def _take(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    settings = ctx.find_root().ensure_object(Settings)
    if value not in (None, False):
        setattr(settings, str(param.name), value)


def global_options(*, hidden: bool = False) -> list[click.Parameter]:
    """Fresh options; what is given in either place counts."""

    def option(*names: str, **how: Any) -> click.Option:
        return click.Option(names, expose_value=False, callback=_take, hidden=hidden, **how)

    file = click.Path(path_type=Path)
    return [
        option("--manifest", type=file, help="The manifest, where it is not the nearest one."),
        option("--ca-file", type=file, help="Certificates to trust beside the system's."),
        option("--no-color", is_flag=True, help="Plain text, also on a terminal."),
        option("--no-input", is_flag=True, help="Never ask; what would be asked is an error."),
        option("-q", "--quiet", is_flag=True, help="Only the verdict and errors."),
        option("-v", "--verbose", is_flag=True, help="Also what went well."),
    ]


class Command(click.Command):
    """A command of mcplock: it takes the global options too, and `-h`."""

    def __init__(self, name: str | None, **how: Any) -> None:
        how.setdefault("context_settings", {"help_option_names": ["-h", "--help"]})
        how.setdefault("epilog", "Global options: see `mcplock --help`.")
        super().__init__(name, **how)
        self.params += global_options(hidden=True)


pass_settings = click.make_pass_decorator(Settings, ensure=True)
