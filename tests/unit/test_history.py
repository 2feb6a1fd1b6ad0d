"""Old content is found by its hash, and nothing that a repository configures is run."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from mcplock.canonical import hash_value
from mcplock.errors import MissingFile, UsageError
from mcplock.history import Cache, Repository, _environment, lock_at, old_contents
from mcplock.lockfile import format_lock
from mcplock.model import Entry, Kind, Lock, LockedServer

OLD = {"name": "search", "description": "Searches.", "inputSchema": {"type": "object"}}
NEW = {"name": "search", "description": "Sends your keys.", "inputSchema": {"type": "object"}}
ENVIRON = {"PATH": os.environ["PATH"]}


def lock_of(content: dict) -> Lock:
    source = {"type": "stdio", "command": "serve"}
    tool = Entry(hash_value(content), content)
    server = LockedServer(
        Entry(hash_value(source), source), definitions={Kind.TOOL: {"search": tool}}
    )
    return Lock({"docs": server})


class Git:
    """A real repository whose home and identity are its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(exist_ok=True)
        self("init", "--quiet")

    def __call__(self, *arguments: str) -> str:
        identity = ["-c", "user.name=n", "-c", "user.email=e@example.com"]
        done = subprocess.run(
            ["git", *identity, *arguments],
            cwd=self.root,
            env={**ENVIRON, "HOME": str(self.root), "GIT_CONFIG_NOSYSTEM": "1"},
            capture_output=True,
            check=True,
            text=True,
        )
        return done.stdout

    def commit(self, name: str, text: str) -> str:
        (self.root / name).write_text(text, encoding="utf-8")
        self("add", name)
        self("commit", "--quiet", "-m", "m")
        return self("rev-parse", "HEAD").strip()


@pytest.fixture
def git(tmp_path: Path) -> Git:
    return Git(tmp_path / "repository")


def test_the_cache_gives_back_what_was_approved(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.remember([Entry(hash_value(OLD), OLD)])
    assert cache.recall(hash_value(OLD)) == OLD
    assert cache.recall(hash_value(NEW)) is None


def test_the_cache_gives_keys_in_the_order_that_the_lock_has_them(git: Git, tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"z": {"type": "string"}, "a": {"enum": [1.5, 2]}}}
    sent = {"title": "T", "inputSchema": schema, "name": "search", "description": "D", "b": 1}
    cache = Cache(tmp_path)
    cache.remember([Entry(hash_value(sent), sent)])
    git.commit("mcp.lock", format_lock(lock_of(sent)))
    wanted = {hash_value(sent)}
    repository = Repository(git.root, ENVIRON)

    cached = old_contents(wanted, git.root / "mcp.lock", cache, repository)
    kept = old_contents(wanted, git.root / "mcp.lock", Cache(tmp_path / "none"), repository)

    assert json.dumps(cached) == json.dumps(kept)


@pytest.mark.parametrize("text", ['{"name": "search"}', "no JSON", ""])
def test_a_damaged_cache_is_not_believed(tmp_path: Path, text: str) -> None:
    cache = Cache(tmp_path)
    cache.remember([Entry(hash_value(OLD), OLD)])
    [file] = (tmp_path / "approved").rglob("*.json")
    file.write_text(text, encoding="utf-8")
    assert cache.recall(hash_value(OLD)) is None


def test_the_cache_is_private(tmp_path: Path) -> None:
    Cache(tmp_path).remember([Entry(hash_value(OLD), OLD)])
    [file] = (tmp_path / "approved").rglob("*.json")
    assert file.stat().st_mode & 0o777 == 0o600


def test_the_history_of_the_lock_has_what_the_cache_lacks(git: Git, tmp_path: Path) -> None:
    git.commit("mcp.lock", format_lock(lock_of(OLD)))
    git.commit("mcp.lock", "broken")
    git.commit("mcp.lock", format_lock(lock_of(NEW)))
    wanted = {hash_value(OLD), "sha256:" + "0" * 64}
    found = old_contents(
        wanted, git.root / "mcp.lock", Cache(tmp_path), Repository(git.root, ENVIRON)
    )
    assert found == {hash_value(OLD): OLD}


