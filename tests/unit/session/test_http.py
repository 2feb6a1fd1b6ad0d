"""Streamable HTTP and the older SSE transport, on the loopback interface."""

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcplock.manifest import Launch
from mcplock.model import Invalid, Kind, Snapshot, Stage, Status, Transport
from mcplock.session import web
from mcplock.session.channel import Arrived

Serve = Callable[..., Any]
Visit = Callable[..., Snapshot]


@pytest.mark.parametrize(
    "mode", ["plain", "events", "talks-back", "zipped", "sessions", "holds-on"]
)
def test_answers_in_any_form_are_read(serve: Serve, visit: Visit, mode: str) -> None:
    server = serve(mode)
    found = visit(server.url)
    assert (found.failure, found.protocol) == (None, "2025-11-25")
    assert found.info and found.info.name == "web"
    assert found.of(Kind.TOOL) and not found.issues
    assert not [seen for seen in server.seen if seen[0] == "GET"]


def test_the_modern_era_needs_no_handshake(serve: Serve, visit: Visit) -> None:
    server = serve("modern")
    found = visit(server.url)
    assert (found.failure, found.protocol) == (None, "2026-07-28")
    assert server.methods() == ["server/discover", "tools/list"]
    for _, _, headers, message in server.seen:
        assert headers["mcp-protocol-version"] == "2026-07-28"
        assert headers["mcp-method"] == message["method"]
        assert message["params"]["_meta"]["io.modelcontextprotocol/clientInfo"]["name"] == "mcplock"


def test_a_server_that_moved_to_the_modern_era_is_followed(serve: Serve, visit: Visit) -> None:
    assert visit(serve("modern").url, protocol="2025-06-18").protocol == "2026-07-28"


def test_the_question_for_a_newer_era_is_asked_outside_the_session(
    serve: Serve, visit: Visit
) -> None:
    server = serve("both-eras")
    found = visit(server.url, protocol="2025-11-25")
    assert (found.failure, found.protocol, found.issues) == (None, "2025-11-25", [])
    modern = [seen[2] for seen in server.seen if seen[3] and "_meta" in seen[3].get("params", {})]
    assert [headers["mcp-method"] for headers in modern] == ["server/discover", "tools/list"]
    assert not any("mcp-session-id" in headers for headers in modern)
    assert server.seen[-1][0] == "DELETE"
    assert server.seen[-1][2]["mcp-protocol-version"] == "2025-11-25"


def test_a_byte_that_is_no_utf8_makes_one_tool_invalid(serve: Serve, visit: Visit) -> None:
    found = visit(serve("bad-utf8").url)
    assert found.of(Kind.TOOL)["say"].invalid is Invalid.SURROGATE


def described(found: Snapshot) -> dict[str, str]:
    assert found.failure is None, found.failure
    told: dict[str, str] = json.loads(found.of(Kind.TOOL)["say"].content["description"])
    return told


def test_headers_of_the_manifest_win(serve: Serve, visit: Visit) -> None:
    headers = {"Authorization": "Bearer x", "ACCEPT": "application/json", "User-Agent": "me"}
    told = described(visit(serve("told").url, headers=headers))
    assert (told["authorization"], told["accept"], told["user-agent"]) == tuple(headers.values())
    assert told["mcp-protocol-version"] == "2025-11-25"


def test_userinfo_of_the_url_is_sent_as_credentials(serve: Serve, visit: Visit) -> None:
    url = serve("told").url.replace("//", "//me:a%40b@")
    assert described(visit(url))["authorization"] == "Basic bWU6YUBi"
    told = described(visit(url, headers={"authorization": "Bearer x"}))
    assert told["authorization"] == "Bearer x"


# ---- sessions


@pytest.mark.parametrize("status", [404, 400])
def test_an_expired_session_is_begun_anew_once_from_the_first_page(
    serve: Serve, visit: Visit, status: int
) -> None:
    server = serve("sessions", expires=1, status=status)
    found = visit(server.url)
    assert found.failure is None
    assert list(found.of(Kind.TOOL)) == ["of-s1", "second"]
    assert server.methods().count("initialize") == 2
    assert [seen[0] for seen in server.seen].count("DELETE") == 1


