"""`login`: which server is meant, whether it may be asked, what is remembered."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from mcplock.errors import McplockError, MissingFile, UsageError
from mcplock.logins import Kept, Logins, bare, login_key
from mcplock.manifest import Launch, Server, Unresolved, resolve
from mcplock.manifest.oauth import MACHINE, SCOPE
from mcplock.model import Lock, Transport
from mcplock.records import NamedTuple
from mcplock.text import visible
from mcplock.workflow.contact import untrusted
from mcplock.workflow.logout import reached
from mcplock.workflow.project import Consent, Machine, Project
from mcplock.workflow.servers import chosen

if TYPE_CHECKING:
    from mcplock.session.login import Person


class LoggedIn(NamedTuple):
    """A login that was made. locked: the server is in the lock."""

    server: str
    kept: Kept
    locked: bool


class Standing(NamedTuple):
    """Where a server of the manifest stands; logins of other projects have no server name.

    kept: the login; why_not: what the manifest sends in place of one.
    """

    server: str
    url: str
    kept: Kept | None
    why_not: str = ""


def log_in(
    project: Project,
    name: str,
    person: "Person",
    consent: Consent,
    *,
    remember: bool,
    scopes: Sequence[str] = (),
) -> LoggedIn:
    """Log in to the server called `name`; raises `McplockError` where that is not possible.

    scopes: what to ask for, where the manifest does not say it.
    """
    server, launch = _target(project, name)
    _refuse(server, launch)
    _check_scopes(server, scopes)
    lock = _lock(project)
    strange = untrusted(project, [server], lock)
    if strange and not consent(strange):
        message = f"{visible(name)}: this machine has no consent to contact it"
        raise UsageError(message, hint="`mcplock login --yes NAME`")
    if strange and remember:
        project.trust.remember([start.hash for start in strange])
    from mcplock.session.login import Setting
    from mcplock.session.login import log_in as dance

    machine = project.machine
    setting = Setting(machine.environ, project.manifest.client_name, machine.ca_file, scopes)
    login = dance(server, launch, setting, person)
    key = login_key(launch.url, launch.oauth)
    place = Logins(machine.state_dir).keep(key, login)
    kept = Kept(key, login.url, place, login.expires, "refresh_token" in login.tokens)
    return LoggedIn(name, kept, name in lock.servers)


def standings(machine: Machine, project: Project | None) -> Iterator[Standing]:
    """Every server of `project` that one may log in to, then the logins of other projects."""
    logins = {kept.key: kept for kept in Logins(machine.state_dir).all()}
    if project is not None:
        yield from _own_standings(project, logins)
    for kept in logins.values():
        yield Standing("", kept.url, kept)


def _own_standings(project: Project, logins: dict[str, Kept]) -> Iterator[Standing]:
    """Those of the project's servers; their logins are taken out of `logins`."""
    for server in project.manifest.servers.values():
        if server.source.type is Transport.STDIO or server.refused:
            continue
        try:
            launch = resolve(server, project.manifest.directory, project.machine.environ)
        except Unresolved:
            yield from _found(project, server, logins)
            continue
        kept = logins.pop(login_key(launch.url, launch.oauth), None)
        yield Standing(server.name, bare(launch.url), kept, _instead(launch))


def _found(project: Project, server: Server, logins: dict[str, Kept]) -> Iterator[Standing]:
    """The login to a server that lacks a variable, if there is one."""
    with suppress(McplockError):
        launch = reached(project, server)
        if kept := logins.pop(login_key(launch.url, launch.oauth), None):
            yield Standing(server.name, bare(launch.url), kept)


def _target(project: Project, name: str) -> tuple[Server, Launch]:
    (server,) = chosen(project, [name])
    if server.source.type is Transport.STDIO:
        message = f"{visible(name)} is started on this machine: there is nothing to log in to"
        raise UsageError(message, hint="`mcplock login --list` names the servers that have a URL")
    try:
        launch = resolve(server, project.manifest.directory, project.machine.environ)
    except Unresolved as unresolved:
        issue = unresolved.issue
        raise McplockError(f"{visible(name)}: {issue.message}", hint=issue.hint) from None
    return server, launch


def _instead(launch: Launch) -> str:
    """What the manifest sends in place of a login."""
    from mcplock.session.access import sends_credentials

    if sends_credentials(launch):
        return "the manifest's credentials"
    return "client credentials" if launch.oauth.get("grant") == MACHINE else ""


def _refuse(server: Server, launch: Launch) -> None:
    from mcplock.session.access import sends_credentials

    name = visible(server.name)
    if sends_credentials(launch):
        message = f"{name} is sent the credentials of the manifest, which a login would not change"
        hint = f"take `Authorization` or the user in the URL out of {server.place} to log in"
        raise UsageError(message, hint=hint)
    if launch.oauth.get("grant") == MACHINE:
        message = f"{name} gets client credentials: mcplock asks for a token whenever it needs one"
        raise UsageError(message, hint="`mcplock check`")


def _check_scopes(server: Server, scopes: Sequence[str]) -> None:
    if scopes and "scope" in server.source.oauth:
        message = f"the manifest says which scopes {visible(server.name)} is asked for"
        raise UsageError(message, hint=f"change `scopes` under `oauth` in {server.place}")
    if not all(map(SCOPE.fullmatch, scopes)):
        raise UsageError("`--scope` takes one scope, without spaces, quotes and backslashes")


def _lock(project: Project) -> Lock:
    try:
        return project.lock().lock
    except MissingFile:
        return Lock()
