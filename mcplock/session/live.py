"""A session with one server that stays open for as long as somebody needs it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mcplock.manifest import resolve
from mcplock.session import orphans
from mcplock.session.channel import Failure, unexpected
from mcplock.session.model import Failed, Progress, Setting, Target, ignore
from mcplock.session.session import Session

if TYPE_CHECKING:
    from mcplock.logins import Logins


@contextmanager
def connected(
    target: Target,
    *,
    directory: Path,
    environ: Mapping[str, str],
    client_name: str = "mcplock",
    progress: Progress = ignore,
    ca_file: Path | None = None,
    hold: Callable[[Session], None] | None = None,
    logins: "Logins | None" = None,
) -> Iterator[Session]:
    """A session whose server has introduced itself, closed with all it started at the end.

    The server's time is for start, handshake and `Session.lists`; each `Session.request` has
    its own. hold: is given the session before it is started, so that another thread can
    abort it; logins: where tokens for hosted servers are. Raises `Unresolved`, or `Failed`
    where it does not come to a session.
    """
    launch = resolve(target.server, directory, environ)
    setting = Setting(directory, environ, client_name, ca_file, logins)
    name = target.server.name
    session = Session(target, launch, setting, lambda what: progress(name, what))
    if hold:
        hold(session)
    with orphans.Guard(), session:
        try:
            session.start()
            session.greet()
        except Failure as failure:
            raise session.failure(failure) from None
        except Exception as error:  # noqa: BLE001 - the caller deals with one server's failure
            raise Failed(session.explain(unexpected(error, "cannot begin a session"))) from None
        yield session