def test_a_session_that_expires_again_is_a_failure(serve: Serve, visit: Visit) -> None:
    found = visit(serve("sessions", expires=9).url)
    assert found.failure and found.failure.stage is Stage.LIST
    assert "does not know the session" in found.failure.message


# ---- statuses


def refused(found: Snapshot) -> tuple[str, str]:
    assert found.failure and found.status is Status.UNREACHABLE
    return found.failure.message, found.failure.hint


@pytest.mark.parametrize("status", [401, 403])
def test_missing_credentials_are_told_after_one_request(
    serve: Serve, visit: Visit, status: int
) -> None:
    challenge = (
        'Bearer realm="x", error="invalid_token", scope="read write", '
        'resource_metadata="https://docs.example.com/.well-known/oauth-protected-resource"'
    )
    server = serve("status", status=status, headers={"WWW-Authenticate": challenge})
    message, hint = refused(visit(server.url))
    assert f"HTTP {status}" in message and "scheme Bearer" in message
    assert "https://docs.example.com/.well-known/oauth-protected-resource" in message
    assert "scope read write" in message
    assert 'Authorization = "Bearer ${TOKEN}"' in hint and "[servers.web]" in hint
    assert len(server.seen) == 1


def test_refused_credentials_name_the_header_and_its_variable(serve: Serve, visit: Visit) -> None:
    server = serve("status", status=401)
    message, hint = refused(
        visit(
            server.url,
            headers={"Authorization": "Bearer ${DOCS_TOKEN}"},
            environ={"DOCS_TOKEN": "s3cr3t-value"},
        )
    )
    assert "does not say which credentials" in message
    assert "${DOCS_TOKEN}" in hint and "s3cr3t" not in message + hint


@pytest.mark.parametrize(
    ("status", "body", "words", "hint"),
    [
        (404, "nothing here", "HTTP 404 Not Found", "/mcp"),
        (405, "", "HTTP 405 Method Not Allowed", 'type = "sse"'),
        (410, '{"error": {"message": "use /v2/mcp"}}', "use /v2/mcp", "has moved"),
        (400, '{"detail": "bad\\u001b[2J"}', "bad⟨U+001B⟩[2J", ""),
        (429, "", "HTTP 429 Too Many Requests", "later"),
        (500, "<html><title>Oh &amp; no</title><p>x</html>", "Oh & no", ""),
        (503, "<h1>Down</h1><script>x()</script>for now", "Down for now", ""),
        (299, "x" * 5_000, "HTTP 299", ""),
    ],
)
def test_a_status_that_is_no_success_quotes_the_servers_words(
    serve: Serve, visit: Visit, status: int, body: str, words: str, hint: str
) -> None:
    server = serve("status", status=status, body=body)
    message, told = refused(visit(server.url))
    assert words in message and hint in told
    assert server.url in message and len(message) < 500


def test_both_refusals_are_told_the_streamable_one_first(serve: Serve, visit: Visit) -> None:
    message, _ = refused(visit(serve("status", status=405).url))
    first, second = message.split("\n")
    assert "HTTP 405" in first
    assert second.startswith("as the older SSE transport: HTTP 404")


@pytest.mark.parametrize("status", [401, 403, 407, 408, 429, 500, 502])
def test_the_older_transport_is_no_answer_to_other_troubles(
    serve: Serve, visit: Visit, status: int
) -> None:
    server = serve("status", status=status)
    visit(server.url)
    assert not [seen for seen in server.seen if seen[0] == "GET"]


# ---- the older transport


@pytest.mark.parametrize(
    "options",
    [{"status": 400}, {"status": 404}, {"status": 405}, {"status": 411}, {"events": True}],
)
def test_a_server_of_the_older_transport_is_found(
    serve: Serve, visit: Visit, options: dict[str, Any]
) -> None:
    found = visit(serve("sse-only", **options).url)
    assert found.failure is None and list(found.of(Kind.TOOL)) == ["say"]


def test_the_older_transport_alone_where_the_manifest_says_so(serve: Serve, visit: Visit) -> None:
    server = serve("sse-only")
    assert visit(server.url, type=Transport.SSE).failure is None
    assert server.seen[0][0] == "GET"


