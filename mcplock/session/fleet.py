"""All servers at once: one thread each, and nothing of theirs left behind."""

import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mcplock.manifest import Launch, Unresolved, resolve
from mcplock.model import Issue, Snapshot, Stage, Status, Transport
from mcplock.session import orphans
from mcplock.session.channel import Bug, Failure, TimedOut, unexpected
from mcplock.session.model import Progress, Setting, Target, ignore
from mcplock.session.process import ServerProcess, start_process

if TYPE_CHECKING:  # loaded once the processes are started, so that they boot meanwhile
    from mcplock.logins import Logins
    from mcplock.session.session import Session

_CLOSING = 8.0  # seconds after its deadline until a server that is not closed is given up


def snapshots(
    targets: Sequence[Target],
    *,
    directory: Path,
    environ: Mapping[str, str],
    client_name: str = "mcplock",
    progress: Progress = ignore,
    ca_file: Path | None = None,
    logins: "Logins | None" = None,
) -> dict[str, Snapshot]:
    """What each server lists, by its name, in the order of `targets`.

    All are started at once. What is wrong with one is the `failure` of its snapshot and
    touches no other. When this returns, or raises KeyboardInterrupt, every server is closed
    and every process it started has ended. directory: the manifest's; environ: where
    variables come from; ca_file: certificates to trust besides the system's; logins: where
    tokens for hosted servers are.
    """
    setting = Setting(directory, environ, client_name, ca_file, logins)
    runs = [_Run(target, setting, progress) for target in targets]
    with orphans.Guard():
        try:
            for run in runs:
                run.start()
            for run in runs:
                run.begin()
            for run in runs:
                run.wait()
        except BaseException:
            _end_early(runs)
            raise
    return {run.name: run.outcome() for run in runs}


def _end_early(runs: Sequence["_Run"]) -> None:
    """Close every server, politely at first; a second interrupt ends them at once."""
    try:
        for run in runs:
            run.abort()
        for run in runs:
            run.wait()
    except BaseException:
        for run in runs:
            run.kill()
        for run in runs:
            run.wait()
        raise


class _Run:
    """One server's part: started here, then conducted by a thread of its own."""

    def __init__(self, target: Target, setting: Setting, progress: Progress) -> None:
        self.name = target.server.name
        self._target = target
        self._setting = setting
        self._progress = progress
        self._launch: Launch | None = None
        self._process: ServerProcess | None = None
        self._unstarted: Failure | None = None
        self._session: Session | None = None
        self._snapshot: Snapshot | None = None
        self._crash: BaseException | None = None
        self._thread: threading.Thread | None = None
        # Thread.join is no help: interrupted once, it takes a thread that runs for one that ended.
        self._closed = threading.Event()

    def start(self) -> None:
        """Start the process, if it is one, and nothing else: the next server waits for this."""
        try:
            self._launch = resolve(
                self._target.server, self._setting.directory, self._setting.environ
            )
            if self._launch.type is Transport.STDIO:
                self._process = start_process(self._launch, self._setting)
        except Unresolved as unresolved:
            self._snapshot = Snapshot(self.name, failure=unresolved.issue, status=Status.UNRESOLVED)
        except Failure as failure:
            self._unstarted = failure
        except Exception as error:  # noqa: BLE001 - it is this server's affair, not the others'
            self._unstarted = unexpected(error, "cannot start it")

    def begin(self) -> None:
        """Start the thread that will talk to it."""
        if self._snapshot:  # it was not even resolved
            return
        try:
            self._converse()
        except Failure as failure:
            self._snapshot = self._failed(failure)
        except Exception as error:  # noqa: BLE001 - it is this server's affair, not the others'
            self._snapshot = self._failed(unexpected(error, "cannot start it"))

    def _converse(self) -> None:
        from mcplock.session.session import Session

        if self._launch:  # also where nothing was started: a session knows which words are secret
            self._session = Session(self._target, self._launch, self._setting, self._report)
        if self._unstarted:
            raise self._unstarted
        assert self._session  # noqa: S101 - what is launched and did not fail
        self._session.start(self._process)
        thread = threading.Thread(target=self._conduct, args=(self._session,), daemon=True)
        thread.start()
        self._thread = thread

    def _failed(self, failure: Failure) -> Snapshot:
        if self._session:
            return self._session.failed(failure)
        bug = failure.error if isinstance(failure, Bug) else None
        issue = Issue(self.name, Stage.START, failure.message, bug=bug)
        return Snapshot(self.name, failure=issue, status=Status.UNREACHABLE)

    def abort(self) -> None:
        """Make the thread close its server and end."""
        if self._session:
            self._session.abort()

    def kill(self) -> None:
        """End its process at once."""
        if self._session:
            self._session.kill()
        elif self._process:
            self._process.kill()

    def wait(self) -> None:
        """Wait until the server is closed; one that does not even stop in time is killed."""
        if self._session and self._thread:
            patience = max(self._session.deadline - time.monotonic(), 0) + _CLOSING
            if not self._closed.wait(patience):
                self._session.kill()
                self._closed.wait(_CLOSING)
        else:  # interrupted before its thread began
            self._close()

    def _close(self) -> None:
        if self._session:
            self._session.close()
        if self._process:
            self._process.discard()

    def outcome(self) -> Snapshot:
        """The snapshot; what ended the thread itself is raised here."""
        if self._crash:
            raise self._crash
        if self._snapshot is None and self._session:  # its thread is lost
            return self._session.failed(TimedOut("cannot be brought to an end"))
        assert self._snapshot  # noqa: S101 - `start` has left it
        return self._snapshot

    def _report(self, what: str) -> None:
        self._progress(self.name, what)

    def _conduct(self, session: "Session") -> None:
        try:
            with session:
                self._snapshot = session.snapshot()
                self._report("closing")
        except Exception as error:  # noqa: BLE001 - whatever a server does, the others count
            self._snapshot = session.failed(unexpected(error))
        except BaseException as error:  # noqa: BLE001 - it goes on in the thread that waits
            self._crash = error
        finally:
            self._closed.set()
