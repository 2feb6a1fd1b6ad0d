"""Logins to a hosted server whose authorization server is the SDK's."""

import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import keyring
import pytest
from keyring.backends import null

from mcplock.errors import McplockError
from mcplock.logins import Login, Logins, login_key
from mcplock.manifest import Server, resolve
from mcplock.model import Invalid, Kind, Place, Snapshot, Source, Transport
from mcplock.session import Target, snapshots
from mcplock.session.login import Setting, Visit, log_in
from mcplock.session.oauth import permitted


@pytest.fixture(autouse=True)
def _no_keyring(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("mcplock.session.login._PATIENCE", 10.0)  # for a test that has failed
    before = keyring.get_keyring()
    keyring.set_keyring(null.Keyring())
    yield
    keyring.set_keyring(before)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def back_from(url: str) -> str:
    """Where the authorization server sends the browser that opens `url`."""
    try:
        urllib.request.build_opener(NoRedirect).open(url, timeout=10)
    except urllib.error.HTTPError as answer:
        assert answer.code == 302, answer.read()
        return str(answer.headers["location"])
    raise AssertionError("it was not sent back")


class Browser:
    """A person with a browser on this machine. back: what becomes of where it is sent back."""

    def __init__(self, *back: Callable[[str], str]) -> None:
        self.visits: list[Visit] = []
        self.pages: list[tuple[int, str]] = []
        self.problems: list[str] = []
        self._back = back or (str,)

    def visit(self, visit: Visit) -> None:
        self.visits.append(visit)
        threading.Thread(target=self._open, args=(visit.url,), daemon=True).start()

    def _open(self, url: str) -> None:
        address = back_from(url)
        for change in self._back:
            try:
                with urllib.request.urlopen(change(address), timeout=10) as page:
                    self.pages.append((page.status, page.read().decode()))
            except urllib.error.HTTPError as error:
                self.pages.append((error.code, error.read().decode()))

    def paste(self, gone: threading.Event) -> str | None:
        return None

    def complain(self, problem: str) -> None:
        self.problems.append(problem)


class Elsewhere(Browser):
    """A person whose browser is on another machine, and who pastes where it is sent back."""

    def visit(self, visit: Visit) -> None:
        self.visits.append(visit)
        address = back_from(visit.url)
        self._typed = [change(address) for change in self._back]

    def paste(self, gone: threading.Event) -> str | None:
        return self._typed.pop(0) if self._typed else None


def server(url: str, **more: Any) -> Server:
    port = more.pop("redirect_port", 0)
    headers = more.pop("headers", {})
    source = Source(Transport.HTTP, url=url, headers=headers, oauth=more)
    return Server("web", source, Place("mcp.toml", 1), timeout=20.0, redirect_port=port)


def login(
    hosted: Any, person: Browser | None = None, environ: dict[str, str] | None = None, **oauth: Any
) -> Login:
    target = server(hosted.url, **oauth)
    launch = resolve(target, Path(), environ or {})
    return log_in(target, launch, Setting({}), person or Browser())


def refusal(hosted: Any, person: Browser | None = None, **more: Any) -> tuple[str, str]:
    with pytest.raises(McplockError) as caught:
        login(hosted, person, **more)
    told = caught.value.message + caught.value.hint
    assert not [secret for secret in hosted.provider.given if secret in told]
    return caught.value.message, caught.value.hint


@pytest.fixture
def logins(tmp_path: Path) -> Logins:
    return Logins(tmp_path / "state")


@pytest.fixture
def visit(logins: Logins, tmp_path: Path) -> Callable[..., Snapshot]:
    """Ask a server as every command does: visit(URL, client_id=…, headers=…)."""

    def visited(url: str, environ: dict[str, str] | None = None, **more: Any) -> Snapshot:
        targets = [Target(server(url, **more), "2025-11-25")]
        return snapshots(targets, directory=tmp_path, environ=environ or {}, logins=logins)["web"]

    return visited


Visited = Callable[..., Snapshot]


# ---- logging in


def test_the_whole_dance_leads_to_a_token_that_commands_use(
    hosted: Any, logins: Logins, visit: Visited
) -> None:
    assert "`mcplock login web`" in visit(hosted.url).failure.hint
    person = Browser()
    made = login(hosted, person)
    assert person.pages == [
        (200, "mcplock has the answer: close this window and go back to the terminal.\n")
    ]
    ((url, hosts, redirect),) = person.visits
    asked = parse_qs(urlsplit(url).query)
    assert hosts == (urlsplit(hosted.issuer).netloc,)
    assert (asked["redirect_uri"], asked["resource"]) == ([redirect], [hosted.url])
    assert (asked["code_challenge_method"], asked["scope"]) == (["S256"], ["read"])
    assert urlsplit(redirect).hostname == "127.0.0.1"
    assert len(hosted.provider.clients) == 1
    logins.keep(login_key(hosted.url, {}), made)
    found = visit(hosted.url)
    assert found.failure is None
    assert list(found.of(Kind.TOOL)) == ["hello"]
    assert len(hosted.provider.asked) == 1  # nothing was renewed


def test_the_address_can_be_pasted(hosted: Any) -> None:
    person = Elsewhere(
        lambda _: "what?",
        lambda address: address.replace("state=", "state=x"),
        lambda address: address.replace("code=", "cod="),
        lambda address: f"  {address}\n",
    )
    assert login(hosted, person).tokens["access_token"] in hosted.provider.access
    assert person.problems == [
        "that is not the answer to this login",
        "that is not the answer to this login",
        "that holds no answer",
    ]


def test_an_answer_with_another_state_is_not_taken(hosted: Any) -> None:
    strange = Browser(
        lambda address: address.replace("state=", "state=x"),
        lambda address: address.replace("/callback", "/x"),
        str,
    )
    login(hosted, strange)
    assert [status for status, _ in strange.pages] == [400, 404, 200]


def test_a_page_of_another_name_cannot_answer(hosted: Any) -> None:
    """As one that has its name lead to loopback could try."""

    def under_another_name(address: str) -> Any:
        return urllib.request.Request(address, headers={"Host": "evil.example"})

    person = Browser(under_another_name, str)
    login(hosted, person)
    assert [status for status, _ in person.pages] == [404, 200]


def test_a_no_is_told_in_the_words_of_the_authorization_server(hosted: Any) -> None:
    hosted.provider.denies = "access_denied"
    message, _ = refusal(hosted)
    assert message == "web: the login was refused: access_denied: not you"


def test_an_answer_of_another_issuer_is_not_taken(hosted: Any) -> None:
    hosted.provider.issuer = "https://evil.example"
    message, _ = refusal(hosted)
    assert "answered by another authorization server" in message
    assert hosted.provider.asked == []


def published(hosted: Any, **changes: object) -> dict[str, object]:
    return {
        "issuer": hosted.issuer,
        "authorization_endpoint": f"{hosted.issuer}/authorize",
        "token_endpoint": f"{hosted.issuer}/token",
        "registration_endpoint": f"{hosted.issuer}/register",
        "code_challenge_methods_supported": ["S256"],
        **changes,
    }


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"code_challenge_methods_supported": ["plain"]}, "does not say that it knows PKCE"),
        ({"code_challenge_methods_supported": None}, "does not say that it knows PKCE"),
        (
            {"authorization_endpoint": "http://login.example.com/authorize"},
            "leads to http://login.example.com/authorize, which is not opened",
        ),
        (
            {"token_endpoint": "http://login.example.com/token"},
            "leads to http://login.example.com/token, which is not asked",
        ),
        ({"issuer": "https://evil.example"}, "is not the issuer http://127.0.0.1"),
    ],
)
def test_an_authorization_server_that_is_not_safe_is_refused(
    hosted: Any, changes: dict[str, object], words: str
) -> None:
    hosted.provider.metadata = published(hosted)
    login(hosted)
    hosted.provider.asked.clear()
    hosted.provider.metadata = published(hosted, **changes)
    assert words in refusal(hosted)[0]
    assert hosted.provider.asked == []


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def test_a_registered_client_is_used_with_its_secret(hosted_module: Any) -> None:
    with hosted_module.Hosted(registers=False) as hosted:
        message, hint = refusal(hosted)
        assert "could not be registered" in message and "`client_id`" in hint
        port = free_port()
        hosted.provider.add_client("me", "its-own-secret", f"http://127.0.0.1:{port}/callback")
        preset = {
            "client_id": "me",
            "client_secret": "${SECRET}",
            "issuer": hosted.issuer,
            "redirect_port": port,
            "scope": "read write",
        }
        person = Browser()
        made = login(hosted, person, {"SECRET": "its-own-secret"}, **preset)
        assert made.client == {}  # the manifest has it
        assert "its-own-secret" not in str([*made])
        assert parse_qs(urlsplit(person.visits[0].url).query)["scope"] == ["read write"]
        ((basic, _),) = hosted.provider.asked
        assert basic.startswith("Basic ")


