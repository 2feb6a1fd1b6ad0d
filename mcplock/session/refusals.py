"""Why an HTTP server cannot be used, in words that say what to do next."""

import json
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from html import unescape
from http import HTTPStatus
from urllib.parse import urljoin, urlsplit, urlunsplit

from mcplock.jsontext import Json
from mcplock.logins import bare
from mcplock.manifest.document import dotted
from mcplock.manifest.secrets import MASK
from mcplock.naming import typed
from mcplock.session.channel import Failure, Rejected, Unauthorized
from mcplock.session.words import Secrets, shown
from mcplock.text import visible

_KEEP_METHOD = (307, 308)
_FINAL = (407, 408, 429)  # what these say, no other message and no other transport changes
_PORTS = {"http": 80, "https": 443}
_PARAMETER = re.compile(r'([A-Za-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))')
_NO_ISSUER = (2, 18, 19, 20, 21)  # of OpenSSL's codes: nobody vouches for the certificate
_AUTHORITY = (
    "name the file of its certificate authority: `--ca-file FILE`, or the variable SSL_CERT_FILE"
)
_WRONG_PATH = "check the path of its URL: many servers listen under /mcp, older ones under /sse"
_HINTS = {
    404: _WRONG_PATH,
    405: f'{_WRONG_PATH}; `type = "sse"` speaks the older transport alone',
    410: "the server has moved or is gone: its own words may say where to",
    429: "it limits how often it may be asked: try again later",
}
_NEWER = f'{_WRONG_PATH}; `type = "http"` speaks the newer transport first'
PROXY_HINT = "HTTP_PROXY, HTTPS_PROXY or ALL_PROXY names it; NO_PROXY names exceptions"


@dataclass(frozen=True, slots=True)
class Answered:
    """An HTTP answer, as far as messages need it. headers: names in lower case."""

    status: int
    url: str
    headers: Mapping[str, str]
    body: bytes


def address(url: str) -> str:
    """`url` for a message: without userinfo, query and fragment, which may hold secrets."""
    return visible(bare(url))


def redirected(status: int, sent: str, location: str) -> str:
    """Where a redirect leads, if it stays within the origin; raises `Failure` otherwise."""
    try:
        target = urljoin(sent, location)
        before, after = urlsplit(sent), urlsplit(target)
    except ValueError:
        raise Failure(f"redirects to an address that is none (HTTP {status})") from None
    words = f"redirects to {address(target)} (HTTP {status})"
    if before.scheme == "https" and after.scheme == "http":
        better = address(urlunsplit(after._replace(scheme="https")))
        raise Failure(
            f"{words}, which is not followed: it is no longer encrypted",
            hint=f"try {better}; a proxy in front of the server may hide that it speaks https",
        )
    if not same_origin(sent, target):
        raise Failure(
            f"{words}, another origin, which is not followed",
            hint="put that URL into the manifest if it is the server you mean",
        )
    if status not in _KEEP_METHOD:
        raise Rejected(
            f"{words}, which a message cannot follow",
            hint="put that URL into the manifest if it is the server you mean",
        )
    return target


def same_origin(one: str, other: str) -> bool:
    """Whether scheme, host and port are the same, and `other` brings no userinfo."""
    try:
        origins = {
            (parts.scheme, parts.hostname, parts.port or _PORTS.get(parts.scheme))
            for parts in (urlsplit(one), urlsplit(other))
        }
    except ValueError:  # a port that is no number
        return False
    return len(origins) == 1 and "@" not in urlsplit(other).netloc


