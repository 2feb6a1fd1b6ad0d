"""A broken lock: every command says what is wrong and where, starts nothing, leaves the bytes."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from mcplock.cli import run
from mcplock.lockfile import format_lock
from tests import locks

from .conftest import Workspace

COMMANDS = {
    "install": ["install", "--yes"],
    "install --locked": ["install", "--locked"],
    "update": ["update", "--yes"],
    "approve": ["approve", "docs/fetch"],
    "deny": ["deny", "docs/fetch", "--reason", "no"],
    "reset": ["reset", "docs/fetch"],
    "export": ["export", "--format", "mcp"],
    "check": ["check", "--trust-sources"],
    "check --offline": ["check", "--offline"],
    "status": ["status"],
    "list": ["list"],
    "show": ["show", "docs/fetch"],
    "diff": ["diff"],
    "trust": ["trust", "--yes"],
}
GOOD = format_lock(locks.lock(docs=locks.server(locks.tool("fetch", approve=True)))).encode()
LINES = GOOD.split(b"\n")


def conflicted(path: Path) -> None:
    both = [b"<<<<<<< HEAD", LINES[5], b"||||||| base", b"=======", b">>>>>>> theirs"]
    path.write_bytes(b"\r\n".join([*LINES[:5], *both, *LINES[6:]]))


def unreadable(path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read every file")
    path.write_bytes(GOOD)
    path.chmod(0)


def put(data: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(data)


# (how it is broken, what is said)
BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "conflicted": (conflicted, "mcp.lock:6: conflict marker <<<<<<<"),
    "truncated": (put(GOOD[:500]), "it was cut off"),
    "empty": (put(b""), "mcp.lock: the file is empty"),
    "no JSON": (put(b"servers:\n"), "mcp.lock:1: not JSON"),
    "null": (put(b"null\n"), "mcp.lock:1: must be an object"),
    "UTF-16": (put(GOOD.decode().encode("utf-16")), "saved as UTF-16"),
    "not UTF-8": (put(GOOD.replace(b"Does it", b"Does \xff")), "not UTF-8"),
    "newer": (
        put(GOOD.replace(b'Version": 1', b'Version": 2')),
        "mcp.lock:2: lockfileVersion: upgrade mcplock",
    ),
    "unknown hash": (put(GOOD.replace(b"sha256:", b"sha512:")), "unknown hash `sha512:`"),
    "edited": (put(GOOD.replace(b"Does it", b"Did it")), "does not fit the text of this entry"),
    "a key twice": (
        put(GOOD.replace(b'"type": "stdio",', b'"type": "stdio", "type": "stdio",')),
        "servers.docs.source.type: this key is there twice",
    ),
    "unknown key": (
        put(GOOD.replace(b'"protocol"', b'"protocoll"')),
        "servers.docs.protocoll: unknown key; did you mean protocol?",
    ),
    "a directory": (lambda path: path.mkdir(), "mcp.lock: cannot be read: Is a directory"),
    "a dangling link": (lambda path: path.symlink_to("gone"), "a link to a file that is not there"),
    "a pipe": (lambda path: os.mkfifo(path), "mcp.lock: not a file"),
    "unreadable": (unreadable, "mcp.lock: cannot be read: Permission denied"),
}


def prepared(workspace: Workspace, break_it: Callable[[Path], object]) -> Path:
    """The broken lock, beside a manifest whose server would leave a trace."""
    touch = shutil.which("touch")
    manifest = f'[servers.docs]\ncommand = "{touch}"\nargs = ["started"]\n'
    (workspace.root / "mcp.toml").write_text(manifest, encoding="utf-8")
    break_it(workspace.lock_path)
    return workspace.lock_path


def state(path: Path) -> tuple[object, ...]:
    about = path.lstat()
    data = path.read_bytes() if path.is_file() else b""
    beside = sorted(entry.name for entry in path.parent.iterdir())
    return about.st_ino, about.st_mtime_ns, data, beside


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_every_command_refuses_a_conflicted_lock(workspace: Workspace, words) -> None:
    path = prepared(workspace, conflicted)
    before = state(path)

    result = workspace.run(*words)

    assert result.code == 2, result
    assert "mcp.lock:6: conflict marker <<<<<<<" in result.err
    assert "hint: " in result.err
    assert result.out == ""
    assert state(path) == before


@pytest.mark.parametrize(("break_it", "said"), BROKEN.values(), ids=BROKEN)
def test_every_kind_of_broken_lock(
    workspace: Workspace, break_it, said, capfd, monkeypatch
) -> None:
    path = prepared(workspace, break_it)
    before = state(path)
    monkeypatch.chdir(workspace.root)
    for name, value in workspace.environ().items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("CI", raising=False)

    for name, words in COMMANDS.items():
        assert run(words) == 2, name
        out, err = capfd.readouterr()
        assert said in err, (name, err)
        assert "this is a bug" not in err
        assert out == "", name

    assert state(path) == before