def test_a_secret_goes_to_its_issuer_alone(hosted: Any) -> None:
    preset = {"client_id": "me", "client_secret": "its-own-secret", "issuer": "https://other"}
    message, _ = refusal(hosted, **preset)
    assert "is not the `issuer` of the client" in message
    assert hosted.provider.asked == []


def test_a_port_that_is_taken_is_told(hosted: Any) -> None:
    port = urlsplit(hosted.url).port
    assert f"port {port} cannot be listened on" in refusal(hosted, redirect_port=port)[0]


def test_there_is_nothing_to_log_in_to_where_no_server_is_named(
    serve: Callable[..., Any],
) -> None:
    message, _ = refusal_of(serve("plain").url)
    assert "answers without a login, and names no authorization server" in message


def refusal_of(url: str) -> tuple[str, str]:
    target = server(url)
    with pytest.raises(McplockError) as caught:
        log_in(target, resolve(target, Path(), {}), Setting({}), Browser())
    return caught.value.message, caught.value.hint


def test_a_server_on_loopback_is_not_led_into_plain_http_elsewhere(
    serve: Callable[..., Any],
) -> None:
    challenge = 'Bearer resource_metadata="http://docs.example.com/metadata?x=1"'
    server = serve("status", status=401, headers={"WWW-Authenticate": challenge})
    message, hint = refusal_of(server.url)
    assert message == "web: its login leads to http://docs.example.com/metadata, which is not asked"
    assert "over https" in hint


