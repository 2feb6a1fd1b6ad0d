"""One table of a manifest -> a server."""

from mcplock.manifest.fields import Table
from mcplock.manifest.model import DEFAULT_TIMEOUT, Server
from mcplock.manifest.transports import transport_of
from mcplock.model import Source, Transport

_LOCAL = ("command", "args", "cwd", "env")
_REMOTE = ("url", "headers")
CAPABILITIES = ("elicitation", "roots", "sampling")


def server(name: str, table: Table) -> Server | None:
    """The server that `table` tells of; None where faults leave none."""
    before = len(table.document.faults)
    transport = transport_of(table)
    if transport is None:
        return None
    source = Source(
        transport,
        command=table.text("command"),
        args=table.texts("args"),
        cwd=table.text("cwd"),
        env=table.text_map("env"),
        url=table.text("url"),
        headers=table.text_map("headers", one_line=True),
        capabilities=table.choices("capabilities", CAPABILITIES),
    )
    _check_place(table, transport)
    read = Server(
        name,
        source,
        table.document.place(table.path),
        timeout=table.seconds("timeout", DEFAULT_TIMEOUT),
        disabled=table.flag("disabled"),
        resources="resources" in table.choices("lock", ("resources",)),
    )
    return read if len(table.document.faults) == before else None


def _check_place(table: Table, transport: Transport) -> None:
    """What only the other kind of transport has is a fault."""
    others = (
        ("url", "headers") if transport is Transport.STDIO else ("command", "args", "cwd", "env")
    )
    for key in others:
        if key in table:
            table.fault(key, f"does not go with a server of type {transport.value}")
