"""One spelling for the launchers that Windows spells otherwise.

On Windows `npx` is a batch file, so people write `cmd /c npx …` or `npx.cmd …`. All three
are the same source, or a team on several systems would have as many locks.
"""

import re
from collections.abc import Sequence

from mcplock.lazy import pattern

_LAUNCHER = pattern(
    r"(npx|npm|pnpm|pnpx|yarn|bunx?|node|deno|uvx?|pipx|python3?|py|docker|podman)"
    r"(?:\.(?:cmd|bat|exe|ps1))?",
    re.IGNORECASE,
)
_ENDINGS = (".cmd", ".bat", ".exe", ".ps1")
_SHELL = pattern(r"(?:.*[\\/])?cmd(?:\.exe)?", re.IGNORECASE)
_SWITCHES = pattern(r"/[dsqc]", re.IGNORECASE)


def normalised(command: str, args: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """`command` and `args` as they are written where no `cmd` and no `.cmd` is needed."""
    if command[-7:].lower().endswith(("cmd", "cmd.exe")) and _SHELL.fullmatch(command):
        run = _behind_switches(args)
        if run is not None and _LAUNCHER.fullmatch(args[run]):
            command, args = args[run], args[run + 1 :]
    if command.lower().endswith(_ENDINGS) and (hit := _LAUNCHER.fullmatch(command)):
        command = hit[1].lower()
    return command, tuple(args)


def _behind_switches(args: Sequence[str]) -> int | None:
    """The index of what `cmd /c` runs; None where there is no `/c`."""
    for index, argument in enumerate(args):
        if not _SWITCHES.fullmatch(argument):
            return None
        if argument.lower() == "/c":
            return index + 1 if index + 1 < len(args) else None
    return None