@pytest.mark.parametrize(
    ("url", "of", "may"),
    [
        ("https://login.example.com/x", "https://docs.example.com", True),
        ("http://login.example.com/x", "https://docs.example.com", False),
        ("http://169.254.169.254/latest", "https://docs.example.com", False),
        ("https://127.0.0.1/x", "https://docs.example.com", False),
        ("http://localhost:1/x", "https://docs.example.com", False),
        ("http://[::1]:1/x", "http://127.0.0.1:2/mcp", True),
        ("http://10.0.0.1/x", "http://127.0.0.1:2/mcp", False),
        ("file:///etc/passwd", "http://127.0.0.1:2/mcp", False),
    ],
)
def test_a_login_goes_over_https_or_stays_on_loopback(url: str, of: str, may: bool) -> None:
    assert permitted(url, of) is may


# ---- tokens that end


def keep(hosted: Any, logins: Logins, made: Login, **changes: Any) -> None:
    logins.keep(login_key(hosted.url, {}), made._replace(**changes))


def test_a_token_whose_time_is_over_is_renewed_once(
    hosted: Any, logins: Logins, tmp_path: Path
) -> None:
    made = login(hosted)
    keep(hosted, logins, made, expires=time.time() - 1)
    targets = [
        Target(server(hosted.url)._replace(name=name), "2025-11-25") for name in ("a", "b", "c")
    ]
    found = snapshots(targets, directory=tmp_path, environ={}, logins=logins)
    assert [snapshot.failure for snapshot in found.values()] == [None] * 3
    grants = [form["grant_type"] for _, form in hosted.provider.asked]
    assert grants == [["authorization_code"], ["refresh_token"]]
    renewed = logins.find(login_key(hosted.url, {}))
    assert renewed and renewed.tokens["access_token"] != made.tokens["access_token"]
    assert renewed.expires and renewed.expires > time.time()


def test_a_token_that_was_taken_back_is_renewed(
    hosted: Any, logins: Logins, visit: Visited
) -> None:
    keep(hosted, logins, login(hosted), expires=None)
    hosted.provider.revoke(refresh=False)
    assert visit(hosted.url).failure is None
    assert [form["grant_type"] for _, form in hosted.provider.asked][1:] == [["refresh_token"]]


def told_by(found: Snapshot, hosted: Any) -> tuple[str, str]:
    assert found.failure
    told = str([found.failure, *found.issues])
    assert not [secret for secret in hosted.provider.given if secret in told]
    return found.failure.message, found.failure.hint


def test_a_login_that_was_taken_back_has_ended(hosted: Any, logins: Logins, visit: Visited) -> None:
    keep(hosted, logins, login(hosted), expires=time.time() - 1)
    hosted.provider.revoke(refresh=True)
    message, hint = told_by(visit(hosted.url), hosted)
    assert "HTTP 401" in message
    assert "its login has ended: HTTP 400" in message and "invalid_grant" in message
    assert hint == "`mcplock login web` logs in again"
    grants = [form["grant_type"] for _, form in hosted.provider.asked]
    assert grants == [["authorization_code"], ["refresh_token"]]  # asked once


