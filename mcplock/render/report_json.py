"""What workflows found, as JSON documents."""

from collections.abc import Mapping, Sequence

from mcplock.audit import Finding, audit_lock
from mcplock.jsontext import Json
from mcplock.model import SECTIONS, Entry, Kind, Lock, LockedServer
from mcplock.render.document import VERSION, document, dump, finding_row
from mcplock.workflow.commit import Written
from mcplock.workflow.report import Conclusion, Report, ServerReport

_Findings = Mapping[tuple[str, Kind, str], Sequence[Finding]]


def report_document(report: Report) -> str:
    """What `check` and `diff` print with `--format json`."""
    servers = _server_rows(report.servers)
    return document(report.conclusion.value, servers, report.changes, report.issues)


def written_document(written: Written) -> str:
    """What `install` and `update` print with `--format json`."""
    conclusion = Conclusion.ERROR if written.failed else Conclusion.OK
    servers = _server_rows(written.servers)
    return document(conclusion.value, servers, written.changes, written.issues)


def _server_rows(servers: Mapping[str, ServerReport]) -> list[dict[str, Json]]:
    return [
        {"server": name, "status": server.status.value, "tools": server.tools}
        for name, server in servers.items()
    ]


def lock_document(lock: Lock) -> str:
    """What `status --json` and `list --json` print: every entry's state, hash and findings."""
    findings = audit_lock(lock)
    servers = {name: _server(name, server, findings) for name, server in lock.servers.items()}
    return dump({"version": VERSION, "servers": servers})


def _server(name: str, server: LockedServer, findings: _Findings) -> dict[str, Json]:
    def row(kind: Kind, definition: str, entry: Entry) -> dict[str, Json]:
        found = findings.get((name, kind, definition), ())
        return _entry(entry) | {"findings": [finding_row(finding) for finding in found]}

    own = {
        Kind.SOURCE: server.source,
        Kind.INSTRUCTIONS: server.instructions,
        Kind.PACKAGE: server.package,
    }
    return {
        **{kind.value: row(kind, "", entry) for kind, entry in own.items() if entry},
        **{
            section.key: {
                definition: row(section.kind, definition, entry)
                for definition, entry in server.of(section.kind).items()
            }
            for section in SECTIONS
        },
    }


def _entry(entry: Entry) -> dict[str, Json]:
    row: dict[str, Json] = {
        "state": entry.state.value,
        "hash": entry.hash,
        "confirm": entry.confirm or "always",
    }
    for key in ("denied", "note"):
        if getattr(entry, key) is not None:
            row[key] = getattr(entry, key)
    if entry.invalid:
        row["invalid"] = entry.invalid.value
    if entry.absent:
        row["absent"] = True
    return row
