"""`git-setup`: git merges mcp.lock entry by entry, and shows its differences in words."""

import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from mcplock.errors import McplockError, UsageError
from mcplock.files import read_bytes, shown, write_atomic
from mcplock.history import SAFE_CONFIG
from mcplock.lazy import pattern
from mcplock.records import NamedTuple
from mcplock.text import visible

SETTINGS = {
    "merge.mcplock.name": "mcp.lock, entry by entry",
    # Where the program is gone again, the lines are merged as if nothing had been set up.
    "merge.mcplock.driver": "if command -v mcplock >/dev/null; "
    "then mcplock resolve --name %P %O %A %B; "
    "else git merge-file -L ours -L base -L theirs %A %O %B; fi",
    # What is no lock that can be read is shown as it stands.
    "diff.mcplock.textconv": 'f() { mcplock show --file "$1" 2>/dev/null || cat "$1"; }; f',
    "diff.mcplock.xfuncname": "^[^ ].*$",
}
"""What git is told; a repository's attributes say for which files."""

_PATTERN = "mcp.lock"
_ATTRIBUTES = ("merge=mcplock", "diff=mcplock")
_LINE = "text eol=lf linguist-generated=false linguist-language=JSON"
_OTHERS = pattern(r"[-!]?(?:merge|diff)(?:=.*)?")
_SECTIONS = ("merge.mcplock", "diff.mcplock")


class SetUp(NamedTuple):
    """What was done.

    attributes: the file that names the lock, as it is shown; changed: whether anything is
    another now; outweighed: whether some other line keeps git from doing as it was told.
    """

    attributes: str
    changed: bool
    outweighed: bool = False


class Git:
    """The git of one directory; everywhere: its settings are those of the user."""

    def __init__(self, directory: Path, environ: Mapping[str, str], *, everywhere: bool) -> None:
        self._directory = directory
        self._environ = environ
        self._everywhere = everywhere

    def attributes(self) -> Path:
        """The file that holds the attributes."""
        if not self._everywhere:
            root = self._ask("rev-parse", "--show-toplevel")
            if root is None:
                message = f"{shown(self._directory)} is in no work tree of git"
                raise UsageError(message, hint="`mcplock git-setup --global` needs none")
            return Path(root) / ".gitattributes"
        named = self._ask("config", "--global", "--type=path", "--get", "core.attributesFile")
        if named:
            return Path(named)
        config = self._environ.get("XDG_CONFIG_HOME") or f"{self._environ.get('HOME', '')}/.config"
        return Path(config) / "git" / "attributes"

    def settings(self) -> dict[str, str]:
        """The settings of ours that it has."""
        listed = self._ask("config", self._scope, "-z", "--get-regexp", r"^(merge|diff)\.mcplock\.")
        rows = (row.partition("\n") for row in (listed or "").split("\0") if row)
        return {key: value for key, _, value in rows}

    def set(self, key: str, value: str) -> None:
        """Write one setting."""
        if self._ask("config", self._scope, "--replace-all", key, value) is None:
            raise McplockError(f"git does not take the setting {key}")

    def forget(self) -> None:
        """Remove our settings."""
        for section in _SECTIONS:
            self._ask("config", self._scope, "--remove-section", section)

    def obeys(self) -> bool:
        """Whether a lock in this directory gets the attributes."""
        said = self._ask("check-attr", "-z", "merge", "diff", "--", _PATTERN)
        return said is None or said.split("\0")[2::3] == ["mcplock", "mcplock"]

    @property
    def _scope(self) -> str:
        return "--global" if self._everywhere else "--local"

    def _ask(self, *arguments: str) -> str | None:
        """What git answers, without the line end; None where it says no."""
        safe = [word for setting in SAFE_CONFIG for word in ("-c", setting)]
        try:
            done = subprocess.run(
                ["git", *safe, *arguments],
                cwd=self._directory,
                env=dict(self._environ),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=60,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            raise McplockError("git cannot be run", hint="install git") from None
        return (
            done.stdout.decode(errors="surrogateescape").rstrip("\n")
            if not done.returncode
            else None
        )


def install(git: Git) -> SetUp:
    """Tell git how to merge and to show each mcp.lock; done twice it changes nothing."""
    path = git.attributes()
    missing = dict(SETTINGS.items() - git.settings().items())
    for key in missing:
        git.set(key, SETTINGS[key])
    edited = _edit(path, with_attributes)
    return SetUp(shown(path), bool(missing) or edited, not git.obeys())


def uninstall(git: Git) -> SetUp:
    """Take that back; all else in both files stays. A file that nothing is left in goes."""
    path = git.attributes()
    had = bool(git.settings())
    git.forget()
    return SetUp(shown(path), _edit(path, without_attributes) or had)


def _edit(path: Path, change: Callable[[str], str]) -> bool:
    """Change the file of attributes; a link is not followed, and git follows none either."""
    if path.is_symlink():
        raise McplockError(f"{visible(shown(path))}: is a link, which git does not follow")
    before = b""
    if path.exists():
        before = read_bytes(path)
    after = change(before.decode(errors="surrogateescape")).encode(errors="surrogateescape")
    if after == before:
        return False
    if not after.strip():
        try:
            path.unlink()
        except OSError as error:
            message = f"{visible(shown(path))}: cannot be removed: {error.strerror}"
            raise McplockError(message) from None
        return True
    with suppress(OSError):  # writing tells why
        path.parent.mkdir(parents=True, exist_ok=True)
    return write_atomic(path, after)


def with_attributes(text: str) -> str:
    """`text` of a .gitattributes, in which mcp.lock has our attributes; other lines stay."""
    lines = text.splitlines(keepends=True)
    end = "\r\n" if "\r\n" in text else "\n"
    places = [at for at, line in enumerate(lines) if _names_lock(line)]
    if not places:
        start = text if not text or text.endswith("\n") else text + end
        return start + " ".join([_PATTERN, _LINE, *_ATTRIBUTES]) + end
    last = places[-1]
    if lines[last].split()[-2:] != [*_ATTRIBUTES]:
        lines[last] = " ".join([*_others(lines[last]), *_ATTRIBUTES]) + (_end(lines[last]) or end)
    return "".join(lines)


def without_attributes(text: str) -> str:
    """`text` of a .gitattributes without our attributes; a line of nothing else goes.

    So does the whole of one that has nothing but the line which `install` writes.
    """
    if text == with_attributes(""):
        return ""
    lines = []
    for line in text.splitlines(keepends=True):
        if not (_names_lock(line) and set(line.split()) & set(_ATTRIBUTES)):
            lines.append(line)
            continue
        kept = [word for word in line.split() if word not in _ATTRIBUTES]
        lines += [" ".join(kept) + _end(line)] if len(kept) > 1 else []
    return "".join(lines)


def _names_lock(line: str) -> bool:
    return line.split()[:1] == [_PATTERN]


def _others(line: str) -> list[str]:
    """The words of a line but those that say how to merge and to show."""
    return [word for word in line.split() if not _OTHERS.fullmatch(word)]


def _end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]
