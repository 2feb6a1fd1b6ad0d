"""The command line: one module per command, and the one place that catches errors."""

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

_DIGITS = 4_300
"""Of an integer that is read or shown; definitions may have 4,000, the environment may say less."""


alone = False
"""Whether this process is the program, and not one that only calls `run`."""


def main() -> NoReturn:
    """Run the program that `mcplock` on the command line is."""
    global alone
    alone = True
    gc.disable()  # a run is short and makes no cycles to speak of; looking for them costs a tenth
    if 0 < sys.get_int_max_str_digits() < _DIGITS:
        sys.set_int_max_str_digits(_DIGITS)
    code = run(sys.argv[1:])
    _leave(code)


def _leave(code: int) -> NoReturn:
    """End the process; the system frees its memory at once, the interpreter piece by piece."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # nobody listens any more
            stream.flush()
    os._exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command and give its exit code; nothing is raised, nothing shows a traceback."""
    from mcplock.cli.guard import guarded

    return guarded(lambda: _run(arguments), arguments)


def _run(arguments: Sequence[str]) -> object:
    from mcplock.cli.plain import plainly

    plain = plainly(arguments)
    if plain is not None:
        return plain()
    from mcplock.cli.group import parsed

    return parsed(arguments)
