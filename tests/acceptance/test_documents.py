"""Documents that the program itself writes are as it would write them now: `make docs`."""

import json
import re
from pathlib import Path

from mcplock.manifest import load, own
from mcplock.model import Entry, Invalid
from mcplock.text import ESCAPED
from tests.documents.commands import page, with_table

ROOT = Path(__file__).parents[2]


def test_the_table_of_commands_is_what_help_says() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert with_table(readme) == readme, "run `make docs`"


def test_every_help_is_as_it_is_told() -> None:
    assert page() == doc("commands.md"), "run `make docs`"


def doc(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_the_manifest_that_is_explained_is_one_with_every_key(tmp_path: Path) -> None:
    text = doc("manifest.md")
    (manifest,) = re.findall(r"^```toml\n(.*?)^```\n", text, re.MULTILINE | re.DOTALL)
    (tmp_path / ".mcp.json").write_text('{"mcpServers": {}}', encoding="utf-8")
    path = tmp_path / "mcp.toml"
    path.write_text(manifest, encoding="utf-8")
    found = load(path)
    assert set(found.servers) == {"docs", "old", "files"}
    assert not any(server.refused for server in found.servers.values())
    known = {*own.TOP_KEYS, *own.SERVER_KEYS} - {"policy", "servers"}
    assert [key for key in known if f"`{key}`" not in text] == []


def test_every_key_of_the_lock_is_explained() -> None:
    text = doc("lock.md")
    example = json.loads((ROOT / "mcp.lock.example").read_text(encoding="utf-8"))
    ours = {*example, *(key for server in example["servers"].values() for key in server)}
    ours |= set(Entry._fields) - {"content", "raw"}
    ours |= {code.value for code in Invalid}
    assert [key for key in ours if not re.search(rf"\b{key}\b", text)] == []


def test_the_characters_that_the_lock_escapes_are_those_that_are_told() -> None:
    rows = re.findall(r"^ *\| [^|]+ \| ([0-9A-F–, ]+) \|$", doc("lock.md"), re.MULTILINE)
    told = set()
    for hexadecimal in ", ".join(rows).split(", "):
        first, _, last = hexadecimal.partition("–")
        told |= set(range(int(first, 16), int(last or first, 16) + 1))
    escaped = {code for code in range(0x110000) if ESCAPED.fullmatch(chr(code))}
    assert told == escaped
