"""Our own format, as TOML or YAML: a document -> settings and servers."""

from collections.abc import Mapping, Sequence

from mcplock.jsontext import Json, Path
from mcplock.manifest.document import Document, dotted
from mcplock.manifest.fields import Table, kind_of, nearest_key, unknown_key
from mcplock.manifest.model import Server
from mcplock.manifest.server import server
from mcplock.records import NamedTuple
from mcplock.text import HIDDEN

CONFIRM = ("all", "writes", "none")
TOP_KEYS = ("include", "policy", "servers", "client_name", "requires")
POLICY_KEYS = ("confirm",)
YAML_SUFFIXES = (".yaml", ".yml")
SERVER_KEYS = (
    "command",
    "args",
    "env",
    "cwd",
    "url",
    "headers",
    "oauth",
    "type",
    "timeout",
    "disabled",
    "capabilities",
    "lock",
    "allow_literal_secrets",
    "trust_annotations",
)


class Settings(NamedTuple):
    """What a manifest says besides its servers."""

    confirm: str = "all"
    client_name: str = "mcplock"
    include: tuple[str, ...] = ()


def settings(document: Document) -> Settings:
    """The settings of `document`; what is wrong with them is among its faults."""
    top = Table.of(document, (), document.value)
    _check_known(document, (), document.value, (*TOP_KEYS, servers_key(document)))
    policy = _table(document, ("policy",), document.value.get("policy", {}))
    _check_known(document, ("policy",), policy, POLICY_KEYS)
    return Settings(
        confirm=Table.of(document, ("policy",), policy).choice("confirm", CONFIRM, "all"),
        client_name=_client_name(top),
        include=top.texts("include"),
    )


def warn_of_settings(document: Document) -> None:
    """Say which settings of an included file do not count."""
    for key in ("client_name", "policy"):
        if key in document.value:
            document.warn((key,), "does not count: the file is included by another one")


def servers(document: Document) -> dict[str, Server]:
    """The servers of `document` that have no fault."""
    found: dict[str, Server] = {}
    key = servers_key(document)
    written = _table(document, (key,), document.value.get(key, {}))
    for name, value in written.items():
        path = (key, name)
        table = _table(document, path, value)
        _check_known(document, path, table, SERVER_KEYS)
        if isinstance(value, dict) and (read := server(name, _meant(document, path, table))):
            found[name] = read
    return found


def _meant(document: Document, path: Path, written: Mapping[str, Json]) -> Table:
    """The table of a server, with what must be meant by `comand`.

    The misspelling is a fault; that the server has no `command` would be told beside it.
    """
    table = Table.of(document, path, written)
    if all(key in SERVER_KEYS for key in written):
        return table
    values = dict(table.values)
    for key, value in table.values.items():
        near = "" if key in SERVER_KEYS else nearest_key(key, SERVER_KEYS)
        if near in ("command", "url"):
            values.setdefault(near, value)
    return Table(document, path, values)


def servers_key(document: Document) -> str:
    """The key that the servers stand under: in YAML also `mcp_servers`, as agents name it."""
    other = "mcp_servers"
    is_yaml = document.file.endswith(YAML_SUFFIXES)
    return (
        other
        if is_yaml and other in document.value and "servers" not in document.value
        else "servers"
    )


def _client_name(top: Table) -> str:
    name = top.text("client_name")
    if "client_name" in top and (top.values["client_name"].json == "" or HIDDEN.search(name)):
        top.fault("client_name", "must be a name of characters that show")
    return name or "mcplock"


def _table(document: Document, path: Path, value: Json) -> Mapping[str, Json]:
    if isinstance(value, dict):
        return value
    if value is None:  # a key of YAML under which nothing stands yet
        return {}
    document.fault(path, f"must be a table, not {kind_of(value)}")
    return {}


def _check_known(
    document: Document, path: Path, table: Mapping[str, Json], known: Sequence[str]
) -> None:
    for key, value in table.items():
        if key in known:
            continue
        if path and key in TOP_KEYS:
            message = "belongs to the top of the file, above the first [table]"
        elif isinstance(value, dict) and len(path) > 1:
            name = dotted(("servers", f"{path[-1]}.{key}"))
            message = f"unknown key; a name with a dot stands in quotes: `[{name}]`"
        else:
            message = unknown_key(key, known)
        document.fault((*path, key), message)
