"""Where this machine is logged in: OAuth tokens by server, for this user only.

One directory for each login lies in the state directory. What is secret is in the system's
keyring where the extra `keyring` is installed and finds one, else in the login's own file.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from urllib.parse import urlsplit, urlunsplit

from mcplock.errors import McplockError
from mcplock.files import exclusive, make_private, shown, write_atomic
from mcplock.jsontext import Json
from mcplock.records import NamedTuple
from mcplock.text import visible

_SERVICE = "mcplock"
_FILE = "login.json"
_SECRET = ("tokens", "client")
_ASKED_AS = ("client_id", "issuer", "scope")


class Login(NamedTuple):
    """What came of one login. `url`: where to, without userinfo and query.

    tokens: the answer of the token endpoint; client: as which it was made, empty where the
    manifest says so; authorization_server, resource: their published metadata; expires: when
    the access token does, in seconds since 1970.
    """

    url: str
    tokens: Mapping[str, Json]
    client: Mapping[str, Json] = {}
    authorization_server: Mapping[str, Json] = {}
    resource: Mapping[str, Json] = {}
    expires: float | None = None

    def __repr__(self) -> str:
        """Without the secrets."""
        return f"Login({self.url!r}, expires={self.expires!r})"


class Kept(NamedTuple):
    """What can be told of a login without its secrets.

    place: `keyring` or `file`; renews: whether a token whose time is over can be replaced
    without a person; problem: why it cannot be used, and then nothing but `key` is known.
    """

    key: str
    url: str
    place: str
    expires: float | None = None
    renews: bool = True
    problem: str = ""

    def is_over(self, now: float) -> bool:
        """Whether nobody but a person can make it work again."""
        return not self.renews and self.expires is not None and now >= self.expires


def login_key(url: str, oauth: Mapping[str, str]) -> str:
    """What a login is found by: the server's whole URL, and as whom and for what it was made.

    A login for another client, issuer or scope is another login.
    """
    asked = {name: oauth[name] for name in _ASKED_AS if name in oauth}
    text = json.dumps([urlunsplit(urlsplit(url)._replace(fragment="")), asked], sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class Logins(NamedTuple):
    """The logins of this machine's user."""

    state_dir: Path

    def has(self, key: str) -> bool:
        """Whether there is such a login; reads nothing."""
        return self._path(key).is_file()

    def find(self, key: str) -> Login | None:
        """The login, None where there is none; raises `McplockError` for one that is lost."""
        try:
            document = self._document(key)
        except FileNotFoundError:
            return None
        secrets = document["secrets"] or self._from_keyring(key)
        try:
            return Login(
                str(document["url"]),
                **{name: dict(secrets[name]) for name in _SECRET},
                authorization_server=dict(document["authorization_server"]),
                resource=dict(document["resource"]),
                expires=document["expires"],
            )
        except (KeyError, TypeError, ValueError):
            raise self._damaged(key) from None

    def keep(self, key: str, login: Login) -> str:
        """Remember `login`; answers where: `keyring` or `file`."""
        secrets = {name: dict(getattr(login, name)) for name in _SECRET}
        in_keyring = _to_keyring(key, json.dumps(secrets))
        document = {
            "version": 1,
            "url": login.url,
            "expires": login.expires,
            "renews": "refresh_token" in login.tokens,
            "authorization_server": dict(login.authorization_server),
            "resource": dict(login.resource),
            "secrets": None if in_keyring else secrets,
        }
        path = self._path(key)
        self._make_directory(path)
        with suppress(OSError):  # there is none yet
            path.chmod(0o600)
        write_atomic(path, (json.dumps(document, indent=2) + "\n").encode(), mode=0o600)
        return "keyring" if in_keyring else "file"

    def forget(self, key: str) -> None:
        """Drop the login and its secrets, also where it is damaged."""
        path = self._path(key)
        try:
            in_keyring = self._document(key)["secrets"] is None
        except FileNotFoundError:
            return
        except McplockError:  # perhaps they are there
            in_keyring = True
        if in_keyring:
            _out_of_keyring(key)
        try:
            path.unlink(missing_ok=True)
            with suppress(OSError):  # a lock may lie beside it
                path.parent.rmdir()
        except OSError as error:
            raise McplockError(f"{_shown(path)}: cannot be removed: {error.strerror}") from None

    def all(self) -> Iterator[Kept]:
        """Every login, by its address; one that cannot be read says why."""
        found = []
        for path in self._path("*").parent.parent.glob(f"*/{_FILE}"):
            with suppress(FileNotFoundError):
                found.append(self._kept(path.parent.name))
        yield from sorted(found, key=lambda kept: (kept.url, kept.key))

    def _kept(self, key: str) -> Kept:
        try:
            document = self._document(key)
        except McplockError as error:
            return Kept(key, "", "file", problem=error.message)
        place = "file" if document["secrets"] else "keyring"
        return Kept(key, document["url"], place, document["expires"], document.get("renews", True))

    @contextmanager
    def locked(self, key: str, patience: float) -> Iterator[None]:
        """Hold the login against other processes: a refresh token often works only once."""
        path = self._path(key)
        self._make_directory(path)
        with exclusive(path, patience=patience):
            yield

    def _path(self, key: str) -> Path:
        return self.state_dir / "logins" / key / _FILE

    def _make_directory(self, path: Path) -> None:
        try:
            make_private(path.parent)
        except OSError as error:
            message = f"{_shown(path)}: cannot be written: {error.strerror}"
            hint = "set XDG_STATE_HOME to a directory of yours"
            raise McplockError(message, hint=hint) from None

    def _document(self, key: str) -> dict[str, Json]:
        path = self._path(key)
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise
        except OSError as error:
            raise McplockError(f"{_shown(path)}: cannot be read: {error.strerror}") from None
        except (ValueError, RecursionError):
            document = None
        if not isinstance(document, dict) or not _is_sound(document):
            raise self._damaged(key)
        return document

    def _from_keyring(self, key: str) -> dict[str, Json]:
        keyring = _keyring()
        if keyring is None:
            message = "the login is in the system's keyring, which cannot be reached from here"
            raise McplockError(message, hint="install `mcplock-cli[keyring]`, or log in again")
        try:
            text = keyring.get_password(_SERVICE, key)
        except Exception as error:  # noqa: BLE001 - each backend has errors of its own
            raise McplockError(f"the keyring refuses: {type(error).__name__}") from None
        if text is None:
            message = "the login is not in the system's keyring any more"
            raise McplockError(message, hint="log in again")
        try:
            secrets = json.loads(text)
        except ValueError:
            secrets = None
        if not isinstance(secrets, dict):
            message = "what the system's keyring has of the login is damaged"
            raise McplockError(message, hint="log in again")
        return secrets

    def _damaged(self, key: str) -> McplockError:
        return McplockError(f"{_shown(self._path(key))} is damaged", hint="log in again")


