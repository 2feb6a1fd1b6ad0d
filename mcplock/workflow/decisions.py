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
    compare_locks,
)
from mcplock.errors import FaultyFile, MissingFile
from mcplock.history import Repository, lock_at
from mcplock.manifest import load as load_manifest
from mcplock.model import Kind, Lock
from mcplock.workflow.project import Project

STRICTEST = "all"
"""The policy of a project that says nothing of it."""


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
    return _policy(project, repository, revision) + changes


def _is_decision(change: Change) -> bool:
    return change.kind in DECISIONS or change.what in (Kind.SOURCE, POLICY)


def _policy(project: Project, repository: Repository, revision: str) -> list[Change]:
    """The change of the manifest's `confirm`; one that could not be read was the strictest."""

    def read(path: Path) -> bytes:
        return repository.file_at(revision, os.path.relpath(path, repository.directory))

    try:
        before = load_manifest(project.manifest.path, read=read).confirm
    except (FaultyFile, MissingFile):
        before = STRICTEST
    now = project.manifest.confirm
    if before == now:
        return []
    field = FieldChange("/policy/confirm", before, now)
    change = Change("", POLICY, "confirm", ChangeKind.CHANGED, None, None, None)
    return [replace(change, impact=Impact.NONE, fields=[field])]
