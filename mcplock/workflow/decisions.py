"""What people decided since a git revision."""

import os
from dataclasses import replace
from pathlib import Path

from mcplock.changes import (
    DECISIONS,
    POLICY,
    Change,
    ChangeKind,
    FieldChange,
    Impact,
    Missing,
    compare_locks,
)
from mcplock.errors import FaultyFile, MissingFile
from mcplock.history import Repository, lock_at
from mcplock.jsontext import Json
from mcplock.manifest import Manifest
from mcplock.manifest import load as load_manifest
from mcplock.model import Kind, Lock
from mcplock.pointers import step
from mcplock.workflow.project import Project

STRICTEST = "all"
"""The policy of a project that says nothing of it."""
CLIENT = "mcplock"
_CONFIRM = "/policy/confirm"


def decisions_since(project: Project, lock: Lock, revision: str) -> list[Change]:
    """Approvals, denials and their lifting, sources and policy that differ since `revision`.

    A lock that was not there yet was an empty one. Raises `UsageError` where there is no
    such revision.
    """
    repository = Repository(project.lock_path.parent, project.machine.environ)
    try:
        before = lock_at(repository, revision, project.lock_path.name)
    except MissingFile:
        before = Lock()
    changes = [change for change in compare_locks(before, lock) if _is_decision(change)]
    return [
        *_steering(project, repository, revision),
        *_protocols(before, lock),
        *changes,
    ]


def _is_decision(change: Change) -> bool:
    return change.kind in DECISIONS or change.what in (Kind.SOURCE, POLICY)


def _steering(project: Project, repository: Repository, revision: str) -> list[Change]:
    """What the manifest says otherwise of what is asked, of whom, and as whom.

    A manifest that could not be read said nothing, and had the strictest policy.
    """

    def read(path: Path) -> bytes:
        return repository.file_at(revision, os.path.relpath(path, repository.directory))

    try:
        before = _steers(load_manifest(project.manifest.path, read=read))
    except (FaultyFile, MissingFile):
        before = {_CONFIRM: STRICTEST}
    now = _steers(project.manifest)
    return [
        _policy("", at, before.get(at, Missing.ABSENT), now.get(at, Missing.ABSENT))
        for at in {**before, **now}
        if before.get(at) != now.get(at)
    ]


def _steers(manifest: Manifest) -> dict[str, Json]:
    """By pointer: the policy, and what of the client's name and of servers is not as usual."""
    own = {} if manifest.client_name == CLIENT else {"/client_name": manifest.client_name}
    switches = {
        f"/servers{step(name)}/{key}": True
        for name, server in manifest.servers.items()
        for key, is_on in (
            ("disabled", server.disabled),
            ("trust_annotations", server.trust_annotations),
            ("allow_literal_secrets", bool(server.literals)),
        )
        if is_on
    }
    return {_CONFIRM: manifest.confirm, **own, **switches}


def _protocols(before: Lock, now: Lock) -> list[Change]:
    """The revision that a server is asked in steers what it is heard to say."""
    both = [name for name in now.servers if name in before.servers]
    return [
        replace(
            _policy(name, "/protocol", before.servers[name].protocol, now.servers[name].protocol),
            of="server",
        )
        for name in both
        if before.servers[name].protocol != now.servers[name].protocol
    ]


def _policy(server: str, at: str, old: Json | Missing, new: Json | Missing) -> Change:
    name = at.rpartition("/")[2]
    change = Change(server, POLICY, name, ChangeKind.CHANGED, None, None, None)
    return replace(change, impact=Impact.NONE, fields=[FieldChange(at, old, new)])
