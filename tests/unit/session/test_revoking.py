"""Tokens that are taken back at the authorization server."""

from typing import Any

import pytest

from mcplock.logins import Login
from mcplock.manifest import Launch
from mcplock.model import Transport
from mcplock.session.login import Setting
from mcplock.session.revoking import revoke
from tests.unit.session.hosting import login
from tests.unit.session.test_login import free_port

pytestmark = pytest.mark.usefixtures("no_keyring")


def revoked(hosted: Any, made: Login, **oauth: str) -> str:
    launch = Launch(Transport.HTTP, url=hosted.url, oauth=oauth)
    why = revoke(made, launch, Setting({}))
    assert not [secret for secret in hosted.provider.given if secret in why]
    return why


def test_both_tokens_are_taken_back(hosted: Any) -> None:
    made = login(hosted)
    assert hosted.provider.access and hosted.provider.refresh
    assert revoked(hosted, made) == ""
    assert (hosted.provider.access, hosted.provider.refresh) == ({}, {})


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_the_client_of_the_manifest_shows_who_it_is(hosted: Any, method: str) -> None:
    port = free_port()
    hosted.provider.add_client("me", "its-own-secret", f"http://127.0.0.1:{port}/callback")
    hosted.provider.clients["me"].token_endpoint_auth_method = method
    client = {
        "client_id": "me",
        "client_secret": "its-own-secret",
        "issuer": hosted.issuer,
        "auth_method": method,
    }
    made = login(hosted, redirect_port=port, **client)
    assert "named in a manifest alone" in revoked(hosted, made)
    without = {name: text for name, text in client.items() if name != "client_secret"}
    assert "HTTP 401" in revoked(hosted, made, **without)
    assert hosted.provider.refresh
    assert revoked(hosted, made, **client) == ""
    assert (hosted.provider.access, hosted.provider.refresh) == ({}, {})


@pytest.mark.parametrize(
    ("endpoint", "told"),
    [
        (None, "its authorization server names no address for that"),
        ("http://login.example.com/revoke?x", "leads to http://login.example.com/revoke, which"),
        ("http://127.0.0.1:9/revoke", "http://127.0.0.1:9/revoke: connection refused"),
        ("{issuer}/nowhere", "HTTP 404 from {issuer}/nowhere"),
    ],
)
def test_why_nothing_was_taken_back_is_told(hosted: Any, endpoint: str | None, told: str) -> None:
    made = login(hosted)
    named = endpoint.format(issuer=hosted.issuer) if endpoint else None
    published = {**made.authorization_server, "revocation_endpoint": named}
    why = revoked(hosted, made._replace(authorization_server=published))
    assert told.format(issuer=hosted.issuer) in why
    assert hosted.provider.access


def test_an_outage_is_told(hosted: Any) -> None:
    made = login(hosted)
    hosted.provider.is_down = True
    assert "HTTP 503" in revoked(hosted, made)
