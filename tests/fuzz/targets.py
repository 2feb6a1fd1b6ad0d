"""What is fuzzed: one function for each reader, and inputs to begin with.

A target takes any bytes. It may refuse them with one of mcplock's errors; anything else that
it raises is a find.
"""

import asyncio
import io
import json
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from mcplock.definitions import TooMany, listing
from mcplock.errors import McplockError
from mcplock.lockfile import format_lock, read_lock
from mcplock.manifest import load
from mcplock.model import SECTIONS
from mcplock.session.bodies import body
from mcplock.session.channel import Failure
from mcplock.session.events import Events
from mcplock.session.stdio import _lines
from mcplock.session.wire import Answer, decode, read

ROOT = Path(__file__).parents[2]
SECRETS = {"s3cret-value": "${TOKEN}"}
_TOOLS = SECTIONS[0]
_LONGEST = 1 << 16  # of a manifest: the time that `tomllib` takes grows with the square of a key


class Target(NamedTuple):
    """A reader: what takes the bytes, and inputs that it takes well."""

    run: Callable[[bytes], None]
    seeds: Sequence[bytes]


def lock(data: bytes) -> None:
    """A lock that can be read is written as itself and read as itself."""
    try:
        found, canonical = read_lock(data, "mcp.lock")
    except McplockError:
        return
    written = format_lock(found).encode()
    assert read_lock(written, "mcp.lock") == (found, True)
    assert canonical == (written == data)


def manifest(name: str) -> Callable[[bytes], None]:
    """The target for a manifest in a file called `name`."""
    path = Path("/nowhere/project") / name

    def run(data: bytes) -> None:
        try:
            load(path, read=lambda _: data[:_LONGEST])
        except McplockError:
            return

    return run


def frames(data: bytes) -> None:
    """What a server writes to its stdout, line by line."""
    try:
        for line in _lines(io.BytesIO(data)):
            messages(decode(line))
    except Failure:
        return


def messages(text: str) -> None:
    """The messages in a text, and the definitions in each that may be a page of a list."""
    for message in read(text):
        if isinstance(message, Answer) and isinstance((message.result or {}).get("tools"), list):
            message.items("tools")
            try:
                listing("s", _TOOLS, [message.text], SECRETS)
            except TooMany:
                return


class _Response:
    """What of an HTTP answer the reader of bodies looks at: the first byte says how it comes."""

    def __init__(self, data: bytes) -> None:
        encodings = ("", "gzip", "deflate", "br")
        self.headers = {"content-encoding": encodings[data[0] % len(encodings)]}
        self._size = 1 + data[0] // 4
        self._data = data[1:]

    async def aiter_raw(self) -> AsyncIterator[bytes]:
        for at in range(0, len(self._data), self._size * 997):
            yield self._data[at : at + self._size * 997]


def http_body(data: bytes) -> None:
    """The body of an answer over HTTP, compressed or not."""
    if not data:
        return
    try:
        messages(decode(asyncio.run(body(_Response(data), 16 << 20))))
    except Failure:
        return


def sse(data: bytes) -> None:
    """A stream of events, in chunks as long as the first byte says."""
    if not data:
        return
    size = 1 + data[0]
    events = Events()
    try:
        for at in range(1, len(data), size):
            for _, text in events.feed(data[at : at + size]):
                messages(text)
    except Failure:
        return


def _answer(*tools: object, **more: object) -> bytes:
    result = {"tools": tools, **more}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}).encode()


_TOOL = {
    "name": "search",
    "description": "Searches.\nFor s3cret-value \u200b\ud83d\ude00",
    "inputSchema": {"type": "object", "properties": {"q": {"type": "string", "minLength": 1.0}}},
    "_meta": {"x": [1e-7, -0.0, 1e22, None, True, "\ud800"]},
}
_PAGES = [
    _answer(_TOOL, _TOOL | {"name": "other"}),
    _answer(_TOOL, _TOOL | {"title": "twice"}, nextCursor=""),
    b'[{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}},'
    b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}]',
    b'{"jsonrpc":"2.0","id":"a","method":"ping"}',
    b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","name":"b","x":1e999}]}}',
]
_MANIFEST = b"""\
include = ["x.json"]
[policy]
confirm = "writes"
[servers."a.b"]
url = "https://${HOST:-x}/mcp?a=b"
headers = { Authorization = "Bearer ${TOKEN}" }
[servers.time]
command = "uvx" # a comment
args = ["mcp-server-time", '${env:ZONE}']
env = { LOG = "x" }
timeout = 1.5
"""
_CLIENT = b"""\
{ // servers
  "mcpServers": {
    "a": {"command": "npx", "args": ["-y", "p@1.0"], "env": {"K": "${K}"},},
    "b": {"type": "sse", "url": "https://u:p@h/x", "headers": {"X-Api-Key": "abcdefgh12345678"}}
  }, "servers": {}, "mcp": {"servers": {}}
}
"""
_YAML = b"""\
mcp_servers:
  a: {command: npx, args: [-y, p]}
  b:
    url: "https://h/${X}"
    headers: &h {A: "${T}"}
  c: {command: x, env: *h}
"""
_PYPROJECT = _MANIFEST.replace(b"[servers", b"[tool.mcplock.servers").replace(
    b"[policy", b"[tool.mcplock.policy"
)
_LOCKS = [(ROOT / "mcp.lock.example").read_bytes(), b'{"lockfileVersion": 1, "servers": {}}\n']
_EVENTS = [
    b"\x20event: message\r\ndata: " + page.replace(b"\n", b"") + b"\r\n\r\n: x\n\n"
    for page in _PAGES
]

TARGETS = {
    "lock": Target(lock, _LOCKS),
    "mcp.toml": Target(manifest("mcp.toml"), [_MANIFEST]),
    "pyproject.toml": Target(manifest("pyproject.toml"), [_PYPROJECT]),
    "mcp.yaml": Target(manifest("mcp.yaml"), [_YAML]),
    "mcp.json": Target(manifest(".mcp.json"), [_CLIENT, _CLIENT.decode().encode("utf-16")]),
    "codex.toml": Target(manifest(".codex/config.toml"), [_MANIFEST]),
    "frames": Target(frames, [b"\n".join(_PAGES), *_PAGES]),
    "http": Target(http_body, [b"\0" + page for page in _PAGES]),
    "sse": Target(sse, _EVENTS),
}
"""By the name that the command line takes."""
