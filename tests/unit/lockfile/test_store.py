"""The lock on disk: read anew under the writers' lock, written only where it changes."""

import os
import threading

import pytest

from mcplock.errors import FaultyFile, McplockError, MissingFile
from mcplock.lockfile import edit, format_lock, load
from mcplock.model import Lock
from tests.locks import lock, server, tool

GOOD = lock(docs=server(tool("fetch")))


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mcp.lock"
    path.write_text(format_lock(GOOD), encoding="utf-8")
    return path


def test_what_is_there(path):
    file = load(path)
    assert (file.lock, file.canonical, file.data) == (GOOD, True, path.read_bytes())


def test_a_missing_lock_says_how_to_get_one(path):
    path.unlink()
    with pytest.raises(MissingFile, match=r"^mcp\.lock: no such file$") as caught:
        load(path)
    assert caught.value.hint == "`mcplock install` writes it"
    assert edit(path, lambda before: before) == (Lock(), True)
    assert load(path).lock == Lock()


def directory(path):
    path.mkdir()


def link_to_nothing(path):
    path.symlink_to("elsewhere")


def link_to_a_device(path):
    path.symlink_to("/dev/zero")


def pipe(path):
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (directory, "mcp.lock: cannot be read: Is a directory"),
        (link_to_nothing, "mcp.lock: a link to a file that is not there"),
        (link_to_a_device, "mcp.lock: not a file"),
        (pipe, "mcp.lock: not a file"),
    ],
)
def test_what_is_no_file_is_neither_read_nor_taken_for_a_missing_one(path, make, message):
    path.unlink()
    make(path)
    with pytest.raises(McplockError) as caught:
        load(path)
    assert caught.value.message == message
    assert not isinstance(caught.value, MissingFile)
    with pytest.raises(McplockError) as caught:
        edit(path, lambda before: before)
    assert not isinstance(caught.value, MissingFile)
    assert not (path.parent / "elsewhere").exists()


def test_a_broken_lock_is_not_written(path):
    path.write_bytes(b"broken")
    with pytest.raises(FaultyFile):
        edit(path, lambda _: GOOD)
    assert path.read_bytes() == b"broken"


def test_the_same_bytes_are_not_written(path):
    before = path.stat()
    assert edit(path, lambda before: before) == (GOOD, False)
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert path.stat().st_ino == before.st_ino


def test_nothing_is_written_when_told_so(path):
    assert edit(path, lambda _: Lock(), write=False) == (Lock(), False)
    assert load(path).lock == GOOD


def test_a_lock_that_is_written_otherwise_is_rewritten(path):
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert not load(path).canonical
    assert edit(path, lambda before: before) == (GOOD, True)
    assert path.read_text(encoding="utf-8") == format_lock(GOOD)


def test_an_error_while_it_is_changed_leaves_it(path):
    def fail(_):
        raise RuntimeError

    with pytest.raises(RuntimeError):
        edit(path, fail)
    assert load(path).lock == GOOD
    edit(path, lambda _: Lock())


def test_editors_at_once_lose_nothing(path):
    def add(name):
        def change(before):
            return before._replace(servers={**before.servers, name: server(tool(name))})

        edit(path, change)

    threads = [threading.Thread(target=add, args=(f"s{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(load(path).lock.servers) == {"docs", *(f"s{number}" for number in range(8))}


FAULTS = {"": "empty", "{": "broken", '{"lockfileVersion": 1, "x": 1}': "edited"}


@pytest.mark.parametrize("text", FAULTS, ids=FAULTS.values())
def test_git_is_named_for_a_lock_in_a_work_tree_alone(path, text):
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FaultyFile) as outside:
        load(path)
    assert "git" not in outside.value.hint
    assert "restore it from a copy" in outside.value.hint

    (path.parent / ".git").mkdir()
    below = path.parent / "a b"
    below.mkdir()
    for file, name in ((path, "mcp.lock"), (below / "mcp.lock", "'a b/mcp.lock'")):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(FaultyFile) as inside:
            load(file)
        assert f"`git checkout {name}`" in inside.value.hint


def test_what_a_newer_version_wrote_is_no_damage(path):
    path.write_text('{"lockfileVersion": 2, "servers": {}}', encoding="utf-8")
    with pytest.raises(FaultyFile, match="upgrade mcplock") as caught:
        load(path)
    assert caught.value.hint == ""