def test_without_a_repository_nothing_is_found(tmp_path: Path) -> None:
    repository = Repository(tmp_path, {**ENVIRON, "GIT_CEILING_DIRECTORIES": str(tmp_path)})
    assert old_contents({hash_value(OLD)}, tmp_path / "mcp.lock", Cache(tmp_path), repository) == {}


def test_a_lock_is_read_at_a_revision(git: Git) -> None:
    first = git.commit("mcp.lock", format_lock(lock_of(OLD)))
    git.commit("mcp.lock", format_lock(lock_of(NEW)))
    repository = Repository(git.root, ENVIRON)
    assert lock_at(repository, first, "mcp.lock") == lock_of(OLD)
    assert lock_at(repository, "HEAD", "mcp.lock") == lock_of(NEW)


@pytest.mark.parametrize("revision", ["nowhere", "--output=x", "HEAD~9", "", "a\x00b"])
def test_a_revision_that_is_not_there_is_named(git: Git, revision: str) -> None:
    git.commit("mcp.lock", "x")
    with pytest.raises(UsageError, match="there is no revision"):
        Repository(git.root, ENVIRON).file_at(revision, "mcp.lock")
    assert not (git.root / "x").exists()


def test_a_file_that_was_not_there_yet_is_named(git: Git) -> None:
    git.commit("other", "x")
    with pytest.raises(MissingFile, match=r"HEAD has no mcp\.lock"):
        Repository(git.root, ENVIRON).file_at("HEAD", "mcp.lock")


