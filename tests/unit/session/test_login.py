"""Logging in to a hosted server whose authorization server is the SDK's."""

import socket
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from mcplock.errors import McplockError
from mcplock.logins import Logins, login_key
from mcplock.manifest import resolve
from mcplock.model import Kind
from mcplock.session.login import Setting, log_in
from mcplock.session.oauth import permitted
from tests.unit.session.hosting import (
    Browser,
    Elsewhere,
    Visited,
    login,
    refusal,
    server,
)

pytestmark = pytest.mark.usefixtures("no_keyring")


def test_the_whole_dance_leads_to_a_token_that_commands_use(
    hosted: Any, logins: Logins, ask_hosted: Visited
) -> None:
    assert "`mcplock login web`" in ask_hosted(hosted.url).failure.hint
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
    found = ask_hosted(hosted.url)
    assert found.failure is None
    assert list(found.of(Kind.TOOL)) == ["hello"]
    assert len(hosted.provider.asked) == 1  # nothing was renewed


def test_the_older_transport_needs_no_type_to_be_logged_in_to(
    hosted_module: Any, logins: Logins, ask_hosted: Visited
) -> None:
    with hosted_module.Hosted(older=True) as hosted:
        failure = ask_hosted(hosted.url).failure
        assert failure and "HTTP 405" in failure.message and "HTTP 401" in failure.message
        assert failure.hint.startswith("`mcplock login web`")
        person = Browser()
        logins.keep(login_key(hosted.url, {}), login(hosted, person))
        assert parse_qs(urlsplit(person.visits[0].url).query)["scope"] == ["read"]
        found = ask_hosted(hosted.url)
        assert found.failure is None and list(found.of(Kind.TOOL)) == ["hello"]

        hosted.provider.revoke(refresh=True)
        ended = ask_hosted(hosted.url).failure
        assert ended and ended.hint == "`mcplock login web` logs in again"


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


@pytest.mark.parametrize("tail", ["\n", "é", " b"])
def test_a_token_that_no_header_can_carry_is_refused_where_it_arrives(
    hosted: Any, tail: str
) -> None:
    hosted.provider.tail = tail
    message, _ = refusal(hosted)
    assert "gives no usable token: its `access_token` holds" in message
    assert not [secret for secret in hosted.provider.given if secret[:30] in message]


def test_what_a_library_quotes_of_a_new_token_is_neither_told_nor_a_bug(
    hosted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcplock.session.oauth.unusable", lambda _: "")
    hosted.provider.tail = "\n"
    with pytest.raises(McplockError) as caught:
        login(hosted)
    assert caught.value.bug is None
    assert caught.value.message.endswith("Illegal header value ⟨a secret⟩")
