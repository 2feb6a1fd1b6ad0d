"""`audit`: what the lints say of a lock, a manifest or a saved listing; starts nothing."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from mcplock.audit import Finding, Severity, audit_entry, audit_lock, skeletons, skeletons_of
from mcplock.lockfile import load
from mcplock.manifest import Manifest, Server
from mcplock.model import Issue, Kind, Lock, Place, Stage, State
from mcplock.naming import Named, entries_of
from mcplock.records import NamedTuple
from mcplock.workflow.places import Places, from_root, manifest_place, root_of
from mcplock.workflow.project import source_entry
from mcplock.workflow.review import invalid_because
from mcplock.workflow.saved import Saved


class Audited(NamedTuple):
    """One entry that was looked at, where it stands, and what the lints say of it."""

    named: Named
    place: Place
    findings: Sequence[Finding] = ()

    @property
    def accepted(self) -> str | None:
        """The note with which a person approved this text in spite of its findings."""
        entry = self.named.entry
        return entry.note if entry.state is State.APPROVED else None


class Audit(NamedTuple):
    """What an audit saw.

    file: what it is about, relative to the root of its repository; entries: all that an agent
    may come to read, what was denied left out; fail_on: from which severity on a finding makes
    the gate say no, None for never; decidable: whether its entries stand in this project's lock.
    """

    file: str
    entries: Sequence[Audited]
    issues: Sequence[Issue] = ()
    fail_on: Severity | None = Severity.HIGH
    decidable: bool = False

    def counts(self, entry: Audited, finding: Finding) -> bool:
        """Whether the gate says no for this finding."""
        if self.fail_on is None or entry.accepted is not None:
            return False
        weights = list(Severity)
        return weights.index(finding.severity) <= weights.index(self.fail_on)

    @property
    def failed(self) -> bool:
        """Whether the gate says no."""
        return any(self.counts(entry, f) for entry in self.entries for f in entry.findings)


def audit_locked(path: Path, fail_on: Severity | None, *, decidable: bool = False) -> Audit:
    """The lints over the lock at `path`; decidable: whether it is this project's."""
    lock = load(path).lock
    places = Places(path)
    findings = audit_lock(lock)
    named = [row for row in entries_of(lock) if row.entry.state is not State.DENIED]
    rows = [Audited(row, places.of(*row.key), findings.get(row.key, ())) for row in named]
    return Audit(places.lock, rows, list(_invalid(named)), fail_on, decidable)


def audit_manifest(manifest: Manifest, fail_on: Severity | None) -> Audit:
    """The lints over how the servers of a manifest are reached, whatever the lock has."""
    names = skeletons_of(Lock(), manifest.servers)
    root = root_of(manifest.path)
    rows = []
    for server in manifest.servers.values():
        entry = source_entry(server.source)
        found = audit_entry(Kind.SOURCE, server.name, entry.content, names)
        named = Named(server.name, Kind.SOURCE, "", entry)
        rows.append(Audited(named, manifest_place(server, root), found))
    refused = [server.refused for server in manifest.servers.values() if server.refused]
    return Audit(from_root(manifest.path, root), rows, refused, fail_on)


def source_findings(server: Server) -> Sequence[Finding]:
    """The lints over how one server is reached, seen by itself."""
    return audit_entry(Kind.SOURCE, server.name, source_entry(server.source).content, skeletons(()))


def audit_saved(saved: Saved, fail_on: Severity | None) -> Audit:
    """The lints over what a server once answered."""
    names = skeletons([saved.server, *(name for kind, name in saved.entries if kind is Kind.TOOL)])
    named = [Named(saved.server, *key, entry) for key, entry in saved.entries.items()]
    file = from_root(saved.path, root_of(saved.path))
    rows = [
        Audited(
            row,
            Place(file, saved.lines.get((row.kind, row.name), 1)),
            audit_entry(row.kind, row.name, row.entry.content, names),
        )
        for row in named
    ]
    return Audit(file, rows, [*saved.issues, *_invalid(named)], fail_on)


def _invalid(named: Sequence[Named]) -> Iterator[Issue]:
    for row in named:
        if row.entry.invalid:
            message = f"{row.label} is invalid: {invalid_because(row.entry)}"
            yield Issue(row.server, Stage.TOOL, message, name=row.name)


def gravest_first(audit: Audit) -> list[Audited]:
    """The entries with a finding: first those for which the gate says no."""
    weights = list(Severity)

    def weight(entry: Audited) -> tuple[bool, int]:
        counts = any(audit.counts(entry, finding) for finding in entry.findings)
        return not counts, min(weights.index(finding.severity) for finding in entry.findings)

    return sorted((entry for entry in audit.entries if entry.findings), key=weight)
