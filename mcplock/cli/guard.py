"""Errors -> exit codes: the one place that catches."""

import os
import sys
from collections.abc import Callable, Sequence

import click

from mcplock.console import complain
from mcplock.errors import Exit, McplockError


def guarded(work: Callable[[], object], arguments: Sequence[str]) -> int:
    """The exit code of `work`; click's own defaults, 1 for a refusal or a closed pipe, are bent."""
    try:
        result = work()
        sys.stdout.flush()
    except McplockError as error:
        complain(error.message, error.hint)
        return error.exit_code
    except click.ClickException as error:
        usage = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else ""
        complain(error.format_message(), f"`{usage} --help`" if usage else "")
        return Exit.FAILED
    except (KeyboardInterrupt, click.Abort):
        complain("interrupted")
        return Exit.INTERRUPTED
    except BrokenPipeError:
        _forget_stdout()
        return Exit.FAILED
    except Exception as error:  # noqa: BLE001  a bug is told in a report, not in a traceback
        return _crashed(error, arguments)
    return result if isinstance(result, int) else Exit.OK


def _forget_stdout() -> None:
    """Nobody reads it any more: the interpreter must not fail on flushing it at exit."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())


def _crashed(error: Exception, arguments: Sequence[str]) -> int:
    from mcplock.cli.crash import write_report

    path = write_report(error, arguments, os.environ)
    complain(
        f"mcplock failed: {type(error).__name__}; this is a bug in mcplock",
        f"the report is in {path}; nothing was decided" if path else "",
    )
    return Exit.FAILED
