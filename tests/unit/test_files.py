"""Atomic writes and the lock among writers, with real processes and real signals."""

import errno
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from pathlib import Path

import pytest

from mcplock import files
from mcplock.errors import McplockError, MissingFile
from mcplock.files import exclusive, project_root, read_bytes, shown, write_atomic

# Ends itself with SIGKILL at the n-th line that mcplock.files executes.
KILLED = """
import os, signal, sys
from pathlib import Path
from mcplock import files

left = int(sys.argv[2])

def step(frame, event, argument):
    global left
    if frame.f_code.co_filename != files.__file__:
        return None
    if event == "line":
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
    return step

sys.settrace(step)
files.write_atomic(Path(sys.argv[1]), b"new" * 100_000)
"""

# Adds one to the number in a file, over and over; what is lost is missing at the end.
COUNTING = """
import sys, time
from pathlib import Path
from mcplock.files import exclusive, write_atomic

path = Path(sys.argv[1])
for _ in range(10):
    with exclusive(path):
        number = int(path.read_bytes())
        time.sleep(0.001)
        write_atomic(path, str(number + 1).encode())
"""


def python(code: str, *arguments: object) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", code, *map(str, arguments)])


def temporaries(directory: Path) -> list[Path]:
    return list(directory.glob(".mcplock-*.tmp"))


def age(path: Path) -> None:
    os.utime(path, (time.time() - 3600,) * 2, follow_symlinks=False)


def test_killed_at_any_step_it_leaves_the_old_file_or_the_new_one(tmp_path):
    path = tmp_path / "mcp.lock"
    seen = set()
    for step in range(1, 200):
        path.write_bytes(b"old")
        code = python(KILLED, path, step).wait(30)
        content = path.read_bytes()
        assert content in (b"old", b"new" * 100_000)
        if code == 0:
            break
        assert code == -signal.SIGKILL
        seen.add((content[:3], len(temporaries(tmp_path))))
        for left in temporaries(tmp_path):
            left.unlink()
    assert code == 0
    assert seen == {(b"old", 0), (b"old", 1), (b"new", 0)}


def test_what_a_killed_writer_left_is_removed_by_a_later_write(tmp_path):
    old, fresh, other = (tmp_path / name for name in (".mcplock-1.tmp", ".mcplock-2.tmp", "x.tmp"))
    for path in (old, fresh, other):
        path.write_bytes(b"half")
    age(old)
    age(other)
    assert write_atomic(tmp_path / "mcp.lock", b"new")
    assert {path.name for path in tmp_path.iterdir()} == {"mcp.lock", ".mcplock-2.tmp", "x.tmp"}


def test_a_failed_write_leaves_nothing(tmp_path):
    directory = tmp_path / "is-a-directory"
    directory.mkdir()
    with pytest.raises(McplockError, match=r"is-a-directory: cannot be written: Is a directory"):
        write_atomic(directory, b"x")
    with pytest.raises(McplockError, match="cannot be written: No such file"):
        write_atomic(tmp_path / "absent" / "mcp.lock", b"x")
    assert list(tmp_path.iterdir()) == [directory]


def test_an_interrupted_write_leaves_nothing(tmp_path, monkeypatch):
    path = tmp_path / "mcp.lock"
    path.write_bytes(b"old")
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        write_atomic(path, b"new")
    assert [path] == list(tmp_path.iterdir())
    assert path.read_bytes() == b"old"


def test_a_planted_link_is_not_followed(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "urandom", bytes)  # a stranger who guesses the name
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    (tmp_path / f".mcplock-{bytes(8).hex()}.tmp").symlink_to(victim)
    with pytest.raises(McplockError, match="cannot be written: File exists"):
        write_atomic(tmp_path / "mcp.lock", b"x")
    assert victim.read_bytes() == b"precious"


def test_equal_bytes_are_not_written(tmp_path):
    path = tmp_path / "mcp.lock"
    assert write_atomic(path, b"same")
    before = path.stat()
    assert not write_atomic(path, b"same")
    after = path.stat()  # that it was read may show in the time of access
    assert (after.st_ino, after.st_ctime_ns) == (before.st_ino, before.st_ctime_ns)
    assert write_atomic(path, b"other")


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444, 0o755])
def test_the_mode_is_kept(tmp_path, mode):
    path = tmp_path / "mcp.lock"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_atomic(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_new_file_has_its_mode_less_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write_atomic(tmp_path / "shared", b"x")
        write_atomic(tmp_path / "private", b"x", mode=0o600)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "shared").stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "private").stat().st_mode) == 0o600


def test_a_symbolic_link_stays_one(tmp_path):
    target = tmp_path / "elsewhere" / "real.lock"
    target.parent.mkdir()
    target.write_bytes(b"old")
    link = tmp_path / "mcp.lock"
    link.symlink_to("elsewhere/real.lock")
    write_atomic(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    link.unlink()
    link.symlink_to("elsewhere/not-yet.lock")
    write_atomic(link, b"made")
    assert (tmp_path / "elsewhere" / "not-yet.lock").read_bytes() == b"made"


def through_pipe(path: Path, write) -> bytes:
    """What a reader of the pipe at `path` gets while `write` runs."""
    got = []
    reader = threading.Thread(target=lambda: got.append(path.read_bytes()), daemon=True)
    reader.start()
    write()
    reader.join(30)
    return got[0]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such pipes")
def test_a_pipe_with_a_name_is_written_into(tmp_path):
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to("pipe")
    large = b"x" * 1_000_000
    for path in (pipe, link):
        assert through_pipe(path, lambda path=path: write_atomic(path, large)) == large
    assert pipe.is_fifo()
    assert sorted(os.listdir(tmp_path)) == ["link", "pipe"]


def test_a_device_stays_one(tmp_path):
    node = tmp_path / "node"
    try:
        os.mknod(node, stat.S_IFCHR | 0o666, os.makedev(1, 3))  # takes everything
    except (AttributeError, OSError):
        pytest.skip("no device can be made here")
    try:
        node.open("wb").close()
    except OSError:
        pytest.skip("no device can be opened here")
    assert write_atomic(node, b"x")
    assert node.is_char_device()
    assert os.listdir(tmp_path) == ["node"]


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="open files have no names here")
def test_an_open_file_is_written_where_it_stands(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b"before\n")
    with path.open("ab") as file:
        link = tmp_path / "link"
        link.symlink_to(f"/dev/fd/{file.fileno()}")
        write_atomic(Path(f"/dev/fd/{file.fileno()}"), b"one\n")
        write_atomic(link, b"two\n")
    assert path.read_bytes() == b"before\none\ntwo\n"
    with pytest.raises(McplockError, match="cannot be written"):
        write_atomic(link, b"it is closed")


