"""One table of a manifest -> a server."""

import re

from mcplock.manifest.addresses import header_value_fault, is_header_name, url_fault
from mcplock.manifest.document import dotted
from mcplock.manifest.expand import located
from mcplock.manifest.fields import Table
from mcplock.manifest.launchers import normalised
from mcplock.manifest.literals import Told, protect
from mcplock.manifest.model import DEFAULT_TIMEOUT, Server
from mcplock.manifest.secrets import shaped
from mcplock.manifest.transports import transport_of
from mcplock.model import Issue, Source, Stage, Transport
from mcplock.text import HIDDEN, plain, visible

_LOCAL = ("command", "args", "cwd", "env")
_REMOTE = ("url", "headers", "oauth")
CAPABILITIES = ("elicitation", "roots", "sampling")
MAX_NAME = 1_000


def server(name: str, table: Table) -> Server | None:
    """The server that `table` tells of; None where faults leave none."""
    before = len(table.document.faults)
    if problem := name_fault(name):
        table.document.fault(table.path, problem)
    transport = transport_of(table)
    source = _source(table, transport)
    timeout = table.seconds("timeout", DEFAULT_TIMEOUT)
    disabled = table.flag("disabled")
    resources = "resources" in table.choices("lock", ("resources",))
    allowed = table.flag("allow_literal_secrets")
    trust_annotations = table.flag("trust_annotations")
    if transport is None or len(table.document.faults) > before:
        return None
    redirect_port = 0
    if "oauth" in table:  # few servers need what reads it
        from mcplock.manifest import oauth

        source = source._replace(oauth=oauth.parameters(table, source.headers))
        redirect_port = oauth.redirect_port(table)
    if len(table.document.faults) > before:
        return None
    protected = protect(name, source)
    _warn(table, protected.source)
    read = Server(
        name,
        protected.source,
        table.document.place(table.path),
        timeout=timeout,
        disabled=disabled,
        resources=resources,
        redirect_port=redirect_port,
        trust_annotations=trust_annotations,
        literals=protected.literals if allowed else {},
    )
    if table.limits:
        issue = Issue(name, Stage.RESOLVE, f"{read.place}: {'; '.join(table.limits)}")
        return read._replace(refused=issue)
    if protected.told and not allowed:
        return read._replace(refused=_secrets_refused(name, table, protected.told))
    return read


def name_fault(name: str) -> str:
    """What is wrong with the name of a server; "" where nothing is.

    A name is an identity and a key of the lock, and is typed and read by people: every
    character must show. What the command line writes behind a name cannot be part of it.
    """
    if not name:
        return "a server needs a name"
    if len(name) > MAX_NAME:
        return f"the name has {len(name):,} characters; {MAX_NAME:,} are the most"
    if not plain(name) and (hit := HIDDEN.search(name)):
        return f"the name holds a character that does not show, {visible(hit[0])}"
    if shaped(name):
        return "the name looks like a secret, and would be printed and locked"
    if name != name.strip():
        return "the name begins or ends with a space"
    if "@sha256:" in name:
        return "the name holds `@sha256:`, which belongs to a hash"
    return ""


def _source(table: Table, transport: Transport | None) -> Source:
    """What `table` says of the source; of no use without a transport, but checked."""
    command, args = normalised(table.text("command"), table.texts("args"))
    source = Source(
        transport or Transport.STDIO,
        command=command,
        args=args,
        cwd=table.text("cwd"),
        env=table.text_map("env"),
        url=table.text("url"),
        headers=table.text_map("headers", one_line=True),
        capabilities=table.choices("capabilities", CAPABILITIES),
    )
    match transport:
        case None:
            return source
        case Transport.STDIO:
            _check_local(table, source)
            return source._replace(url="", headers={})
        case _:
            _check_remote(table, source)
            return source._replace(command="", args=(), cwd="", env={})


def _check_local(table: Table, source: Source) -> None:
    _check_strangers(table, _REMOTE, source.type)
    if not str(table.values["command"].json).strip():
        table.fault("command", "is empty")
    for name in source.env:
        if not name or re.search(r"[=\x00-\x1f]", name):
            table.fault("env", f"`{_beginning(name)}` is no name that a variable can have")


def _check_remote(table: Table, source: Source) -> None:
    _check_strangers(table, _LOCAL, source.type)
    if table.values["url"].json == "":
        table.fault("url", "is empty")
    elif not table.limits and (problem := _url_fault(source.url)):
        table.limit("url", problem)
    seen: dict[str, str] = {}
    for name, value in source.headers.items():
        first = seen.setdefault(name.lower(), name)
        if not is_header_name(name):
            table.fault("headers", f"`{_beginning(name)}` is no name that a header can have")
        elif first != name:
            table.fault("headers", f"is the same header as `{first}`", name)
        elif problem := header_value_fault(value):
            table.fault("headers", problem, name)


def _beginning(name: str) -> str:
    """What can be shown of a name that is none: `KEY=value` is a slip that people make."""
    hit = re.match(r"[\w-]*", name)
    shown = hit[0] if hit else ""
    return shown if shown == name else f"{shown}…"


def _check_strangers(table: Table, keys: tuple[str, ...], transport: Transport) -> None:
    """In our own file, what only the other kind of transport has is a fault."""
    for key in keys:
        if key in table and not table.foreign:
            table.fault(key, f"does not go with a server of type {transport.value}")


def _warn(table: Table, source: Source) -> None:
    """What another program would take otherwise than mcplock does."""
    if " " in source.command and not source.args and not re.search(r"[/\\]", source.command):
        table.warn("command", "holds a space; arguments are written in `args`")
    named = [("env", *item) for item in source.env.items()]
    named += [("headers", *item) for item in source.headers.items()]
    for key, name, value in named:
        if hit := re.search(r"\$(?:([A-Za-z_]\w*)|\()", value):
            instead = f"`${{{hit[1]}}}` would be the variable" if hit[1] else "nothing is run"
            table.warn(key, f"`{hit[0]}` is taken as it is written; {instead}", name)


def _url_fault(url: str) -> str:
    """What is wrong with a URL that can be judged before its variables are known."""
    return "" if not url or next(located(url), None) else url_fault(url)


def _secrets_refused(name: str, table: Table, told: tuple[Told, ...]) -> Issue:
    lines = []
    for secret in told:
        key, *below = secret.path
        path = table.where(str(key), *below)
        instead = visible(secret.instead)
        written = f'"{instead}"' if _is_json(table) else instead
        message = f"looks like a secret; write `{written}`"
        lines.append(f"{table.document.place(path)}: {dotted(path)}: {message}")
    hint = _JSON_HINT if _is_json(table) else _HINT
    return Issue(name, Stage.RESOLVE, "\n".join(lines), hint=hint)


def _is_json(table: Table) -> bool:
    return table.foreign and not table.document.file.endswith((".toml", ".yaml", ".yml"))


_HINT = "set the variable where mcplock runs, or `allow_literal_secrets = true` on the server"
_JSON_HINT = (
    "first write the `${VAR}` into that file, then set VAR where mcplock and the client run; "
    'or `"allow_literal_secrets": true` on the server'
)
