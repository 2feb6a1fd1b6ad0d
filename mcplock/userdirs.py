"""Where this user's own files are kept: what he wrote, and what this machine remembers."""

import sys
from collections.abc import Mapping
from pathlib import Path

_XDG = {"config": ("XDG_CONFIG_HOME", ".config"), "state": ("XDG_STATE_HOME", ".local/state")}


def user_dir(environ: Mapping[str, str], kind: str) -> Path:
    """The directory of mcplock for the `kind` "config" or "state".

    It is for the caller to refuse one that is not absolute, for lack of a home.
    """
    path = _xdg_dir(environ, *_XDG[kind])
    if path is None:
        import platformdirs

        find = platformdirs.user_config_path if kind == "config" else platformdirs.user_state_path
        path = find("mcplock", appauthor=False)
    return path


def _xdg_dir(environ: Mapping[str, str], variable: str, default: str) -> Path | None:
    """What `platformdirs` says on Linux, whose import takes longer than reading the lock.

    None where it has more to look at than a home, on other systems or without one.
    """
    if sys.platform != "linux" or "ANDROID_DATA" in environ:
        return None
    for name, below in ((variable, "mcplock"), ("HOME", f"{default}/mcplock")):
        if environ.get(name, "").startswith("/"):
            return Path(environ[name], below)
    return None
