"""Where logins are kept."""

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backends import null
from keyring.errors import KeyringLocked
from keyrings.alt.file import PlaintextKeyring

from mcplock.errors import McplockError
from mcplock.logins import Login, Logins, login_key
from tests.machine import without_keyring

URL = "https://docs.example.com/mcp"
KEY = login_key(URL, {})
LOGIN = Login(
    URL,
    {"access_token": "at-0123456789", "refresh_token": "rt-0123456789"},
    {"client_id": "me", "client_secret": "cs-0123456789"},
    {"issuer": "https://login.example.com"},
    {"resource": URL},
    1800000000.5,
)
SECRETS = ("at-0123456789", "rt-0123456789", "cs-0123456789")


class FileKeyring(PlaintextKeyring):
    """A keyring that works without a desktop; by itself it is not taken for one."""

    priority = 5  # type: ignore[assignment]


@pytest.fixture(autouse=True)
def _no_keyring() -> Iterator[None]:
    with without_keyring():
        yield


@pytest.fixture
def file_keyring(tmp_path: Path) -> Path:
    backend = FileKeyring()
    backend.file_path = str(tmp_path / "ring" / "ring.cfg")
    keyring.set_keyring(backend)
    return tmp_path / "ring" / "ring.cfg"


@pytest.fixture
def logins(tmp_path: Path) -> Logins:
    return Logins(tmp_path / "state")


def files(logins: Logins) -> list[Path]:
    return [path for path in logins.state_dir.rglob("*") if path.is_file()]


def test_a_login_is_kept_in_a_file_that_only_its_user_can_read(logins: Logins) -> None:
    assert not logins.has(KEY)
    assert logins.find(KEY) is None
    assert logins.keep(KEY, LOGIN) == "file"
    assert logins.has(KEY)
    assert logins.find(KEY) == LOGIN
    (path,) = files(logins)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    below = [path.parent, path.parent.parent, logins.state_dir]
    assert [stat.S_IMODE(directory.stat().st_mode) for directory in below] == [0o700] * 3


def test_a_file_that_others_could_read_is_closed_to_them(logins: Logins) -> None:
    logins.keep(KEY, LOGIN)
    (path,) = files(logins)
    path.chmod(0o644)
    logins.keep(KEY, LOGIN._replace(expires=None))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_no_secret_is_in_the_repr() -> None:
    assert not [secret for secret in SECRETS if secret in repr(LOGIN)]


def test_a_login_is_for_one_url_and_one_client() -> None:
    keys = [
        KEY,
        login_key(URL + "/x", {}),
        login_key("https://docs.example.com:444/mcp", {}),
        login_key("http://docs.example.com/mcp", {}),
        login_key(URL + "?tenant=1", {}),
        login_key(URL, {"client_id": "me"}),
        login_key(URL, {"scope": "read"}),
        login_key(URL, {"issuer": "https://i"}),
    ]
    assert len(set(keys)) == len(keys)
    assert login_key(URL + "#x", {"client_secret": "s"}) == KEY


def test_what_is_forgotten_is_gone(logins: Logins) -> None:
    logins.keep(KEY, LOGIN)
    logins.keep("other", LOGIN._replace(url="https://a"))
    assert [kept.url for kept in logins.all()] == ["https://a", URL]
    logins.forget(KEY)
    logins.forget(KEY)
    assert [(kept.key, kept.url, kept.place) for kept in logins.all()] == [
        ("other", "https://a", "file")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"version": 2}',
        '{"version": 1, "secrets": {"tokens": 1}}',
        '{"version": 1, "url": "https://a", "secrets": {}, "expires": "soon"}',
    ],
)
def test_a_damaged_file_is_an_error(logins: Logins, text: str) -> None:
    logins.keep(KEY, LOGIN)
    (path,) = files(logins)
    path.write_text(text)
    with pytest.raises(McplockError, match="is damaged") as caught:
        logins.find(KEY)
    assert caught.value.hint == "log in again"
    (kept,) = logins.all()
    assert (kept.key, kept.url, "is damaged" in kept.problem) == (KEY, "", True)
    logins.forget(KEY)
    assert files(logins) == []