def test_an_endpoint_elsewhere_is_refused(serve: Serve, visit: Visit) -> None:
    server = serve("sse-only", endpoint="http://other.example/steal")
    message, _ = refused(visit(server.url, type=Transport.SSE))
    assert "another origin, http://other.example/steal" in message


def test_an_endpoint_that_is_no_address_is_told(serve: Serve, visit: Visit) -> None:
    server = serve("sse-only", endpoint="http://[::1")
    message, _ = refused(visit(server.url, type=Transport.SSE))
    assert message == "sends its messages to an address that is none"


def test_a_page_instead_of_a_stream_is_told(serve: Serve, visit: Visit) -> None:
    message, _ = refused(visit(serve("plain").url, type=Transport.SSE))
    assert "HTTP 404" in message and "no such page" in message


# ---- redirects


@pytest.mark.parametrize("status", [307, 308])
def test_a_redirect_within_the_origin_is_followed(serve: Serve, visit: Visit, status: int) -> None:
    found = visit(serve("redirects", to="/mcp/", status=status).url)
    assert found.failure is None and list(found.of(Kind.TOOL)) == ["say"]


@pytest.mark.parametrize("status", [301, 302, 307])
def test_a_redirect_to_another_origin_is_named_and_not_followed(
    serve: Serve, visit: Visit, status: int
) -> None:
    other = serve("plain")
    server = serve("redirects", to=f"{other.url}?token=abc", status=status)
    message, hint = refused(visit(server.url, headers={"Authorization": "Bearer x"}))
    assert f"redirects to {other.url} (HTTP {status})" in message
    assert "abc" not in message + hint and "manifest" in hint
    assert other.seen == []


def test_a_redirect_that_drops_the_message_is_not_followed(serve: Serve, visit: Visit) -> None:
    message, _ = refused(visit(serve("redirects", to="/other", status=301).url))
    assert "/other (HTTP 301), which a message cannot follow" in message


def test_redirects_in_a_circle_end(serve: Serve, visit: Visit) -> None:
    server = serve("redirects", to="/mcp")
    message, _ = refused(visit(server.url))
    assert message == "redirects more than 5 times"
    assert len(server.seen) == 6


def test_a_redirect_never_leads_away_from_tls(
    serve: Serve, visit: Visit, certificate: tuple[str, str]
) -> None:
    server = serve("redirects", to="http://127.0.0.1:1/mcp", tls=certificate)
    message, hint = refused(visit(server.url, ca_file=Path(certificate[0])))
    assert "no longer encrypted" in message and "https://127.0.0.1:1/mcp" in hint


def test_a_redirect_to_no_address_is_told(serve: Serve, visit: Visit) -> None:
    message, _ = refused(visit(serve("redirects", to="http://[::1").url))
    assert message == "redirects to an address that is none (HTTP 307)"


# ---- what is no answer


@pytest.mark.parametrize(
    "header",
    [("Mcp-Session-Id", "\xff"), ("Set-Cookie", "s=\xff; path=/")],
    ids=lambda pair: pair[0],
)
def test_what_no_header_can_send_back_is_told(
    serve: Serve, visit: Visit, header: tuple[str, str]
) -> None:
    message, _ = refused(visit(serve("gives", headers=dict([header])).url))
    assert message == "gave a session or cookie that no header can hold"


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("html", "text/html, which is no protocol message: Sign in & go"),
        ("accepted", "took a request (HTTP 202) and gave no answer to it"),
        ("broken-json", "`initialize` with JSON that breaks off or is broken"),
        ("breaks-off", "broke off its answer"),
        ("ends-stream", "ended the event stream before it answered"),
        ("long-event", "an event of more than 64 MiB"),
    ],
)
def test_what_is_no_answer_is_told(serve: Serve, visit: Visit, mode: str, words: str) -> None:
    found = visit(serve(mode).url)
    assert words in refused(found)[0]
    assert not found.issues


