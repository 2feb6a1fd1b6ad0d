"""Lints over a source: how a server is reached."""

from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

from mcplock.audit.commands import at as place_of
from mcplock.audit.commands import audit_command
from mcplock.audit.findings import Finding, Severity
from mcplock.audit.launchers import unpinned
from mcplock.jsontext import Json
from mcplock.lazy import pattern
from mcplock.text import visible

_DEFAULT = pattern(r"\$\{[^{}]*?:-([^{}]*)\}")
"""`${VAR:-default}`"""


def audit_source(content: Json) -> Iterator[Finding]:
    """What is odd of a command line, packages without a fixed version, plain http elsewhere."""
    command, arguments = content.get("command", ""), content.get("args", [])
    yield from audit_command(command, arguments, content.get("env", {}))
    for word in unpinned(command, arguments):
        at, package = place_of(word), word[1]
        message = f"{visible(package)} is not pinned: each start may run another version"
        yield Finding("unpinned", Severity.MEDIUM, at, message)
    addresses = {"/url": content.get("url", "")}
    addresses |= {f"/args/{place}": text for place, text in enumerate(arguments)}
    for at, address in addresses.items():
        if _is_plain(address):
            message = f"{visible(address)} is plain http: what it answers can be changed in transit"
            yield Finding("plain-http", Severity.MEDIUM, at, message)


def _is_plain(address: str) -> bool:
    """Whether `address` is an http URL to a host that is not loopback."""
    address = _DEFAULT.sub(r"\1", address)
    if not address.lower().startswith("http://"):
        return False
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return True
    if "\\" in address:  # some readers end the host there, others do not
        return True
    return not (host == "localhost" or host.endswith(".localhost") or _is_loopback(host))


def _is_loopback(host: str) -> bool:
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback
