"""Which files a manifest may include: those of its project, a user's own those of his home."""

import os
from pathlib import Path

from mcplock.userdirs import user_dir


def users_home(manifest: Path) -> Path | None:
    """The user's home directory, if `manifest` lies where that of a user does; else None.

    Whichever way it was found: the file decides, so that no option opens the home directory
    to the manifest of a project.
    """
    try:
        own = user_dir(os.environ, "config")
        if own.is_absolute() and manifest.parent.resolve() == own.resolve():
            return Path.home().resolve()
    except (ImportError, RuntimeError, OSError):  # no platformdirs; no home
        pass
    return None


def located(written: str, directory: Path, home: Path | None) -> Path:
    """The file that an `include` in `directory` means; `~/` is `home` where there is one."""
    if home is not None and written.startswith("~/"):
        return home / written[2:]
    return directory / written


def written_as(file: Path, directory: Path, home: Path | None) -> str:
    """How an `include` in `directory` names `file`: the inverse of `located`."""
    real = file.parent.resolve() / file.name
    if home is not None and real.is_relative_to(home):
        return f"~/{real.relative_to(home).as_posix()}"
    return Path(os.path.relpath(file, directory)).as_posix()
