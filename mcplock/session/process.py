"""A server's process: started, watched, and ended with all that it started."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from mcplock.files import shown
from mcplock.manifest import Launch
from mcplock.session import orphans, tree
from mcplock.session.channel import Failure
from mcplock.session.environment import server_environment
from mcplock.session.model import Setting
from mcplock.text import visible

_PATIENCE = 2.0  # seconds: after stdin is closed, and again after SIGTERM
_LONGEST_FIRST_LINE = 256
_WINDOWS = sys.platform == "win32"


def start_process(launch: Launch, setting: Setting) -> "ServerProcess":
    """Start what a stdio server is `launch`ed with; raises `Failure`."""
    environment = server_environment(setting.environ, launch.env)
    return ServerProcess(launch, directory=setting.directory, environment=environment)


class ServerProcess:
    """A server's process in a group of its own, with three pipes that carry bytes.

    output_ended: set by whoever reads stdout once that has ended; most processes end then.
    """

    def __init__(self, launch: Launch, *, directory: Path, environment: Mapping[str, str]) -> None:
        """Start it; raises `Failure` with the reason where that cannot be done."""
        command = _executable(launch.command, directory, environment)
        try:
            self._popen = subprocess.Popen(
                [command, *launch.args],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=launch.cwd,
                env=dict(environment),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            what = _written(launch.command, directory)
            raise Failure(f"{what} cannot be started: {visible(_why(error, command))}") from None
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr  # noqa: S101
        self.stdin = self._popen.stdin
        self.stdout = self._popen.stdout
        self.stderr = self._popen.stderr
        self.output_ended = threading.Event()
        self._pid = self._popen.pid
        self._descendants: set[tree.Stat] = set()
        self._ended_by_us = False
        orphans.own(self._pid, environment)

    def fate(self) -> str:
        """How the process ended, in words; "" while it runs or where we ended it."""
        code = self._popen.poll()
        if code is None or self._ended_by_us:
            return ""
        if code >= 0:
            return f"exited with code {code}"
        try:
            return f"was killed by {signal.Signals(-code).name}"
        except ValueError:
            return f"was killed by signal {-code}"

    def wait(self, seconds: float) -> bool:
        """Whether the process ends within `seconds`."""
        deadline = time.monotonic() + seconds
        looks = 0
        while self._popen.poll() is None:
            if time.monotonic() >= deadline:
                return False
            if self.output_ended.wait(0.05):  # its end is near: look often, then less often
                looks += 1
                time.sleep(0.0005 if looks < 20 else 0.02)
        return True

    def kill(self) -> None:
        """End the process and all that it started at once; may be called from any thread."""
        self._ended_by_us = True
        self._note_descendants()
        self._signal(signal.SIGTERM if _WINDOWS else signal.SIGKILL)

    def end(self) -> None:
        """Wait for the process to end by itself, then make it; nothing that it started stays.

        Its stdin has to be closed before.
        """
        self._note_descendants()
        if not self.wait(_PATIENCE):
            self._ended_by_us = True
        for number in (signal.SIGTERM, signal.SIGTERM if _WINDOWS else signal.SIGKILL):
            if self._gone():
                break
            self._note_descendants()
            self._signal(number)
            self._wait_for_all(_PATIENCE)
        orphans.disown(self._pid)

    def discard(self) -> None:
        """Close its pipes and end it, where nobody has begun to talk to it."""
        for pipe in (self.stdin, self.stdout, self.stderr):
            with suppress(OSError):
                pipe.close()
        self.output_ended.set()
        self.end()

    def _wait_for_all(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not self._gone() and time.monotonic() < deadline:
            time.sleep(0.005)

    def _note_descendants(self) -> None:
        if self._popen.poll() is None:
            self._descendants |= tree.descendants(self._pid)

    def _gone(self) -> bool:
        """Whether the process, its group and all descendants that were seen have ended."""
        if self._popen.poll() is None or not all(map(tree.gone, self._descendants)):
            return False
        if _WINDOWS:
            return True
        with suppress(ChildProcessError):  # as a subreaper we inherit the dead of its group
            while os.waitpid(-self._pid, os.WNOHANG)[0]:
                pass
        try:
            os.killpg(self._pid, 0)
        except (ProcessLookupError, PermissionError):
            return True
        return False

    def _signal(self, number: int) -> None:
        if _WINDOWS:
            command = ["taskkill", "/F", "/T", "/PID", str(self._pid)]
            subprocess.run(command, capture_output=True, check=False)
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, number)
        tree.send_signal(self._descendants, number)


def _executable(command: str, directory: Path, environment: Mapping[str, str]) -> str:
    """The file that `command` names: on the server's own PATH, or relative to the manifest."""
    places = environment.get("PATH", os.defpath).split(os.pathsep)
    path = os.pathsep.join(str(directory / place) for place in places if place)
    named = any(mark in command for mark in (os.sep, os.altsep) if mark)
    wanted = str(directory / command) if named else command
    if named and not _WINDOWS and Path(wanted).is_file() and os.access(wanted, os.X_OK):
        return wanted  # the usual case needs nothing of `shutil`, which takes long to import
    import shutil

    found = shutil.which(wanted, path=path)
    if found:
        return found
    what = _written(command, directory)
    if named and (directory / command).is_file():
        raise Failure(f"{what} is not executable", hint=f"`chmod +x {what}`")
    if named and (directory / command).is_dir():
        raise Failure(f"{what}: is a directory, not a program")
    if named:
        raise Failure(f"{what}: no such file; it is looked for from the manifest's directory")
    raise Failure(
        f"command not found: {what} (PATH searched: {visible(path)})",
        hint="install it, or write the whole path of the command",
    )


def _why(error: OSError | ValueError, command: str) -> str:
    """Why the file `command` cannot be started; the system names no interpreter."""
    if not isinstance(error, OSError):
        return str(error)
    if not isinstance(error, FileNotFoundError) or not Path(command).is_file():
        return error.strerror or ""
    with suppress(OSError), open(command, "rb") as file:  # noqa: PTH123
        first = file.readline(_LONGEST_FIRST_LINE).decode("utf-8", "replace").rstrip("\n")
        if first.startswith("#!"):
            interpreter = (first[2:].strip(" \t").split(" ") or [""])[0]
            return f"the interpreter of its first line is not there: {interpreter}"
    return "it is there, and what loads it is not"


def _written(command: str, directory: Path) -> str:
    """`command` for a message: a path is shown from the manifest's directory."""
    return visible(shown(Path(command), directory) if os.sep in command else command)
