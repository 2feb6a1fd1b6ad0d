"""What all commands take: global options, which may stand before or after the command."""

import os
import sys
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mcplock.console import Console
from mcplock.errors import McplockError

if TYPE_CHECKING:  # `--help` reads no manifest and imports nothing that could
    from collections.abc import Mapping

    from mcplock.workflow.project import Machine, Project


@dataclass
class Settings:
    """The global options as given so far, and what follows from them."""

    manifest: Path | None = None
    no_color: bool = False
    quiet: bool = False
    verbose: bool = False
    no_input: bool = False
    ca_file: Path | None = None
    environ: "Mapping[str, str]" = field(default_factory=lambda: os.environ)
    state_dir: Path | None = None

    @cached_property
    def console(self) -> Console:
        """Where this run speaks."""
        return Console(
            color=False if self.no_color else None,
            quiet=self.quiet,
            interactive=not self.no_input and sys.stdin.isatty() and sys.stderr.isatty(),
        )

    @cached_property
    def machine(self) -> "Machine":
        """The machine as the workflows may know it."""
        from mcplock.workflow.project import Machine

        return Machine(self.environ, self.state_dir or _state_dir(), self.ca_file)

    @cached_property
    def project(self) -> "Project":
        """The project that this run works on, its manifest read and its oddities told."""
        from mcplock.workflow.project import open_project

        project = open_project(here(), self.manifest, self.machine)
        self.console.warn(map(str, project.manifest.warnings))
        return project

    @cached_property
    def lock_path(self) -> Path:
        """The lock that this run works on; its manifest is found, but not read."""
        from mcplock.workflow.project import find_lock

        return find_lock(here(), self.manifest)


def _state_dir() -> Path:
    """Where this user's consent and the cache of approved texts are kept.

    A path that is not absolute would be one in the repository, which could bring its own.
    """
    path = _xdg_state_dir(os.environ)
    if path is None:
        from platformdirs import user_state_path

        path = user_state_path("mcplock", appauthor=False)
    if not path.is_absolute():
        from mcplock.text import visible

        message = f"no place for what this machine trusts: {visible(str(path))} is not absolute"
        raise McplockError(message, hint="set HOME, or XDG_STATE_HOME to an absolute path")
    return path


def _xdg_state_dir(environ: "Mapping[str, str]") -> Path | None:
    """What `platformdirs` says on Linux, whose import takes longer than reading the lock.

    None where it has more to look at than a home: on other systems, or without one.
    """
    if sys.platform != "linux" or "ANDROID_DATA" in environ:
        return None
    for name, below in (("XDG_STATE_HOME", "mcplock"), ("HOME", ".local/state/mcplock")):
        if environ.get(name, "").startswith("/"):
            return Path(environ[name], below)
    return None


def here() -> Path:
    """The working directory."""
    try:
        return Path.cwd()
    except OSError:
        raise McplockError("the working directory is gone", hint="change to another") from None


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
        """The command's own options, then those of all commands."""
        own: list[tuple[str, str]] = []
        shared: list[tuple[str, str]] = []
        for param in self.get_params(ctx):
            row = param.get_help_record(ctx)
            if row:
                (shared if isinstance(param, GlobalOption) else own).append(row)
        with formatter.section("Options"):
            formatter.write_dl(own)
        with formatter.section("Options of all commands"):
            formatter.write_dl(shared)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples."""
        del ctx
        with formatter.section("Examples"):
            formatter.write_dl(list(self.examples.items()), col_max=44)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, and leave no progress bar on the screen whatever happens."""
        try:
            return super().invoke(ctx)
        finally:
            ctx.find_root().ensure_object(Settings).console.progress.stop()


pass_settings = click.make_pass_decorator(Settings, ensure=True)
