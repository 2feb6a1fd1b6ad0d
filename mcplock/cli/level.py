"""Hints that work: the commands they name are of the level that a run works on.

Whoever decides what to do next knows no global options, so `--user` and `--manifest FILE` are
put into the commands here, where the options are known.
"""

import shlex
from typing import TYPE_CHECKING

from mcplock.errors import McplockError, UnknownName
from mcplock.files import shown
from mcplock.lazy import pattern
from mcplock.text import visible

if TYPE_CHECKING:
    from mcplock.cli.settings import Settings

_COMMAND = pattern(r"\x60mcplock (?=[a-z])(?![^\x60]* --(?:user|manifest)\b)")
USERS = "--user"


def level_of(settings: "Settings") -> str:
    """The option that chooses the level of this run; "" for the nearest project's."""
    if settings.user:
        return USERS
    path = shown(settings.manifest) if settings.manifest else ""
    return f"--manifest {visible(shlex.quote(path))}" if path else ""


def addressed(hint: str, level: str) -> str:
    """`hint` with `level` in each command that it names."""
    return _COMMAND.sub(lambda hit: f"{hit[0]}{level} ", hint) if level else hint


def mend_hint(settings: "Settings", error: McplockError) -> None:
    """Let the hint of `error` lead to the level of this run, or to where a name is known."""
    if isinstance(error, UnknownName) and _is_users(settings, error.names):
        error.hint = f"your own lock has it: add `{USERS}`"
    else:
        error.hint = addressed(error.hint, settings.level)


def _is_users(settings: "Settings", names: tuple[str, ...]) -> bool:
    """Whether the user's own lock, which this run does not work on, has servers of `names`."""
    from mcplock.lockfile import load

    try:
        path = settings.user_lock
        servers = load(path).lock.servers if path else {}
    except McplockError:
        return False
    return any(name.lstrip("@").partition("/")[0] in servers for name in names)
