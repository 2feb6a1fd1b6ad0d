"""Files as editors and systems save them."""

import os
from pathlib import Path

import pytest

from mcplock.errors import FaultyFile, McplockError, MissingFile
from mcplock.manifest import load
from mcplock.manifest.encoding import MAX_BYTES, decode
from tests.unit.manifest.projects import Project

TOML = '[servers.a]\ncommand = "größe"\n'
JSON = '{"mcpServers": {"a": {"command": "größe"}}}'


@pytest.mark.parametrize("text, name", [(TOML, "mcp.toml"), (JSON, ".mcp.json")])
@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_encoding_and_line_end_gives_the_same(
    project: Project, text: str, name: str, encoding: str, newline: str
) -> None:
    manifest = project.load(text.replace("\n", newline).encode(encoding), name)
    assert manifest.servers["a"].source.command == "größe"


def test_windows_line_ends_keep_line_numbers(project: Project) -> None:
    assert project.faults(b"\r\n\r\n[servers.a]\r\nurl = 1\r\n") == [
        "mcp.toml:4: servers.a.url: must be a string, not a number"
    ]


def test_latin_1_is_refused_with_its_line(project: Project) -> None:
    assert project.faults('[servers.a]\ncommand = "größe"\n'.encode("latin-1")) == [
        "mcp.toml:2: not UTF-8 from byte 25 on"
    ]


def test_broken_utf_16_is_refused() -> None:
    with pytest.raises(FaultyFile, match="f:1: not UTF-16"):
        decode(b"\xff\xfea", "f")


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b" \n\t\n", b"\xff\xfe"])
@pytest.mark.parametrize("name", ["mcp.toml", ".mcp.json"])
def test_an_empty_file_is_no_manifest(project: Project, content: bytes, name: str) -> None:
    assert project.faults(content, name) == [f"{name}: the file is empty"]


def test_a_directory_is_no_manifest(project: Project) -> None:
    (project.root / "mcp.toml").mkdir()
    with pytest.raises(McplockError, match=r"^mcp\.toml: is a directory; a manifest is a file$"):
        load(Path("mcp.toml"))


def test_a_pipe_is_not_waited_for(project: Project) -> None:
    os.mkfifo("mcp.toml")
    with pytest.raises(McplockError, match="no regular file"):
        load(Path("mcp.toml"))


def test_a_huge_file_is_not_read(project: Project) -> None:
    with (project.root / "mcp.toml").open("wb") as file:
        file.truncate(50 * 2**20)
    with pytest.raises(McplockError, match=r"^mcp\.toml: has 50 MB; a manifest has 8 MB at most$"):
        load(Path("mcp.toml"))
    assert MAX_BYTES == 8 * 2**20


def test_a_dangling_link_is_a_missing_file(project: Project) -> None:
    (project.root / "mcp.toml").symlink_to("gone")
    with pytest.raises(MissingFile, match=r"^mcp\.toml: no such file$"):
        load(Path("mcp.toml"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_file_without_permission_is_told(project: Project) -> None:
    project.write("mcp.toml", TOML).chmod(0)
    with pytest.raises(McplockError, match=r"^mcp\.toml: cannot be read: Permission denied$"):
        load(Path("mcp.toml"))
