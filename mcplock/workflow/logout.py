"""`logout`: which logins are meant, what is forgotten, what is taken back at the server."""

from collections.abc import Iterable, Iterator

from mcplock.errors import McplockError, UsageError
from mcplock.logins import Kept, Login, Logins, bare, login_key
from mcplock.manifest import Launch, Server, Unresolved, resolve
from mcplock.model import Source, Transport
from mcplock.naming import nearest
from mcplock.records import NamedTuple
from mcplock.text import visible
from mcplock.workflow.project import Machine, Project

_OTHER_WAY = "`mcplock login --list` names the addresses of all logins, and `logout` takes one"


class LoggedOut(NamedTuple):
    """A login that is forgotten on this machine.

    not_revoked: why its tokens were not taken back at the server, "" where they were.
    """

    kept: Kept
    not_revoked: str = ""


def log_out(project: Project, name: str) -> Iterator[LoggedOut]:
    """Forget every login to the address of the server called `name`, one by one.

    Needs no secret of the manifest; raises `McplockError` where the address is not known.
    """
    launch = reached(project, _named(project, name))
    key = login_key(launch.url, launch.oauth)
    for kept in Logins(project.machine.state_dir).all():
        if kept.key == key:
            yield _forget(project.machine, kept, launch)
        elif kept.url == bare(launch.url):
            yield _forget(project.machine, kept)


def log_out_at(machine: Machine, address: str) -> Iterator[LoggedOut]:
    """Forget every login to a URL, or the damaged one that is kept under this key."""
    kept = Logins(machine.state_dir).all()
    return _forget_all(machine, (one for one in kept if address and address in (one.url, one.key)))


def log_out_everywhere(machine: Machine) -> Iterator[LoggedOut]:
    """Forget every login of this machine's user."""
    return _forget_all(machine, Logins(machine.state_dir).all())


def _forget_all(machine: Machine, logins: Iterable[Kept]) -> Iterator[LoggedOut]:
    for kept in logins:
        yield _forget(machine, kept)


def _forget(machine: Machine, kept: Kept, launch: Launch | None = None) -> LoggedOut:
    """Forget a login, and only then ask the server: whatever comes of that, it is gone here.

    launch: with the client, where it is this server of the manifest that the login is for.
    """
    logins = Logins(machine.state_dir)
    login, problem = _found(logins, kept.key)
    logins.forget(kept.key)
    if login is not None:
        from mcplock.session.login import Setting
        from mcplock.session.revoking import revoke

        launch = launch or Launch(Transport.HTTP, url=login.url)
        setting = Setting(machine.environ, ca_file=machine.ca_file)
        problem = revoke(login, launch, setting)
    return LoggedOut(kept, problem)


def _found(logins: Logins, key: str) -> tuple[Login | None, str]:
    try:
        return logins.find(key), ""
    except McplockError as error:
        return None, error.message


def reached(project: Project, server: Server) -> Launch:
    """The address, with as much of `oauth` as this run has the variables for.

    Raises `McplockError` where the address itself is not known.
    """
    for source in _ever_less(server.source):
        try:
            less = server._replace(source=source, refused=None)
            return resolve(less, project.manifest.directory, project.machine.environ)
        except Unresolved as unresolved:
            issue = unresolved.issue
    raise McplockError(f"{visible(server.name)}: {issue.message}", hint=_OTHER_WAY)


def _ever_less(source: Source) -> Iterator[Source]:
    public = {name: text for name, text in source.oauth.items() if name != "client_secret"}
    for oauth in (source.oauth, public, {}):
        yield source._replace(headers={}, oauth=oauth)


def _named(project: Project, name: str) -> Server:
    """The server, disabled or refused as it may be."""
    servers = project.manifest.servers
    if name not in servers:
        near = nearest(name, list(servers))
        message = f"the manifest has no server {visible(name)}"
        raise UsageError(f"{message}; {near}" if near else message, hint=_OTHER_WAY)
    if servers[name].source.type is Transport.STDIO:
        message = f"{visible(name)} is started on this machine: there is no login to forget"
        raise UsageError(message, hint=_OTHER_WAY)
    return servers[name]
