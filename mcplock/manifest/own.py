"""Our own format, `mcp.toml`: a document -> servers and settings."""

from collections.abc import Mapping
from dataclasses import dataclass

from mcplock.jsontext import Json, Path
from mcplock.manifest.document import Document
from mcplock.manifest.fields import Table, kind_of, unknown_key
from mcplock.manifest.model import Server
from mcplock.manifest.server import server

CONFIRM = ("all", "writes", "none")
_TOP = ("include", "policy", "servers", "client_name", "requires")
_SERVER = (
    "command", "args", "env", "cwd", "url", "headers", "type", "timeout", "disabled",
    "capabilities", "lock", "allow_literal_secrets",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settings:
    """What a manifest says besides its servers."""

    confirm: str = "all"
    client_name: str = "mcplock"
    include: tuple[str, ...] = ()


def settings(document: Document) -> Settings:
    """The settings of `document`."""
    top = Table.of(document, (), document.value)
    _known(document, (), document.value, _TOP)
    policy = _table(document, ("policy",), document.value.get("policy", {}))
    _known(document, ("policy",), policy, ("confirm",))
    return Settings(
        confirm=Table.of(document, ("policy",), policy).choice("confirm", CONFIRM, "all"),
        client_name=top.text("client_name") or "mcplock",
        include=top.texts("include"),
    )


def servers(document: Document) -> dict[str, Server]:
    """The servers of `document` that have no fault."""
    found: dict[str, Server] = {}
    written = _table(document, ("servers",), document.value.get("servers", {}))
    for name, value in written.items():
        path = ("servers", name)
        table = _table(document, path, value)
        _known(document, path, table, _SERVER)
        if isinstance(value, dict) and (read := server(name, Table.of(document, path, table))):
            found[name] = read
    return found


def _table(document: Document, path: Path, value: Json) -> Mapping[str, Json]:
    if isinstance(value, dict):
        return value
    document.fault(path, f"must be a table, not {kind_of(value)}")
    return {}


def _known(
    document: Document, path: Path, table: Mapping[str, Json], known: tuple[str, ...]
) -> None:
    for key in table:
        if key not in known:
            document.fault((*path, key), unknown_key(key, known))