@pytest.mark.parametrize(
    ("tokens", "expires", "over"),
    [
        ({"access_token": "a", "refresh_token": "r"}, 10.0, False),
        ({"access_token": "a"}, 10.0, True),
        ({"access_token": "a"}, 30.0, False),
        ({"access_token": "a"}, None, False),
    ],
)
@pytest.mark.usefixtures("file_keyring")
@pytest.mark.parametrize("in_keyring", [True, False])
def test_a_login_is_over_where_nothing_renews_it(
    logins: Logins,
    tokens: dict[str, str],
    expires: float | None,
    over: bool,
    in_keyring: bool,
) -> None:
    if not in_keyring:
        keyring.set_keyring(null.Keyring())
    logins.keep(KEY, LOGIN._replace(tokens=tokens, expires=expires))
    (kept,) = logins.all()
    assert kept.is_over(20.0) is over


def test_a_keyring_has_the_secrets_where_there_is_one(logins: Logins, file_keyring: Path) -> None:
    assert logins.keep(KEY, LOGIN) == "keyring"
    assert logins.find(KEY) == LOGIN
    (path,) = files(logins)
    assert not [secret for secret in SECRETS if secret in path.read_text()]
    assert [kept.place for kept in logins.all()] == ["keyring"]
    assert json.loads(keyring.get_password("mcplock", KEY) or "")["tokens"] == LOGIN.tokens
    logins.forget(KEY)
    assert keyring.get_password("mcplock", KEY) is None
    assert file_keyring.is_file()


def test_a_keyring_that_is_gone_is_an_error(logins: Logins, file_keyring: Path) -> None:
    logins.keep(KEY, LOGIN)
    keyring.set_keyring(null.Keyring())
    with pytest.raises(McplockError, match="cannot be reached"):
        logins.find(KEY)
    assert file_keyring.is_file()


@pytest.mark.parametrize(
    ("left", "told"), [(None, "is not in the system's keyring any more"), ("{", "is damaged")]
)
@pytest.mark.usefixtures("file_keyring")
def test_a_keyring_that_has_it_no_more_is_named(
    logins: Logins, left: str | None, told: str
) -> None:
    logins.keep(KEY, LOGIN)
    keyring.delete_password("mcplock", KEY)
    if left:
        keyring.set_password("mcplock", KEY, left)
    with pytest.raises(McplockError, match="keyring") as caught:
        logins.find(KEY)
    assert told in caught.value.message and "login.json" not in caught.value.message
    assert caught.value.hint == "log in again"


@pytest.mark.usefixtures("file_keyring")
def test_a_damaged_file_leaves_nothing_in_the_keyring(logins: Logins) -> None:
    logins.keep(KEY, LOGIN)
    (path,) = [path for path in files(logins) if path.name == "login.json"]
    path.write_text("{")
    logins.forget(KEY)
    assert keyring.get_password("mcplock", KEY) is None


def test_a_keyring_that_refuses_leaves_the_file(
    logins: Logins, file_keyring: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_: object) -> None:
        raise KeyringLocked("locked")

    monkeypatch.setattr(FileKeyring, "set_password", locked)
    assert logins.keep(KEY, LOGIN) == "file"
    assert logins.find(KEY) == LOGIN
    assert not file_keyring.exists()


def test_a_keyring_without_priority_is_none(logins: Logins, tmp_path: Path) -> None:
    backend = PlaintextKeyring()
    backend.file_path = str(tmp_path / "plain.cfg")
    keyring.set_keyring(backend)
    assert logins.keep(KEY, LOGIN) == "file"
    assert not (tmp_path / "plain.cfg").exists()