def _is_sound(document: Mapping[str, Json]) -> bool:
    """Whether a login can be told of; its secrets are looked at where they are used."""
    return (
        document.get("version") == 1
        and isinstance(document.get("url"), str)
        and isinstance(document.get("secrets", ""), dict | None)
        and isinstance(document.get("expires", ""), int | float | None)
        and isinstance(document.get("renews", True), bool)
    )


def bare(url: str) -> str:
    """`url` without userinfo, query and fragment, which may hold secrets."""
    parts = urlsplit(url)
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=place, query="", fragment=""))


def _shown(path: Path) -> str:
    return visible(shown(path))


def _keyring() -> ModuleType | None:
    """The library, where it is installed and finds a keyring; less than 1 is none to be trusted."""
    if find_spec("keyring") is None:
        return None
    try:
        import keyring

        return keyring if keyring.get_keyring().priority >= 1 else None
    except Exception:  # noqa: BLE001 - a keyring that does not work is none
        return None


def _to_keyring(key: str, secrets: str) -> bool:
    """Whether a keyring took `secrets`; some are too small for long tokens."""
    keyring = _keyring()
    if keyring is None:
        return False
    try:
        keyring.set_password(_SERVICE, key, secrets)
    except Exception:  # noqa: BLE001 - locked, too small, not reachable: then it is a file
        return False
    return True


def _out_of_keyring(key: str) -> None:
    keyring = _keyring()
    if keyring is not None:
        with suppress(Exception):  # it is gone already
            keyring.delete_password(_SERVICE, key)
