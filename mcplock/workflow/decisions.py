"""What people decided since a git revision."""

import os
from collections.abc import Iterator, Mapping, Sequence
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
    compare_entries,
    compare_locks,
)
from mcplock.errors import FaultyFile, MissingFile
from mcplock.history import Cache, Repository, lock_at, old_contents
from mcplock.jsontext import Json
from mcplock.manifest import Manifest
from mcplock.manifest import load as load_manifest
from mcplock.model import Entry, Kind, Lock, State
from mcplock.pointers import step
from mcplock.workflow.project import Project

STRICTEST = "all"
"""The policy of a project that says nothing of it."""
CLIENT = "mcplock"
_CONFIRM = "/policy/confirm"


def decisions_since(project: Project, lock: Lock, revision: str) -> list[Change]:
    """Approvals, denials and their lifting, sources and policy that differ since `revision`.

    An approval has in its `fields` what differs from the text that was approved before; where
    there was none, the whole text, as a value that was absent. A lock that was not there yet was
    an empty one. Raises `UsageError` where there is no such revision.
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
        *_with_texts(changes, project, repository),
    ]


def _is_decision(change: Change) -> bool:
    return change.kind in DECISIONS or change.what in (Kind.SOURCE, POLICY)


def _with_texts(
    changes: Sequence[Change], project: Project, repository: Repository
) -> Iterator[Change]:
    """`changes`, each approval with what differs from the text that was approved before."""
    sources = [change for change in changes if change.what is Kind.SOURCE]
    told = {change.server for change in sources if change.kind not in DECISIONS}
    olds = [change.old for change in changes if change.old]
    elsewhere = {old.approved for old in olds if old.approved and old.approved != old.hash}
    cache = Cache(project.machine.state_dir)
    path = project.lock_path
    known = old_contents(elsewhere, path, cache, repository) if elsewhere else {}
    for change in changes:
        was_approved = change.old is None or change.old.approved == change.old.hash
        is_told = change.what is Kind.SOURCE and change.server in told and was_approved
        yield change if is_told else _with_text(change, known)


def _with_text(change: Change, known: Mapping[str, Json]) -> Change:
    """A decision with the text that it approves; known: contents by hash."""
    old, new = change.old, change.new
    approves = change.kind is ChangeKind.APPROVED and new and new.state is State.APPROVED
    if not approves or new is None or not isinstance(change.what, Kind):
        return change
    if old is None or old.approved is None:
        return replace(change, text=True, fields=[FieldChange("", Missing.ABSENT, new.content)])
    content = old.content if old.approved == old.hash else known.get(old.approved)
    before = Entry(old.approved, content)
    compared = compare_entries(change.server, change.what, change.name, before, new)
    found = dict.fromkeys((*compared.findings, *change.findings))
    return replace(
        change,
        impact=compared.impact,
        text=compared.text,
        fields=compared.fields,
        findings=tuple(found),
    )


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
