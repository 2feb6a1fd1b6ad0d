"""How a server is spoken to, by any of the spellings in use."""

from mcplock.manifest.fields import Table, one_of
from mcplock.model import Transport
from mcplock.text import visible

_SPELLINGS = {
    "stdio": Transport.STDIO,
    "local": Transport.STDIO,
    "http": Transport.HTTP,
    "streamablehttp": Transport.HTTP,
    "streamablehttps": Transport.HTTP,
    "remote": Transport.HTTP,
    "sse": Transport.SSE,
}


def transport_of(table: Table) -> Transport | None:
    """The transport that `type` names, or that `command` or `url` imply; None with a fault."""
    if "type" in table:
        return _named(table)
    match "command" in table, "url" in table:
        case True, True:
            table.fault("url", "stands beside `command`: a server has one of them")
        case True, False:
            return Transport.STDIO
        case False, True:
            return Transport.HTTP
        case _:
            table.document.fault(table.path, "needs `command` or `url`")
    return None


def _named(table: Table) -> Transport | None:
    written = table.text("type")
    transport = _SPELLINGS.get(written.lower().replace("-", "").replace("_", ""))
    if not written:
        return None
    if transport is None:
        known = one_of([kind.value for kind in Transport])
        table.limit("type", f"`{visible(written)}` is not supported; it must be {known}")
        if not table.foreign:
            return None
        transport = Transport.HTTP if "url" in table else Transport.STDIO
    needed = "command" if transport is Transport.STDIO else "url"
    if needed not in table:
        table.document.fault(table.path, f"is of type {transport.value} and needs `{needed}`")
        return None
    return transport
