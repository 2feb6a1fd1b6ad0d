"""The protocol's revisions, and the messages that mcplock sends.

One face for every command: servers list different tools to different clients, so the
client's name, version and capabilities are the same whatever is being done.
"""

from collections.abc import Mapping, Sequence

from mcplock.jsontext import Json
from mcplock.records import NamedTuple

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Revisions that begin with `initialize`, oldest first."""

MODERN = ("2026-07-28",)
"""Revisions without a handshake: each request carries the client's face."""

META_VERSION = "io.modelcontextprotocol/protocolVersion"
META_CLIENT = "io.modelcontextprotocol/clientInfo"
META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
META_SERVER = "io.modelcontextprotocol/serverInfo"

METHOD_NOT_FOUND = -32601
UNSUPPORTED_VERSION = -32022

_FACE_VERSION = "1"  # of the face, not of mcplock: an upgrade of mcplock changes no listing


class Face(NamedTuple):
    """What a server is told of its client. `capabilities`: names, as the manifest has them."""

    name: str = "mcplock"
    capabilities: Sequence[str] = ()

    def info(self) -> dict[str, Json]:
        """The `clientInfo` object."""
        return {"name": self.name, "version": _FACE_VERSION}

    def declared(self) -> dict[str, Json]:
        """The `capabilities` object."""
        return {name: {} for name in self.capabilities}


def initialize_params(face: Face, revision: str) -> dict[str, Json]:
    """The parameters of `initialize`."""
    return {
        "protocolVersion": revision,
        "capabilities": face.declared(),
        "clientInfo": face.info(),
    }


def with_face(params: Mapping[str, Json], face: Face, revision: str) -> dict[str, Json]:
    """`params` with the `_meta` that every request of a modern revision carries."""
    meta = {
        META_VERSION: revision,
        META_CLIENT: face.info(),
        META_CAPABILITIES: face.declared(),
    }
    return {**params, "_meta": {**params.get("_meta", {}), **meta}}


def request(number: int, method: str, params: Mapping[str, Json]) -> dict[str, Json]:
    """A request with the id `number`."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": dict(params)}


def notification(method: str, params: Mapping[str, Json] | None = None) -> dict[str, Json]:
    """A notification."""
    message: dict[str, Json] = {"jsonrpc": "2.0", "method": method}
    return message if params is None else {**message, "params": dict(params)}


def result(number: Json, value: Json) -> dict[str, Json]:
    """The answer to a server's own request."""
    return {"jsonrpc": "2.0", "id": number, "result": value}


def error(number: Json, code: int, message: str) -> dict[str, Json]:
    """The refusal of a server's own request."""
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}
