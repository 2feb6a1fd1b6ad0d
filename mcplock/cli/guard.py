"""Errors -> exit codes: the one place that catches."""

import errno
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import NoReturn

from mcplock.console import ReaderGone, complain, mute
from mcplock.errors import Exit, McplockError


def guarded(work: Callable[[], object], arguments: Sequence[str]) -> int:
    """The exit code of `work`; never 1 for a crash, a refusal or a closed pipe."""
    _open_streams()
    _heed_signals()
    try:
        result = work()
    except McplockError as error:
        hint = reported(error.bug, arguments, os.environ) if error.bug else error.hint
        complain(error.message, hint)
        return error.exit_code
    except KeyboardInterrupt:
        complain("interrupted")
        return Exit.INTERRUPTED
    except ReaderGone:
        return Exit.FAILED
    except SystemExit:  # click's answer to a closed pipe while it prints a help text
        mute(sys.stdout)
        return Exit.FAILED
    except OSError as error:
        if isinstance(error.__context__, KeyboardInterrupt):  # click told nobody of it
            return Exit.INTERRUPTED
        if error.errno != errno.ENOSPC:
            return _crashed(error, arguments)
        mute(sys.stdout)  # no room for a help text
        complain(f"standard output cannot be written: {error.strerror}")
        return Exit.FAILED
    except Exception as error:  # noqa: BLE001  a bug is told in a report, not in a traceback
        return _crashed(error, arguments)
    return result if isinstance(result, int) else Exit.OK


def _open_streams() -> None:
    """Give a program that was started with closed streams some that lead nowhere."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115


def _heed_signals() -> None:
    """Let a request to end be an interruption: servers are closed before this program goes."""
    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    del number, frame
    raise KeyboardInterrupt


def _crashed(error: Exception, arguments: Sequence[str]) -> int:
    told = f"mcplock failed: {type(error).__name__}; this is a bug in mcplock"
    complain(told, reported(error, arguments, os.environ))
    return Exit.FAILED


def reported(error: Exception, arguments: Sequence[str], environ: Mapping[str, str]) -> str:
    """Write the report on a bug, and say where it is; "" where it cannot be written."""
    from mcplock.cli.crash import write_report

    path = write_report(error, arguments, environ)
    return f"the report is in {path}" if path else ""