@pytest.mark.parametrize("mode", ["silent", "trickles"])
def test_the_clock_counts_not_the_reads(serve: Serve, visit: Visit, mode: str) -> None:
    message, hint = refused(visit(serve(mode).url, timeout=1.0))
    assert message == "did not answer `server/discover` or `initialize` in time"
    assert "npx" not in hint and "timeout = 300" in hint


def test_a_flood_ends_with_the_time(serve: Serve, visit: Visit) -> None:
    message, _ = refused(visit(serve("floods").url, timeout=1.5))
    assert message == "did not answer `tools/list` in time"


def test_what_nobody_takes_does_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "MAX_MESSAGE", 1_000)
    there = web.Web(Launch(Transport.HTTP, url="http://127.0.0.1:9/"), {}, None)
    delivered: list[int] = []

    async def flood() -> None:
        for number in range(9):
            await there.deliver(Arrived("x" * 400))
            delivered.append(number)

    there.begin(flood())
    there.run(asyncio.sleep(0.02), time.monotonic() + 5)
    assert len(delivered) == 2
    assert all(there.receive(time.monotonic() + 5) for _ in range(9))
    there.close()


# ---- the way there


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://127.0.0.1:9/mcp?key=abc", "http://127.0.0.1:9/mcp: connection refused"),
        ("http://no-such-host.invalid/", "no such host"),
    ],
)
def test_a_server_that_cannot_be_reached_says_why(visit: Visit, url: str, words: str) -> None:
    message, _ = refused(visit(url))
    assert words in message and "abc" not in message


def test_a_certificate_that_nobody_vouches_for_names_the_way_out(
    serve: Serve, visit: Visit, certificate: tuple[str, str]
) -> None:
    message, hint = refused(visit(serve("plain", tls=certificate).url))
    assert "certificate is not trusted" in message
    assert "--ca-file" in hint and "SSL_CERT_FILE" in hint


def test_a_certificate_for_another_name_is_no_matter_of_trust(
    serve: Serve, visit: Visit, certificate: tuple[str, str]
) -> None:
    url = serve("plain", tls=certificate).url.replace("127.0.0.1", "localhost")
    message, hint = refused(visit(url, ca_file=Path(certificate[0])))
    assert "certificate is not trusted: Hostname mismatch" in message and not hint


def test_a_private_authority_is_trusted_on_request(
    serve: Serve, visit: Visit, certificate: tuple[str, str]
) -> None:
    url = serve("plain", tls=certificate).url
    assert visit(url, ca_file=Path(certificate[0])).failure is None
    assert visit(url, environ={"SSL_CERT_FILE": certificate[0]}).failure is None


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_an_authority_that_cannot_be_read_is_told(
    serve: Serve, visit: Visit, certificate: tuple[str, str], tmp_path: Path, content: str | None
) -> None:
    path = tmp_path / "ca.pem"
    if content:
        path.write_text(content)
    message, _ = refused(visit(serve("plain", tls=certificate).url, ca_file=path))
    assert f"the certificates in {path} cannot be read" in message


def test_https_to_a_server_without_it_is_told(serve: Serve, visit: Visit) -> None:
    message, _ = refused(visit(serve("plain").url.replace("http:", "https:")))
    assert "TLS fails" in message


# ---- proxies


def test_a_proxy_is_used_and_exceptions_are_honoured(serve: Serve, visit: Visit) -> None:
    proxy = serve("plain")
    server = serve("plain")
    address = proxy.url.removesuffix("/mcp")
    assert visit(server.url, environ={"http_proxy": address}).failure is None
    assert server.seen == []
    assert {seen[1] for seen in proxy.seen} == {server.url}
    for exception in ("*", "127.0.0.1", "10.0.0.0/8, 127.0.0.0/8", "example.com,.0.0.1"):
        environ = {"HTTP_PROXY": address, "NO_PROXY": exception}
        assert visit(server.url, environ=environ).failure is None
    assert len(server.seen) == 4 * 4


def test_a_proxy_that_cannot_be_used_is_told(serve: Serve, visit: Visit) -> None:
    message, _ = refused(visit(serve("plain").url, environ={"ALL_PROXY": "gopher://x:1"}))
    assert "its proxy cannot be used" in message
