"""What becomes of a token once it is there, and what machines use in its place."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcplock.logins import Login, Logins, login_key
from mcplock.manifest import resolve
from mcplock.model import Invalid, Kind, Snapshot
from mcplock.session import Target, snapshots
from mcplock.session.login import Setting, log_in
from tests.unit.session.hosting import Browser, Visited, login, refusal, server

pytestmark = pytest.mark.usefixtures("no_keyring")


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
    hosted: Any, logins: Logins, ask_hosted: Visited
) -> None:
    keep(hosted, logins, login(hosted), expires=None)
    hosted.provider.revoke(refresh=False)
    assert ask_hosted(hosted.url).failure is None
    assert [form["grant_type"] for _, form in hosted.provider.asked][1:] == [["refresh_token"]]


def told_by(found: Snapshot, hosted: Any) -> tuple[str, str]:
    assert found.failure
    told = str([found.failure, *found.issues])
    assert not [secret for secret in hosted.provider.given if secret in told]
    return found.failure.message, found.failure.hint


def test_a_login_that_was_taken_back_has_ended(
    hosted: Any, logins: Logins, ask_hosted: Visited
) -> None:
    keep(hosted, logins, login(hosted), expires=time.time() - 1)
    hosted.provider.revoke(refresh=True)
    message, hint = told_by(ask_hosted(hosted.url), hosted)
    assert "HTTP 401" in message
    assert "its login has ended: HTTP 400" in message and "invalid_grant" in message
    assert hint == "`mcplock login web` logs in again"
    grants = [form["grant_type"] for _, form in hosted.provider.asked]
    assert grants == [["authorization_code"], ["refresh_token"]]  # asked once


def test_a_login_without_renewal_ends(hosted: Any, logins: Logins, ask_hosted: Visited) -> None:
    made = login(hosted)
    tokens = {name: value for name, value in made.tokens.items() if name != "refresh_token"}
    keep(hosted, logins, made, tokens=tokens, expires=time.time() - 1)
    hosted.provider.revoke(refresh=False)
    message, hint = told_by(ask_hosted(hosted.url), hosted)
    assert message.endswith("; its login has ended") and "mcplock login web" in hint
    assert len(hosted.provider.asked) == 1


def test_an_outage_of_the_authorization_server_is_no_end(
    hosted: Any, logins: Logins, ask_hosted: Visited
) -> None:
    keep(hosted, logins, login(hosted), expires=time.time() - 1)
    hosted.provider.is_down = True
    message, hint = told_by(ask_hosted(hosted.url), hosted)
    assert "HTTP 503" in message and "out of order" in message
    assert "login" not in hint
    hosted.provider.is_down = False
    assert ask_hosted(hosted.url).failure is None


def test_what_was_kept_and_cannot_be_used_is_said_without_its_words(
    hosted: Any, logins: Logins, ask_hosted: Visited
) -> None:
    made = login(hosted)
    tokens = {**made.tokens, "expires_in": "soon"}
    keep(hosted, logins, made, tokens=tokens, expires=time.time() - 1)
    hosted.provider.revoke(refresh=False)
    message, _ = told_by(ask_hosted(hosted.url), hosted)
    assert "what was kept of it cannot be used" in message


def test_a_token_goes_to_no_other_address(
    serve: Callable[..., Any], logins: Logins, ask_hosted: Visited
) -> None:
    one, other = serve("told"), serve("told")
    token = "at-0123456789abcdef"
    logins.keep(login_key(one.url, {}), Login(one.url, {"access_token": token}))
    ask_hosted(one.url)
    ask_hosted(other.url)
    ask_hosted(one.url, client_id="another")
    sent = [headers.get("authorization") for *_, headers, _ in one.seen + other.seen]
    assert sent.count(f"Bearer {token}") > 0
    assert [value for value in sent if value] == [f"Bearer {token}"] * (len(one.seen) // 2)
    assert not [headers for *_, headers, _ in other.seen if "authorization" in headers]


def test_a_server_cannot_put_a_token_into_the_lock(
    serve: Callable[..., Any], logins: Logins, ask_hosted: Visited
) -> None:
    told = serve("told")
    token = "at-0123456789abcdef"
    logins.keep(login_key(told.url, {}), Login(told.url, {"access_token": token}))
    tool = ask_hosted(told.url).of(Kind.TOOL)["say"]
    assert tool.invalid is Invalid.SECRET
    assert token not in str(tool) and "${access_token}" in str(tool)


def test_a_header_of_the_manifest_wins(
    serve: Callable[..., Any], logins: Logins, ask_hosted: Visited
) -> None:
    told = serve("told")
    logins.keep(login_key(told.url, {}), Login(told.url, {"access_token": "at-0123456789"}))
    ask_hosted(told.url, headers={"authorization": "Bearer mine"})
    assert {headers["authorization"] for *_, headers, _ in told.seen} == {"Bearer mine"}


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
def test_a_machine_needs_no_login(hosted: Any, ask_hosted: Visited, method: dict[str, str]) -> None:
    found = ask_hosted(hosted.url, **machine(hosted, scope="read write", **method))
    assert found.failure is None
    assert list(found.of(Kind.TOOL)) == ["hello"]
    ((basic, form),) = hosted.provider.asked
    assert (form["scope"], form["resource"]) == (["read write"], [hosted.url])
    assert bool(basic) is not bool(method)


def test_a_machine_with_a_wrong_secret_is_refused(hosted: Any, ask_hosted: Visited) -> None:
    message, _ = told_by(ask_hosted(hosted.url, **machine(hosted, "another-secret")), hosted)
    assert "HTTP 401" in message and "invalid_client" in message
    assert "another-secret" not in message


def test_the_secret_of_a_machine_goes_to_its_issuer_alone(hosted: Any, ask_hosted: Visited) -> None:
    found = ask_hosted(hosted.url, **machine(hosted, issuer="https://login.example.com"))
    message, _ = told_by(found, hosted)
    assert "is not the issuer https://login.example.com" in message
    assert hosted.provider.asked == []


def test_a_token_that_lacks_a_scope_leads_to_a_wider_login(
    hosted: Any, logins: Logins, ask_hosted: Visited
) -> None:
    keep(hosted, logins, login(hosted))
    hosted.provider.demands = "write"
    message, hint = told_by(ask_hosted(hosted.url), hosted)
    assert "HTTP 403" in message and "scope write, error insufficient_scope" in message
    assert hint == "`mcplock login --scope read --scope write web` asks for what it lacks"
    target = server(hosted.url)
    setting = Setting({}, scopes=["read", "write"])
    keep(hosted, logins, log_in(target, resolve(target, Path(), {}), setting, Browser()))
    assert ask_hosted(hosted.url).failure is None


def test_what_a_token_is_said_to_be_good_for_is_no_command_either(
    hosted: Any, logins: Logins, ask_hosted: Visited
) -> None:
    made = login(hosted)
    keep(hosted, logins, made, tokens={**made.tokens, "scope": "read `rm` a\u202eb $(x) -y"})
    hosted.provider.demands = "a=~b"
    _, hint = told_by(ask_hosted(hosted.url), hosted)
    assert hint == "`mcplock login --scope read --scope 'a=~b' web` asks for what it lacks"


def test_scopes_of_a_manifest_for_people_are_changed_there_too(
    hosted: Any, logins: Logins, ask_hosted: Visited
) -> None:
    logins.keep(login_key(hosted.url, {"scope": "read"}), login(hosted, scope="read"))
    hosted.provider.demands = "write"
    _, hint = told_by(ask_hosted(hosted.url, scope="read"), hosted)
    assert hint.endswith('`scopes = ["read", "write"]` under `oauth`, then `mcplock login web`')


def test_a_login_that_is_too_narrow_at_once_says_what_to_ask_for(hosted: Any) -> None:
    hosted.provider.demands = "write"
    message, hint = refusal(hosted)
    assert "refuses the token" in message
    assert hint.startswith("`mcplock login --scope read --scope write web`")


@pytest.mark.parametrize("scope", ["a`b", "$(x)", "a b;c", "-x", "~x", "a\u202eb", "", "x" * 201])
def test_a_scope_that_is_not_fit_to_be_typed_is_in_no_command(
    hosted: Any, logins: Logins, ask_hosted: Visited, scope: str
) -> None:
    keep(hosted, logins, login(hosted))
    hosted.provider.demands = scope.encode().decode("latin-1") or "x\\"
    _, hint = told_by(ask_hosted(hosted.url), hosted)
    assert hint == "`mcplock login web` logs in again"


def test_scopes_of_the_manifest_are_changed_there(hosted: Any, ask_hosted: Visited) -> None:
    hosted.provider.demands = "write"
    _, hint = told_by(ask_hosted(hosted.url, **machine(hosted, scope="read")), hosted)
    assert hint == 'it wants more scopes: `scopes = ["read", "write"]` under `oauth`'


@pytest.mark.parametrize("tail", ["\n", "\r\nx: y", "é", " b", "\x07", "\u2028", "\x7f"])
def test_a_renewed_token_that_no_header_can_carry_is_refused_where_it_arrives(
    hosted: Any, logins: Logins, ask_hosted: Visited, tail: str
) -> None:
    made = login(hosted)
    keep(hosted, logins, made, expires=time.time() - 1)
    hosted.provider.tail = tail
    message, _ = told_by(ask_hosted(hosted.url), hosted)
    assert "gives no usable token: its `access_token` holds" in message
    assert not [secret for secret in hosted.provider.given if secret[:30] in message]
    hosted.provider.revoke(refresh=True)
    message, _ = told_by(ask_hosted(hosted.url), hosted)
    kept = logins.find(login_key(hosted.url, {}))
    assert kept and kept.tokens == made.tokens
    assert "its login has ended" in message


def test_a_renewal_that_no_answer_can_hold_is_refused(
    hosted: Any, logins: Logins, ask_hosted: Visited
) -> None:
    keep(hosted, logins, login(hosted), expires=time.time() - 1)
    hosted.provider.renewal_tail = "\n"
    message, _ = told_by(ask_hosted(hosted.url), hosted)
    assert "gives no usable token: its `refresh_token` holds" in message


@pytest.mark.parametrize("name", ["access_token", "refresh_token"])
def test_a_kept_token_that_no_header_can_carry_is_refused_where_it_is_read(
    hosted: Any, logins: Logins, ask_hosted: Visited, name: str
) -> None:
    made = login(hosted)
    keep(hosted, logins, made, tokens={**made.tokens, name: f"{made.tokens[name]}\n"})
    message, hint = told_by(ask_hosted(hosted.url), hosted)
    assert "gives no usable token" in message and name in message
    assert hint == "`mcplock login web` logs in again"


def test_a_machine_is_given_no_token_that_no_header_can_carry(
    hosted: Any, ask_hosted: Visited
) -> None:
    hosted.provider.tail = "é"
    message, _ = told_by(ask_hosted(hosted.url, **machine(hosted)), hosted)
    assert "gives no usable token" in message


def test_what_a_library_quotes_of_a_header_is_not_told(
    hosted: Any, logins: Logins, ask_hosted: Visited, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcplock.session.access.unusable", lambda _: "")
    made = login(hosted)
    token = f"{made.tokens['access_token']}\n"
    keep(hosted, logins, made, tokens={**made.tokens, "access_token": token})
    message, _ = told_by(ask_hosted(hosted.url), hosted)
    assert message.endswith("cannot be asked: Illegal header value ⟨a secret⟩")