def refused(
    answer: Answered,
    server: str,
    headers: Mapping[str, str],
    secrets: Secrets,
    *,
    older: bool = False,
) -> Failure:
    """What is said of an answer whose status is no success.

    server: its name; headers: those of the manifest, as written there; older: it was asked
    over the older transport.
    """
    status = f"HTTP {answer.status}"
    with suppress(ValueError):
        status += f" {HTTPStatus(answer.status).phrase}"
    words = own_words(answer.body, secrets)
    said = f"{status} from {address(answer.url)}{f': {words}' if words else ''}"
    if answer.status in (401, 403):
        challenge = answer.headers.get("www-authenticate", "")
        return Unauthorized(
            said + _challenge(challenge, secrets),
            hint=_credentials(server, headers, challenge),
            scopes=_lacking(challenge) if answer.status == 403 else (),
        )
    hint = _NEWER if older and answer.status == 405 else _HINTS.get(answer.status, "")
    if answer.status in _FINAL:
        return Failure(said, hint=hint)
    return Rejected(said, hint=hint, maybe_sse=400 <= answer.status < 500)


def _challenge(header: str, secrets: Secrets) -> str:
    """What `WWW-Authenticate` asks for: the scheme, and where the metadata lie."""
    scheme, _, rest = header.strip().partition(" ")
    if not scheme:
        return "; it does not say which credentials it wants"
    found = _parameters(rest)
    details = [f"scheme {shown(scheme, secrets)}"]
    for name, label in (
        ("resource_metadata", "resource metadata"),
        ("scope", "scope"),
        ("error", "error"),
        ("error_description", "reason"),
    ):
        if name in found:
            details.append(f"{label} {shown(found[name], secrets)}")
    return f"; it asks for credentials ({', '.join(details)})"


def _parameters(rest: str) -> dict[str, str]:
    """The parameters of a challenge, behind its scheme."""
    return {name.lower(): quoted or plain for name, quoted, plain in _PARAMETER.findall(rest)}


def _lacking(challenge: str) -> tuple[str, ...]:
    """The scopes that a token lacks (RFC 6750, 3.1); none where one is not fit to be typed."""
    found = _parameters(challenge.strip().partition(" ")[2])
    scopes = found.get("scope", "").split(" ")
    is_lack = found.get("error") == "insufficient_scope"
    return tuple(scopes) if is_lack and all(map(is_plain_scope, scopes)) else ()


def is_plain_scope(scope: str) -> bool:
    """Whether what a server calls a scope may stand in a command that a person is told."""
    return re.fullmatch(r"[A-Za-z0-9:/._+@][A-Za-z0-9:/._+~@=,-]{0,199}", scope) is not None


def _credentials(server: str, headers: Mapping[str, str], challenge: str) -> str:
    for name, value in headers.items():
        if name.lower() in ("authorization", "x-api-key", "api-key", "cookie"):
            value = visible(value)
            return f"`{visible(name)}` was sent as the manifest has it, `{value}`: check its value"
    header = 'headers = { Authorization = "Bearer ${TOKEN}" }'
    by_header = f"put `{header}` under [{dotted(('servers', server))}] and set the variable `TOKEN`"
    scheme = challenge.strip().partition(" ")[0].lower()
    if scheme not in ("", "bearer", "dpop"):
        return by_header
    return f"`mcplock login {typed(server)}`; or, with a token that you were given, {by_header}"


def own_words(body: bytes, secrets: Secrets) -> str:
    """The beginning of what `body` says to a person, on one line."""
    text = body.decode("utf-8", "replace").strip()
    with suppress(ValueError, RecursionError):
        text = _reason(json.loads(text)) or text
    if text.startswith("<"):
        text = _title(text)
    return shown(" ".join(text.split()), secrets)


