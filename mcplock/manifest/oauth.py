"""The table `oauth` of a server: as which client mcplock logs in, and for what."""

import re
from collections.abc import Collection, Iterator, Mapping

from mcplock.jsontext import Json
from mcplock.lazy import pattern
from mcplock.manifest.addresses import url_fault
from mcplock.manifest.expand import located
from mcplock.manifest.fields import Table, kind_of, unknown_key

KEYS = (
    "grant",
    "client_id",
    "client_secret",
    "auth_method",
    "issuer",
    "scopes",
    "redirect_port",
)
BROWSER = "authorization_code"
MACHINE = "client_credentials"
_AUTH_METHODS = ("client_secret_basic", "client_secret_post")
SCOPE = pattern(r"[\x21\x23-\x5b\x5d-\x7e]+")
"""One scope (RFC 6749, 3.3)."""


def parameters(table: Table, headers: Collection[str]) -> dict[str, str]:
    """What of `oauth` is part of the source; what is as by default is left out.

    headers: the names of those that the server has besides.
    """
    inner = _inner(table)
    found = {
        "grant": inner.choice("grant", (BROWSER, MACHINE), BROWSER),
        "client_id": inner.text("client_id"),
        "client_secret": inner.text("client_secret"),
        "auth_method": inner.choice("auth_method", _AUTH_METHODS, _AUTH_METHODS[0]),
        "issuer": inner.text("issuer"),
        "scope": _scope(inner),
    }
    usual = {"grant": BROWSER, "auth_method": _AUTH_METHODS[0]}
    written = {name: text for name, text in found.items() if text not in ("", usual.get(name))}
    _check(table, written)
    if any(name.lower() == "authorization" for name in headers):
        table.warn("oauth", "does not count: the header `Authorization` is sent as it is written")
    return written


def redirect_port(table: Table) -> int:
    """The port of the redirect URI that the client is registered with; 0: any."""
    port = _values(table).get("redirect_port", 0)
    if isinstance(port, int) and not isinstance(port, bool) and 0 <= port < 1 << 16:
        return port
    table.fault("oauth", "must be a port, from 1 to 65535", "redirect_port")
    return 0


def _check(table: Table, oauth: Mapping[str, str]) -> None:
    """Note what is unknown or missing."""
    for key in _values(table):
        if key not in KEYS:
            table.fault("oauth", unknown_key(key, KEYS), key)
    for fault in _missing(oauth):
        table.fault("oauth", fault)
    issuer = oauth.get("issuer", "")
    if issuer and not next(located(issuer), None) and (problem := url_fault(issuer)):
        table.fault("oauth", problem, "issuer")


def value_faults(oauth: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What is wrong with parameters whose variables are expanded: (name, what)."""
    for name, value in oauth.items():
        if not value:
            yield name, "is empty"
        elif re.search("[\ud800-\udfff]", value):
            yield name, "holds a byte that is no UTF-8"
        elif name == "issuer" and (problem := url_fault(value)):
            yield name, problem


def _missing(oauth: Mapping[str, str]) -> Iterator[str]:
    if oauth.get("grant") == MACHINE and not {"client_id", "client_secret"} <= oauth.keys():
        yield "needs `client_id` and `client_secret` for client credentials"
    if "client_secret" in oauth and "client_id" not in oauth:
        yield "has a `client_secret` and needs its `client_id`"
    if "client_secret" in oauth and "issuer" not in oauth:
        yield "has a `client_secret` and needs the `issuer` that it is for: no other is to get it"


def _values(table: Table) -> Mapping[str, Json]:
    value = table.values["oauth"].json
    return value if isinstance(value, dict) else {}


def _inner(table: Table) -> Table:
    value = table.values["oauth"].json
    if not isinstance(value, dict):
        table.fault("oauth", f"must be a table, not {kind_of(value)}")
    return Table.of(table.document, table.where("oauth"), _values(table))


def _scope(inner: Table) -> str:
    scopes = inner.texts("scopes")
    for index, scope in enumerate(scopes):
        if not SCOPE.fullmatch(scope):
            inner.fault(
                "scopes", "must be one scope, without spaces, quotes and backslashes", index
            )
    return " ".join(scopes)
