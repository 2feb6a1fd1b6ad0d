"""Old content by hash: the cache written at approval, then the git history of the lock.

The lock holds one text of an entry. Where that is already the new one, the approved one is
found here by its hash, which is verified: neither the cache nor a repository is believed.
"""

import json
import shlex
import subprocess
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from mcplock.canonical import PREFIX, canonical, hash_value
from mcplock.errors import FaultyFile, McplockError, MissingFile, UsageError
from mcplock.files import make_private, shown, write_atomic
from mcplock.jsontext import Json, parse
from mcplock.lockfile import FaultyLock, read_lock
from mcplock.model import Entry, Lock
from mcplock.text import visible

_REVISIONS = 100
_SECONDS = 10.0
SAFE_CONFIG = (  # what of a repository's own settings would have git start programs
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.alternateRefsCommand=",
    "log.showSignature=false",
)


@dataclass(frozen=True, slots=True)
class Cache:
    """Approved contents by hash, below the state directory; what is damaged is not there."""

    state_dir: Path

    def remember(self, entries: Iterable[Entry]) -> None:
        """Keep the content of each entry; a cache that cannot be written is no error."""
        with suppress(OSError, McplockError):
            for entry in entries:
                if entry.content is not None:
                    path = self._path(entry.hash)
                    make_private(path.parent)
                    write_atomic(path, _text(entry.content).encode(), mode=0o600, durable=False)

    def recall(self, hash_: str) -> Json | None:
        """The content that has this hash, None where it is not known."""
        try:
            content: Json = parse(self._path(hash_).read_text(encoding="utf-8"))
            return content if hash_value(content) == hash_ else None
        except (OSError, ValueError):
            return None

    def _path(self, hash_: str) -> Path:
        digits = hash_.removeprefix(PREFIX)
        return self.state_dir / "approved" / digits[:2] / f"{digits[2:]}.json"


def _text(content: Json) -> str:
    """`content` with its keys in the order that the lock has them in, as git would give it."""
    if isinstance(content, dict):
        first = [key for key in ("uriTemplate", "uri", "name") if key in content][:1]
        first += ["description"] if isinstance(content.get("description"), str) else []
        content = {key: content[key] for key in first} | content
    try:
        return json.dumps(content, ensure_ascii=False)
    except ValueError:  # an integer that is longer than the interpreter was told to write
        return canonical(content)