def _reason(value: Json) -> str:
    """The text that JSON error bodies keep under one of a few names."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        for name in ("error_description", "message", "detail", "error", "title"):
            if found := _reason(value.get(name)):
                return found
    return ""


def _title(page: str) -> str:
    title = re.search(r"(?is)<title[^>]*>(.*?)</title>", page)
    text = title[1] if title else re.sub(r"(?s)<(script|style).*?</\1>|<[^>]*>", " ", page)
    return unescape(text)


def not_an_answer(answer: Answered, content_type: str, secrets: Secrets) -> Rejected:
    """What is said of a success that holds no message."""
    kind = shown(content_type.partition(";")[0], secrets) or "an unnamed type"
    words = own_words(answer.body, secrets)
    if not answer.body.strip():
        return Rejected(f"took a request (HTTP {answer.status}) and gave no answer to it")
    return Rejected(
        f"answered HTTP {answer.status} from {address(answer.url)} with {kind}, "
        f"which is no protocol message{f': {words}' if words else ''}",
        hint="check the path of its URL: many servers listen under /mcp",
    )


def another_answer(answer: Answered, secrets: Secrets) -> Rejected:
    """What is said of a success whose JSON is no answer to the request."""
    return Rejected(
        f"answered HTTP {answer.status} from {address(answer.url)} with JSON that is no answer "
        f"to the request: {own_words(answer.body, secrets)}",
        hint="an answer bears the id of its request; or check the path of its URL",
    )


def unreachable(error: Exception, url: str, proxy: str = "", *, began: bool = False) -> Failure:
    """What is said where an answer did not come, or not whole.

    proxy: what it was to come through; began: whether the server has ever answered.
    """
    place = address(url)
    causes = list(_causes(error))
    if proxy and (failure := _no_proxy(causes, f"{place}: its proxy {address(proxy)}")):
        return failure
    for cause in causes:
        match cause:
            case ssl.SSLCertVerificationError():
                return Failure(
                    f"{place}: its certificate is not trusted: {visible(cause.verify_message)}",
                    hint=_AUTHORITY if cause.verify_code in _NO_ISSUER else "",
                )
            case ssl.SSLError():
                reason = visible(cause.reason or str(cause))
                return Failure(f"{place}: TLS fails: {reason}", hint="is it an http:// server?")
            case socket.gaierror():
                return Failure(f"{place}: no such host, or no name service: {cause.strerror}")
            case ConnectionRefusedError():
                return Failure(f"{place}: connection refused: nothing listens there")
    failure = _broke_off(error, causes, place, proxy)
    if place.startswith("http:") and not began and "broke off" in failure.message:
        failure.hint = "is it an https:// server?"
    return failure


def _no_proxy(causes: list[BaseException], place: str) -> Failure | None:
    """What is said where the proxy itself is not reached: then nobody else was asked."""
    import httpx2

    for cause in causes:
        match cause:
            case ssl.SSLError():
                return None  # it may as well be the server's, through the proxy
            case socket.gaierror():
                told = f"has a host that is not known: {cause.strerror}"
            case ConnectionRefusedError():
                told = "refuses the connection: nothing listens there"
            case httpx2.ConnectTimeout():
                told = "gives no connection within 30 seconds"
            case _:
                continue
        return Failure(f"{place} {told}", hint=PROXY_HINT)
    return None


def _broke_off(error: Exception, causes: list[BaseException], place: str, proxy: str) -> Failure:
    import httpx2

    words = next((visible(str(cause)) for cause in causes if str(cause)), type(error).__name__)
    match error:
        case httpx2.ConnectTimeout():
            return Failure(f"{place}: no connection within 30 seconds")
        case httpx2.ProxyError():
            told = f"{place}: its proxy {address(proxy)} refuses: {words}"
            return Failure(told, hint=PROXY_HINT)
        case httpx2.ConnectError():
            return Failure(f"{place}: no connection: {words}")
        case httpx2.LocalProtocolError() | httpx2.InvalidURL():
            return Failure(f"{place}: cannot be asked: {_unquoted(words)}")
    return Failure(f"{place}: broke off its answer: {words}")


def _unquoted(words: str) -> str:
    """`words` without what they quote of a request: a header may be a secret."""
    return re.sub(r"(?s)\b(?:bytearray\()?b['\"].*", MASK, words)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """`error` and what led to it, the groups of parallel attempts included."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        cause = waiting.pop(0)
        if cause is None or id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        if isinstance(cause, BaseExceptionGroup):
            waiting += cause.exceptions
        waiting += [cause.__cause__, cause.__context__]
