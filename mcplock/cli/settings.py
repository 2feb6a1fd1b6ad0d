"""What a run was told by its global options, and what follows from them."""

import os
import sys
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mcplock import cli
from mcplock.console import Console
from mcplock.errors import McplockError, UsageError

if TYPE_CHECKING:  # `--help` reads no manifest and imports nothing that could
    from collections.abc import Iterable, Mapping

    from mcplock.workflow.levels import Seen
    from mcplock.workflow.project import Machine, Project, Where


class Settings:
    """The global options as given so far, and what follows from them."""

    def __init__(self) -> None:
        self.manifest: Path | None = None
        self.no_color = False
        self.quiet = False
        self.verbose = False
        self.no_input = False
        self.ca_file: Path | None = None
        self.user = False
        self.no_user = False
        self.environ: Mapping[str, str] = os.environ
        self.state_dir: Path | None = None

    @cached_property
    def console(self) -> Console:
        """Where this run speaks."""
        return Console(
            color=False if self.no_color else None,
            quiet=self.quiet,
            interactive=not self.no_input and sys.stdin.isatty() and sys.stderr.isatty(),
        )

    @cached_property
    def level(self) -> str:
        """The option that a command needs to work on what this run works on."""
        if not (self.user or self.manifest):
            return ""
        from mcplock.cli.level import level_of

        return level_of(self)

    def hint(self, hints: "Iterable[str]") -> None:
        """Say what to do next, on the level of this run."""
        if self.level:
            from mcplock.cli.level import addressed

            hints = [addressed(hint, self.level) for hint in hints]
        self.console.hint(hints)

    @cached_property
    def machine(self) -> "Machine":
        """The machine as the workflows may know it."""
        from mcplock.trust import user_state_dir
        from mcplock.workflow.project import Machine

        state_dir = self.state_dir or user_state_dir(os.environ)
        return Machine(self.environ, state_dir, self.ca_file, _host(self.environ), alone=cli.alone)

    @cached_property
    def project(self) -> "Project":
        """The project that this run works on, its manifest read and its oddities told."""
        from mcplock.workflow.project import open_project

        project = open_project(self.where, self.machine)
        self.console.warn(map(str, project.manifest.warnings))
        return project

    @cached_property
    def lock_path(self) -> Path:
        """The lock that this run works on; its manifest is found, but not read."""
        from mcplock.workflow.project import find_lock

        return find_lock(self.where)

    @cached_property
    def where(self) -> "Where":
        """Where the manifest of this run is looked for."""
        from mcplock.workflow.project import Where

        if not self.user:
            return Where(here(), self.manifest)
        if self.manifest or self.no_user:
            other = "--manifest" if self.manifest else "--no-user"
            raise UsageError(f"`--user` and `{other}` exclude each other")
        return Where(self.user_dir, only=True)

    @cached_property
    def user_dir(self) -> Path:
        """Where the user's own manifest and lock lie."""
        from mcplock.userdirs import user_dir

        path = user_dir(self.environ, "config")
        if not path.is_absolute():
            hint = "set HOME, or XDG_CONFIG_HOME to an absolute path"
            raise McplockError("there is no place for a manifest of yours", hint=hint)
        return path

    @cached_property
    def user_lock(self) -> Path | None:
        """The user's own lock, where it counts beside the project's."""
        from mcplock.levels import user_lock

        if self.user or self.no_user or self.manifest:
            return None
        return user_lock(self.environ)

    @cached_property
    def seen(self) -> "Seen":
        """What agents see."""
        from mcplock.workflow.levels import seen

        return self._noted(seen(self.where, self.user_lock))

    @cached_property
    def locked(self) -> "Seen":
        """What is locked, whatever agents may have of it."""
        from mcplock.workflow.levels import locked

        return self._noted(locked(self.where, self.user_lock))

    def _noted(self, found: "Seen") -> "Seen":
        """`found`, said of it where there is no project; what is to be done is `--user` then."""
        if not found.has_project:
            from mcplock.cli.level import USERS
            from mcplock.render.levels import alone_line

            self.level = USERS
            self.console.talk([alone_line(found)])
        return found


def _host(environ: "Mapping[str, str]") -> str:
    """What this machine is called."""
    return environ.get("COMPUTERNAME", "") if sys.platform == "win32" else os.uname().nodename


def here() -> Path:
    """The working directory."""
    try:
        return Path.cwd()
    except OSError:
        raise McplockError("the working directory is gone", hint="change to another") from None