@dataclass(frozen=True, slots=True)
class Repository:
    """The git repository around a file, asked without running anything that it configures.

    directory: of the file; environ: of which only what git needs to run is passed on.
    """

    directory: Path
    environ: Mapping[str, str] = field(default_factory=dict)

    def file_at(self, revision: str, name: str) -> bytes:
        """The bytes of the file `name` at `revision`.

        Raises `UsageError` where there is no such revision, `MissingFile` where it has no
        such file.
        """
        commit = self._commit(revision)
        where = f"in the repository of {shown(self.directory)}"
        data = self._git("cat-file", "blob", f"{commit.decode().strip()}:./{name}")
        if data is None:
            raise MissingFile(f"{visible(revision)} has no {visible(name)} {where}")
        return data

    def _commit(self, revision: str) -> bytes:
        wanted = f"{revision}^{{commit}}"
        commit = self._git("rev-parse", "--verify", "--quiet", "--end-of-options", wanted)
        if commit is None:
            raise self._no_revision(revision)
        meanings = _meanings(revision)
        listed = self._git("for-each-ref", "--format=%(refname)", *meanings) or b""
        found = [ref for ref in listed.decode(errors="replace").split() if ref in meanings]
        if len(found) > 1:  # git takes the tag: whoever may push one would choose the base
            refs = " and ".join(map(visible, found))
            message = f"the revision {visible(revision)} is ambiguous: {refs}"
            raise UsageError(message, hint="write it whole, such as `refs/remotes/origin/main`")
        return commit

    def _no_revision(self, revision: str) -> UsageError:
        place = shown(self.directory)
        missing = f"there is no revision {visible(revision)}"
        shallow = self._git("rev-parse", "--is-shallow-repository")
        if shallow is None:
            return UsageError(f"{missing}: {place} is in no repository that git can read")
        return UsageError(
            f"{missing} in the repository of {place}",
            hint=self._how_to_get(revision, is_shallow=shallow.strip() == b"true"),
        )

    def _how_to_get(self, revision: str, *, is_shallow: bool) -> str:
        """What a clone of one branch, or of few commits, lacks of `revision`."""
        remotes = (self._git("remote") or b"").decode(errors="replace").split()
        remote, _, branch = revision.removeprefix("refs/remotes/").partition("/")
        if branch and remote in remotes:
            fetch = shlex.join(["git", "fetch", remote, f"{branch}:refs/remotes/{remote}/{branch}"])
            return f"`{visible(fetch)}` gets it; in GitHub's checkout `fetch-depth: 0` does"
        return "`git fetch --unshallow` gets what this shallow clone lacks" if is_shallow else ""

    def stage(self, number: int, name: str) -> bytes | None:
        """One side of a conflict, from the index: 1 the base, 2 ours, 3 theirs."""
        return self._git("cat-file", "blob", f":{number}:./{name}")

    def versions(self, name: str) -> Iterator[bytes]:
        """What the commits that touched `name` made of it, the newest first."""
        log = self._git("log", f"--max-count={_REVISIONS}", "--format=%H", "--", f"./{name}")
        for commit in (log or b"").decode("ascii", "replace").split():
            data = self._git("cat-file", "blob", f"{commit}:./{name}")
            if data is not None:
                yield data

    def _git(self, *arguments: str) -> bytes | None:
        """What git answers, None where it fails or is not there."""
        settings = [word for setting in SAFE_CONFIG for word in ("-c", setting)]
        try:
            done = subprocess.run(
                ["git", "--no-pager", "--no-replace-objects", *settings, *arguments],
                cwd=self.directory,
                env=_environment(self.environ),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except (OSError, ValueError, subprocess.TimeoutExpired):
            return None
        return done.stdout if done.returncode == 0 else None


def _meanings(revision: str) -> list[str]:
    """The references that git could take `revision` for."""
    places = ("", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/")
    return [f"{place}{revision}" for place in places if f"{place}{revision}".startswith("refs/")]


def _environment(environ: Mapping[str, str]) -> dict[str, str]:
    kept = {name: environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in environ}
    return kept | {
        "LC_ALL": "C",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        # A partial clone must not fetch: that runs a transport. The first is for a git that knows
        # it; the second outweighs what a repository says of protocols.
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_LITERAL_PATHSPECS": "1",
    }


def old_contents(
    hashes: Collection[str], lock_path: Path, cache: Cache, repository: Repository
) -> dict[str, Json]:
    """The content of each of `hashes` that can be found."""
    found = {hash_: content for hash_ in hashes if (content := cache.recall(hash_)) is not None}
    missing = set(hashes) - found.keys()
    deadline = time.monotonic() + _SECONDS
    versions = repository.versions(lock_path.name) if missing else iter(())
    for data in versions:
        for content_hash, content in _contents(data, missing):
            found[content_hash] = content
            missing.discard(content_hash)
        if not missing or time.monotonic() > deadline:
            break
    return found


def _contents(data: bytes, wanted: Collection[str]) -> list[tuple[str, Json]]:
    """The contents among `wanted` in one version of the lock; a broken version has none."""
    if not any(hash_.encode() in data for hash_ in wanted):
        return []
    try:
        lock, _ = read_lock(data, "mcp.lock")
    except FaultyFile:
        return []
    return [
        (entry.hash, entry.content)
        for server in lock.servers.values()
        for _, _, entry in server.entries()
        if entry.hash in wanted and entry.content is not None
    ]


def lock_at(repository: Repository, revision: str, name: str) -> Lock:
    """The lock called `name` as it was at `revision`."""
    data = repository.file_at(revision, name)
    try:
        return read_lock(data, f"{visible(revision)}:{visible(name)}")[0]
    except FaultyLock as error:
        hint = f"name another revision: `git log -- {visible(name)}` lists those that changed it"
        raise error.hinted(hint) from None
