"""`mcp.toml` read completely."""

from pathlib import Path

import pytest

from mcplock.errors import FaultyFile
from mcplock.manifest import Manifest, load
from mcplock.model import Source, Transport

GOOD = """\
client_name = "acme"

[policy]
confirm = "writes"

[servers.docs]
url = "https://docs.example.com/mcp"
headers = { Authorization = "Bearer ${DOCS_TOKEN}" }

[servers.time]
command = "uvx"
args = ["mcp-server-time", "--local-timezone", "UTC"]
env = { LOG_LEVEL = "warn" }
timeout = 60
lock = ["resources"]
disabled = true
"""


def read(tmp_path: Path, text: str) -> Manifest:
    path = tmp_path / "mcp.toml"
    path.write_text(text, encoding="utf-8")
    return load(path)


def faults(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(FaultyFile) as caught:
        read(tmp_path, text)
    return [f"{fault.line}: {fault.key}: {fault.message}" for fault in caught.value.faults]


def test_every_key_arrives(tmp_path: Path) -> None:
    manifest = read(tmp_path, GOOD)
    assert (manifest.confirm, manifest.client_name) == ("writes", "acme")
    assert list(manifest.servers) == ["docs", "time"]
    docs, time = manifest.servers.values()
    assert docs.source == Source(
        Transport.HTTP,
        url="https://docs.example.com/mcp",
        headers={"Authorization": "Bearer ${DOCS_TOKEN}"},
    )
    assert time.source.content() == {
        "type": "stdio",
        "command": "uvx",
        "args": ["mcp-server-time", "--local-timezone", "UTC"],
        "env": {"LOG_LEVEL": "warn"},
    }
    assert (time.timeout, time.resources, time.disabled) == (60.0, True, True)
    assert time.place.line == 10


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    text = """\
[policy]
confirm = "some"
[servers.a]
comand = "x"
[servers.b]
command = 3
args = ["x", 4]
[servers.c]
url = "https://c.example"
env = { A = "1" }
timeout = 0
"""
    assert faults(tmp_path, text) == [
        '2: policy.confirm: must be "all", "writes" or "none"',
        "3: servers.a: needs `command` or `url`",
        "4: servers.a.comand: unknown key; did you mean `command`?",
        "6: servers.b.command: must be a string, not a number",
        "7: servers.b.args[1]: must be a string, not a number",
        "10: servers.c.env: does not go with a server of type http",
        "11: servers.c.timeout: must be a number of seconds above zero",
    ]