def test_nothing_that_a_repository_configures_is_run(git: Git, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n", encoding="utf-8")
    script.chmod(0o755)
    git.commit(".gitattributes", "mcp.lock filter=evil diff=evil")
    first = git.commit("mcp.lock", format_lock(lock_of(OLD)))
    for key in (
        "core.fsmonitor", "core.pager", "core.sshCommand", "diff.external", "diff.evil.textconv",
        "diff.evil.command", "filter.evil.smudge", "filter.evil.clean", "gpg.program",
        "core.alternateRefsCommand",
    ):  # fmt: skip
        git("config", key, str(script))
    git("config", "log.showSignature", "true")
    repository = Repository(git.root, {**ENVIRON, "GIT_EXTERNAL_DIFF": str(script)})
    assert repository.file_at(first, "mcp.lock")
    assert list(repository.versions("mcp.lock"))
    assert not marker.exists()


def test_a_partial_clone_fetches_nothing(git: Git, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    commit = git.commit("mcp.lock", format_lock(lock_of(OLD)))
    blob = git("rev-parse", f"{commit}:mcp.lock").strip()
    (git.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    for key, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"ext::sh -c touch% {marker}",
        "protocol.ext.allow": "always",
    }.items():
        git("config", key, value)
    repository = Repository(git.root, ENVIRON)
    with pytest.raises(MissingFile):
        repository.file_at(commit, "mcp.lock")
    assert list(repository.versions("mcp.lock")) == []
    assert not marker.exists()


def test_a_git_too_old_to_be_told_not_to_fetch_is_told_by_the_protocol() -> None:
    environment = _environment({"PATH": "p", "GIT_ALLOW_PROTOCOL": "ext", "GIT_DIR": "elsewhere"})
    assert environment["GIT_ALLOW_PROTOCOL"] == "none"
    assert "GIT_DIR" not in environment


def test_a_history_that_lies_about_a_hash_is_not_believed(git: Git, tmp_path: Path) -> None:
    text = format_lock(lock_of(OLD))
    git.commit("mcp.lock", text.replace("Searches.", "Sends your keys."))
    git.commit("mcp.lock", format_lock(lock_of(NEW)))
    cache, repository = Cache(tmp_path), Repository(git.root, ENVIRON)
    assert old_contents({hash_value(OLD)}, git.root / "mcp.lock", cache, repository) == {}


def test_only_the_newest_revisions_are_looked_through(
    git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcplock.history._REVISIONS", 2)
    git.commit("mcp.lock", format_lock(lock_of(OLD)))
    git.commit("mcp.lock", "one")
    git.commit("mcp.lock", "two")
    cache, repository = Cache(tmp_path), Repository(git.root, ENVIRON)
    assert list(repository.versions("mcp.lock")) == [b"two", b"one"]
    assert old_contents({hash_value(OLD)}, git.root / "mcp.lock", cache, repository) == {}


def test_a_lock_below_the_root_of_its_repository_is_found(git: Git, tmp_path: Path) -> None:
    below = git.root / "packages" / "*"
    below.mkdir(parents=True)
    git.commit("mcp.lock", "of the root")
    commit = git.commit("packages/*/mcp.lock", format_lock(lock_of(OLD)))
    repository = Repository(below, ENVIRON)
    assert lock_at(repository, commit, "mcp.lock") == lock_of(OLD)
    assert len(list(repository.versions("mcp.lock"))) == 1


def test_a_shallow_clone_says_what_it_lacks(git: Git, tmp_path: Path) -> None:
    first = git.commit("mcp.lock", format_lock(lock_of(OLD)))
    git.commit("mcp.lock", format_lock(lock_of(NEW)))
    git("clone", "--quiet", "--depth=1", f"file://{git.root}", str(tmp_path / "clone"))
    repository = Repository(tmp_path / "clone", ENVIRON)
    assert lock_at(repository, "HEAD", "mcp.lock") == lock_of(NEW)
    with pytest.raises(UsageError, match="there is no revision") as caught:
        repository.file_at(first, "mcp.lock")
    assert "git fetch --unshallow" in caught.value.hint


@pytest.mark.parametrize("revision", ["origin/main", "refs/remotes/origin/main"])
def test_a_clone_of_one_branch_says_how_to_get_another(
    git: Git, tmp_path: Path, revision: str
) -> None:
    git("checkout", "--quiet", "-B", "main")
    git.commit("mcp.lock", format_lock(lock_of(OLD)))
    git("checkout", "--quiet", "-b", "pr")
    git.commit("mcp.lock", format_lock(lock_of(NEW)))
    clone = tmp_path / "clone"
    git("clone", "--quiet", "--depth=1", "--branch=pr", f"file://{git.root}", str(clone))
    repository = Repository(clone, ENVIRON)
    with pytest.raises(UsageError, match="there is no revision") as caught:
        repository.file_at(revision, "mcp.lock")
    command = caught.value.hint.split("`")[1]
    assert command == "git fetch origin main:refs/remotes/origin/main"
    assert "`fetch-depth: 0`" in caught.value.hint

    git("-C", str(clone), *command.split()[1:])

    assert lock_at(repository, revision, "mcp.lock") == lock_of(OLD)


@pytest.mark.parametrize("path", [os.environ["PATH"], "/nowhere"])
def test_without_a_repository_or_without_git_the_reason_is_told(tmp_path: Path, path: str) -> None:
    with pytest.raises(UsageError, match="in no repository that git can read"):
        Repository(tmp_path, {"PATH": path}).file_at("HEAD", "mcp.lock")


def test_what_surrounds_the_program_does_not_lead_git_elsewhere(git: Git, tmp_path: Path) -> None:
    commit = git.commit("mcp.lock", format_lock(lock_of(OLD)))
    other = Git(tmp_path / "other")
    led = {**ENVIRON, "GIT_DIR": str(other.root / ".git"), "GIT_OBJECT_DIRECTORY": "/nowhere"}
    assert lock_at(Repository(git.root, led), commit, "mcp.lock") == lock_of(OLD)


def test_a_name_of_two_revisions_is_refused(git: Git) -> None:
    git.commit("mcp.lock", format_lock(lock_of(OLD)))
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    repository = Repository(git.root, ENVIRON)
    assert repository.file_at("origin/main", "mcp.lock")
    git("tag", "origin/main")
    with pytest.raises(UsageError, match="ambiguous: refs/remotes/origin/main and refs/tags"):
        repository.file_at("origin/main", "mcp.lock")
    assert repository.file_at("refs/remotes/origin/main", "mcp.lock")
    assert repository.file_at("HEAD", "mcp.lock")