def test_a_file_with_a_number_for_its_name_is_a_file(tmp_path):
    write_atomic(tmp_path / "1", b"x")
    assert (tmp_path / "1").read_bytes() == b"x"


def test_a_link_to_itself_is_an_error(tmp_path):
    loop = tmp_path / "mcp.lock"
    loop.symlink_to("mcp.lock")
    with pytest.raises(McplockError, match=r"mcp.lock: cannot be written"):
        write_atomic(loop, b"x")


@pytest.fixture
def read_only():
    """A directory with a file, which the user of the test may only read; root becomes nobody."""
    directory = Path(tempfile.mkdtemp())
    (directory / "mcp.lock").write_bytes(b"old")
    directory.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    yield directory
    if root:
        os.seteuid(0)
    directory.chmod(0o755)
    shutil.rmtree(directory)


def test_a_directory_that_may_not_be_written_is_an_error(read_only):
    path = read_only / "mcp.lock"
    with pytest.raises(McplockError, match=r"mcp.lock: cannot be written: Permission denied"):
        write_atomic(path, b"new")
    with exclusive(path):
        assert path.read_bytes() == b"old"


def test_eight_writers_lose_nothing(tmp_path):
    path = tmp_path / "counter"
    path.write_bytes(b"0")
    writers = [python(COUNTING, path) for _ in range(8)]
    assert [writer.wait(60) for writer in writers] == [0] * 8
    assert path.read_bytes() == b"80"
    assert list(tmp_path.iterdir()) == [path]


def test_a_killed_holder_frees_the_lock(tmp_path):
    path = tmp_path / "mcp.lock"
    code = f"""
        import os, signal
        from pathlib import Path
        from mcplock.files import exclusive
        with exclusive(Path({str(path)!r})):
            os.kill(os.getpid(), signal.SIGKILL)
    """
    assert python(textwrap.dedent(code)).wait(30) == -signal.SIGKILL
    with exclusive(path, patience=0):
        pass


def test_whoever_waits_too_long_is_told(tmp_path):
    path = tmp_path / "mcp.lock"
    with (
        exclusive(path),
        pytest.raises(McplockError, match="another process has been writing here for 0 s"),
        exclusive(path, patience=0),
    ):
        pass


def test_an_error_of_the_holder_is_its_own(tmp_path):
    with pytest.raises(TimeoutError), exclusive(tmp_path / "mcp.lock"):
        raise TimeoutError
    with exclusive(tmp_path / "mcp.lock", patience=0):
        pass


def test_the_lock_of_a_directory_that_is_not_there(tmp_path):
    with (
        pytest.raises(McplockError, match=r"mcp.lock: cannot be locked: No such file"),
        exclusive(tmp_path / "absent" / "mcp.lock"),
    ):
        pass


def test_where_directories_cannot_be_locked_a_file_is(tmp_path, monkeypatch):
    import fcntl

    real = fcntl.flock

    def refuses_directories(handle, how):  # as NFS does
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EBADF, "Bad file descriptor")
        real(handle, how)

    monkeypatch.setattr(fcntl, "flock", refuses_directories)
    path = tmp_path / "mcp.lock"
    with exclusive(path), pytest.raises(McplockError), exclusive(path, patience=0):
        pass
    with exclusive(path, patience=0):
        pass


def test_reading_says_why_not(tmp_path):
    with pytest.raises(MissingFile, match="absent: no such file"):
        read_bytes(tmp_path / "absent")
    with pytest.raises(McplockError, match="cannot be read: Is a directory"):
        read_bytes(tmp_path)


def test_the_project_root_is_where_git_is(tmp_path):
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    assert project_root(deep) == deep
    (tmp_path / "a" / ".git").write_text("gitdir: elsewhere")
    assert project_root(deep) == tmp_path / "a"


def test_paths_are_shown_relative_where_they_are_near(tmp_path, monkeypatch):
    base = tmp_path / "a" / "b"
    base.mkdir(parents=True)
    assert shown(base / "mcp.lock", base) == "mcp.lock"
    assert shown(tmp_path / "a" / "mcp.lock", base) == os.path.join("..", "mcp.lock")
    assert shown(Path("/etc/hosts"), base) == "/etc/hosts"
    monkeypatch.chdir(base)
    base.rmdir()
    assert shown(tmp_path / "x") == str(tmp_path / "x")


def test_the_content_may_be_large(tmp_path):
    content = json.dumps(list(range(300_000))).encode()
    assert write_atomic(tmp_path / "large", content)
    assert (tmp_path / "large").read_bytes() == content
    assert files.read_bytes(tmp_path / "large") == content
