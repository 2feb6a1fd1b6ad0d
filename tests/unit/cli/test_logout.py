"""Logins that a person wants to see, or to be rid of."""

from collections.abc import Iterator

import pytest

from mcplock.logins import Login, Logins, login_key
from tests.machine import without_keyring

from .conftest import Project

URL = "https://docs.example.com/mcp"
KEPT = "logged in, kept in a file that only you can read"


@pytest.fixture(autouse=True)
def _no_keyring() -> Iterator[None]:
    with without_keyring():
        yield


@pytest.fixture
def logins(project: Project) -> Logins:
    return Logins(project.home / "mcplock")


def keep(logins: Logins, url: str = URL, expires: float | None = None, **oauth: str) -> str:
    key = login_key(url, oauth)
    logins.keep(key, Login(url, {"access_token": "at-0123456789"}, expires=expires))
    return key


def manifest(project: Project, more: str = "") -> None:
    text = f'[servers.docs]\nurl = "{URL}"\n{more}'
    (project.root / "mcp.toml").write_text(text, encoding="utf-8")


def test_a_login_is_forgotten_that_no_manifest_names(project: Project, logins: Logins) -> None:
    keep(logins)
    listed = project.ok("login", "--list").out
    assert listed == f"(another project)  {KEPT}  {URL}\n"
    nameless = project.run("logout", "docs")
    assert nameless.code == 2
    assert "no manifest" in nameless.err and "`mcplock login --list` names them" in nameless.err

    result = project.ok("logout", URL)
    assert result.out == f"logged out of {URL}\n"
    assert "its tokens were not taken back there: its authorization server names no" in result.err
    assert project.ok("logout", URL).out == f"there was no login to {URL}\n"
    assert project.ok("login", "--list").out == ""


def test_a_server_that_left_the_manifest_leads_to_its_address(
    project: Project, logins: Logins
) -> None:
    keep(logins)
    (project.root / "mcp.toml").write_text('[servers.other]\ncommand = "x"\n', encoding="utf-8")
    result = project.run("logout", "docs")
    assert result.code == 2
    assert "the manifest has no server docs" in result.err
    assert "hint: `mcplock login --list` names the addresses" in result.err
    assert "started on this machine" in project.run("logout", "other").err
    assert list(logins.all())


def test_a_manifest_that_is_named_and_not_there_is_an_error(project: Project) -> None:
    assert project.run("login", "--list", "--manifest", "gone.toml").code == 2


@pytest.mark.parametrize(
    "more",
    [
        'oauth = { client_id = "me", client_secret = "${CS}", issuer = "https://i" }\n',
        'oauth = { client_id = "${ID}" }\n',
        'headers = { X-Account = "${ACCOUNT}" }\n',
        'headers = { X-Api-Key = "sk-0123456789abcdefghij" }\n',
        "disabled = true\n",
    ],
)
def test_forgetting_needs_no_secret(project: Project, logins: Logins, more: str) -> None:
    manifest(project, more)
    keep(logins)
    assert project.ok("logout", "docs").out == "logged out of docs\n"
    assert not list(logins.all())


def test_a_server_that_lacks_a_variable_is_listed_with_its_login(
    project: Project, logins: Logins
) -> None:
    client = {"client_id": "me", "issuer": "https://i"}
    manifest(project, 'oauth = { client_id = "me", client_secret = "${CS}", issuer = "https://i" }')
    keep(logins, **client)
    assert project.ok("login", "--list").out == f"docs  {KEPT}  {URL}\n"


def test_an_address_in_a_variable_that_is_not_set_is_told(project: Project) -> None:
    (project.root / "mcp.toml").write_text('[servers.docs]\nurl = "${AT}"\n', encoding="utf-8")
    result = project.run("logout", "docs")
    assert result.code == 2
    assert "docs: not set: `AT`" in result.err and "`mcplock login --list`" in result.err


@pytest.mark.parametrize("by", ["name", "key", "all"])
def test_a_damaged_login_is_told_and_removed(project: Project, logins: Logins, by: str) -> None:
    manifest(project)
    key = keep(logins)
    (path,) = logins.state_dir.rglob("login.json")
    path.write_text("{")
    listed = project.ok("login", "--list").out
    assert "login.json is damaged" in listed and f"`mcplock logout {key}` removes it" in listed

    result = project.ok("logout", {"name": "docs", "key": key, "all": "--all"}[by])
    assert result.out.startswith("removed a login that could not be read: ")
    assert not list(logins.state_dir.rglob("login.json"))


def test_all_logins_are_forgotten_at_once(project: Project, logins: Logins) -> None:
    keep(logins)
    keep(logins, "https://a.example.com/mcp")
    result = project.ok("logout", "--all")
    assert result.out == f"logged out of https://a.example.com/mcp\nlogged out of {URL}\n"
    assert project.ok("logout", "--all").out == "there was no login\n"
    assert project.run("logout").code == project.run("logout", "--all", "docs").code == 2


def test_a_login_that_is_over_is_not_called_one(project: Project, logins: Logins) -> None:
    manifest(project)
    keep(logins, expires=1.0)
    assert project.ok("login", "--list").out == f"docs  its login has ended  {URL}\n"
