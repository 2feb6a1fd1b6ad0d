"""What is said of the way to a server over HTTP, and of answers that are none."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from mcplock.model import Snapshot, Transport

Serve = Callable[..., Any]
Visit = Callable[..., Snapshot]


def refused(found: Snapshot) -> tuple[str, str]:
    assert found.failure
    return found.failure.message, found.failure.hint


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("http://me:hunter2hunter2@127.0.0.1:9", "http://127.0.0.1:9 refuses the connection"),
        ("http://no-proxy.invalid:9", "http://no-proxy.invalid:9 has a host that is not known"),
    ],
)
def test_a_proxy_that_is_not_reached_is_named(
    serve: Serve, visit: Visit, address: str, told: str
) -> None:
    server = serve("plain")
    message, hint = refused(visit(server.url, environ={"HTTP_PROXY": address}))
    assert message.startswith(f"{server.url}: its proxy {told}")
    assert "HTTP_PROXY" in hint and "NO_PROXY" in hint
    assert "hunter2" not in message + hint


def test_a_proxy_that_refuses_is_named(serve: Serve, visit: Visit) -> None:
    proxy = serve("plain").url.removesuffix("/mcp")  # knows no CONNECT
    message, hint = refused(visit("https://far.invalid/", environ={"HTTPS_PROXY": proxy}))
    assert message.startswith(f"https://far.invalid/: its proxy {proxy} refuses: 501")
    assert "NO_PROXY" in hint


def test_a_proxy_that_is_no_url_is_not_quoted(serve: Serve, visit: Visit) -> None:
    found = visit(serve("plain").url, environ={"ALL_PROXY": "http://me:hunter2hunter2"})
    message, hint = refused(found)
    assert message == "its proxy cannot be used: it is no URL"
    assert "ALL_PROXY" in hint


def test_a_server_that_refuses_is_not_mistaken_for_a_proxy(visit: Visit) -> None:
    message, hint = refused(visit("http://127.0.0.1:9/mcp"))
    assert "connection refused" in message and "proxy" not in message + hint


def test_http_to_a_server_that_speaks_https_is_told(
    serve: Serve, visit: Visit, certificate: tuple[str, str]
) -> None:
    url = serve("plain", tls=certificate).url.replace("https:", "http:")
    assert refused(visit(url))[1] == "is it an https:// server?"
    assert not refused(visit(serve("breaks-off").url))[1]


def test_no_one_is_told_to_do_what_stands_there(serve: Serve, visit: Visit) -> None:
    server = serve("plain")
    server.stream = lambda handler: handler.give(405, b"")
    message, hint = refused(visit(server.url, type=Transport.SSE))
    assert "HTTP 405" in message
    assert 'type = "sse"' not in hint and 'type = "http"' in hint


def answering(serve: Serve, what: Callable[[Any, dict[str, Any]], None]) -> Any:
    """A server that answers `tools/list` so, and all else as it should."""
    server = serve("plain")
    behave = server.behave

    def behaves(handler: Any, message: dict[str, Any]) -> None:
        (what if message.get("method") == "tools/list" else behave)(handler, message)

    server.behave = behaves
    return server


@pytest.mark.parametrize("number", [99, "2"])
def test_an_answer_to_another_request_is_told_as_such(
    serve: Serve, visit: Visit, number: int | str
) -> None:
    found = visit(
        answering(
            serve,
            lambda handler, _: handler.give_json({"jsonrpc": "2.0", "id": number, "result": {}}),
        ).url
    )
    message, hint = refused(found)
    assert "with JSON that is no answer to the request" in message
    assert "bears the id of its request" in hint
    for issue in found.issues:
        assert issue.message.startswith("1 text that it sent is no protocol message")
        assert "stdout" not in issue.hint


@pytest.mark.parametrize("by_event", [False, True])
def test_json_that_breaks_off_is_not_waited_for(
    serve: Serve, visit: Visit, *, by_event: bool
) -> None:
    text = json.dumps({"jsonrpc": "2.0", "id": 3, "result": {"tools": []}})[:-9]

    def cut(handler: Any, message: dict[str, Any]) -> None:
        if by_event:
            handler.begin_events()
            handler.event(text)
            handler.server.gone.wait(30)
        else:
            handler.give(200, text.encode(), "application/json")

    message, hint = refused(visit(answering(serve, cut).url, timeout=20.0))
    assert message.startswith("answered `tools/list` with JSON that breaks off or is broken: {")
    assert "timeout" not in hint and "npx" not in hint