def test_a_login_without_renewal_ends(hosted: Any, logins: Logins, visit: Visited) -> None:
    made = login(hosted)
    tokens = {name: value for name, value in made.tokens.items() if name != "refresh_token"}
    keep(hosted, logins, made, tokens=tokens, expires=time.time() - 1)
    hosted.provider.revoke(refresh=False)
    message, hint = told_by(visit(hosted.url), hosted)
    assert message.endswith("; its login has ended") and "mcplock login web" in hint
    assert len(hosted.provider.asked) == 1


def test_an_outage_of_the_authorization_server_is_no_end(
    hosted: Any, logins: Logins, visit: Visited
) -> None:
    keep(hosted, logins, login(hosted), expires=time.time() - 1)
    hosted.provider.is_down = True
    message, hint = told_by(visit(hosted.url), hosted)
    assert "HTTP 503" in message and "out of order" in message
    assert "login" not in hint
    hosted.provider.is_down = False
    assert visit(hosted.url).failure is None


def test_what_was_kept_and_cannot_be_used_is_said_without_its_words(
    hosted: Any, logins: Logins, visit: Visited
) -> None:
    made = login(hosted)
    tokens = {**made.tokens, "expires_in": "soon"}
    keep(hosted, logins, made, tokens=tokens, expires=time.time() - 1)
    hosted.provider.revoke(refresh=False)
    message, _ = told_by(visit(hosted.url), hosted)
    assert "what was kept of it cannot be used" in message


# ---- where a token goes


def test_a_token_goes_to_no_other_address(
    serve: Callable[..., Any], logins: Logins, visit: Visited
) -> None:
    one, other = serve("told"), serve("told")
    token = "at-0123456789abcdef"
    logins.keep(login_key(one.url, {}), Login(one.url, {"access_token": token}))
    visit(one.url)
    visit(other.url)
    visit(one.url, client_id="another")
    sent = [headers.get("authorization") for *_, headers, _ in one.seen + other.seen]
    assert sent.count(f"Bearer {token}") > 0
    assert [value for value in sent if value] == [f"Bearer {token}"] * (len(one.seen) // 2)
    assert not [headers for *_, headers, _ in other.seen if "authorization" in headers]


def test_a_server_cannot_put_a_token_into_the_lock(
    serve: Callable[..., Any], logins: Logins, visit: Visited
) -> None:
    told = serve("told")
    token = "at-0123456789abcdef"
    logins.keep(login_key(told.url, {}), Login(told.url, {"access_token": token}))
    tool = visit(told.url).of(Kind.TOOL)["say"]
    assert tool.invalid is Invalid.SECRET
    assert token not in str(tool) and "${access_token}" in str(tool)


def test_a_header_of_the_manifest_wins(
    serve: Callable[..., Any], logins: Logins, visit: Visited
) -> None:
    told = serve("told")
    logins.keep(login_key(told.url, {}), Login(told.url, {"access_token": "at-0123456789"}))
    visit(told.url, headers={"authorization": "Bearer mine"})
    assert {headers["authorization"] for *_, headers, _ in told.seen} == {"Bearer mine"}


# ---- machines


def machine(hosted: Any, secret: str = "a-secret-for-machines", **more: str) -> dict[str, Any]:
    return {
        "environ": {"SECRET": secret},
        "grant": "client_credentials",
        "client_id": "ci",
        "client_secret": "${SECRET}",
        "issuer": hosted.issuer,
        **more,
    }


@pytest.mark.parametrize("method", [{}, {"auth_method": "client_secret_post"}])
def test_a_machine_needs_no_login(hosted: Any, visit: Visited, method: dict[str, str]) -> None:
    found = visit(hosted.url, **machine(hosted, scope="read write", **method))
    assert found.failure is None
    assert list(found.of(Kind.TOOL)) == ["hello"]
    ((basic, form),) = hosted.provider.asked
    assert (form["scope"], form["resource"]) == (["read write"], [hosted.url])
    assert bool(basic) is not bool(method)


def test_a_machine_with_a_wrong_secret_is_refused(hosted: Any, visit: Visited) -> None:
    message, _ = told_by(visit(hosted.url, **machine(hosted, "another-secret")), hosted)
    assert "HTTP 401" in message and "invalid_client" in message
    assert "another-secret" not in message


def test_the_secret_of_a_machine_goes_to_its_issuer_alone(hosted: Any, visit: Visited) -> None:
    found = visit(hosted.url, **machine(hosted, issuer="https://login.example.com"))
    message, _ = told_by(found, hosted)
    assert "is not the issuer https://login.example.com" in message
    assert hosted.provider.asked == []
