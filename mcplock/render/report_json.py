"""What workflows found, as JSON documents."""

from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING

from mcplock.audit import Finding, audit_lock
from mcplock.jsontext import Json
from mcplock.marks import Mark
from mcplock.model import SECTIONS, Entry, Kind, Lock, LockedServer
from mcplock.naming import Named
from mcplock.render.document import VERSION, change_rows, document, dump, finding_row
from mcplock.workflow.commit import Written
from mcplock.workflow.report import Conclusion, Report, ServerReport
from mcplock.workflow.review import Waiting

if TYPE_CHECKING:
    from mcplock.workflow.costs import Costs
    from mcplock.workflow.doubts import Doubts

_Findings = Mapping[tuple[str, Kind, str], Sequence[Finding]]


def report_document(report: Report) -> str:
    """What `check` and `diff` print with `--format json`.

    notes: what is wrong with the lock as a whole; waiting: what is to be reviewed.
    """
    return document(
        report.conclusion.value,
        _server_rows(report.servers),
        change_rows(report.changes) + _decision_rows(report),
        report.issues,
        notes=list(report.notes),
        waiting=_waiting_rows(report.waiting),
    )


def written_document(written: Written) -> str:
    """What `install` and `update` print with `--format json`; wrote: whether to mcp.lock."""
    conclusion = Conclusion.ERROR if written.failed else Conclusion.OK
    return document(
        conclusion.value,
        _server_rows(written.servers),
        change_rows(written.changes),
        written.issues,
        wrote=written.wrote,
        waiting=_waiting_rows(written.waiting),
    )


def _server_rows(servers: Mapping[str, ServerReport]) -> list[Json]:
    return [
        {
            "server": name,
            "status": server.status.value,
            "statuses": [status.value for status in server.statuses],
            "tolerated": sorted(server.tolerated.intersection(server.statuses)),
            "tools": server.tools,
        }
        for name, server in servers.items()
    ]


def _decision_rows(report: Report) -> list[Json]:
    """The decisions that `--base` lists, each with the revision it is new since."""
    return [row | {"since": report.since} for row in change_rows(report.decisions)]


def _waiting_rows(waiting: Sequence[Waiting]) -> list[Json]:
    return [
        {
            **place(row.named),
            "state": row.named.entry.state.value,
            "hash": row.named.entry.hash,
            "findings": [finding_row(finding) for finding in row.findings],
            **({"change": change_rows([row.change])[0]} if row.change else {}),
        }
        for row in waiting
    ]


def place(named: Named) -> dict[str, Json]:
    """Which entry it is; the name is "" but for definitions."""
    return {"server": named.server, "what": named.kind.value, "name": named.name}


def lock_document(
    lock: Lock,
    *,
    only: Sequence[Named] | None = None,
    status: Mapping[str, ServerReport] = {},
    costs: "Costs | None" = None,
    suspicions: Sequence[Mark] | None = None,
    users: Container[str] = (),
    doubts: "Doubts | None" = None,
) -> str:
    """What `status --json` and `list --json` print: every entry's state, hash and findings.

    only: these entries alone; status: what is to be said of each server as a whole; costs:
    what its tools cost, in tokens; suspicions: what calls saw of tools; users: the servers of
    the user's own level; doubts: whether agents get each tool.
    """
    wanted = None if only is None else {named.key for named in only}
    findings = audit_lock(lock, wanted)
    servers: dict[str, Json] = {}
    for name in sorted({*lock.servers, *status}):
        row: dict[str, Json] = {"status": status[name].status.value} if name in status else {}
        if name in lock.servers:
            row |= _server(name, lock.servers[name], findings, wanted)
        if row and name in users:
            row["yours"] = True
        if row:
            servers[name] = row
    if doubts:
        _add_doubts(servers, doubts)
    for tool, cost in costs.tools if costs else ():
        servers[tool.server]["tools"][tool.name]["tokens"] = cost
    document: dict[str, Json] = {"version": VERSION, "servers": servers}
    if costs and costs.tokenizer:
        document["tokenizer"] = costs.tokenizer
    if suspicions is not None:
        seen = [{"server": mark.server, "tool": mark.tool} for mark in suspicions]
        document["suspicions"] = seen
    return dump(document)


def _add_doubts(servers: Mapping[str, Json], doubts: "Doubts") -> None:
    """Say of each tool whether agents get it, and else why not; and which was found changed."""
    for name, server in servers.items():
        for tool, row in server.get("tools", {}).items():
            why = doubts.left_out.get((name, tool))
            row |= {"usable": why is None} | ({"why": why} if why is not None else {})
            if (name, tool) in doubts.suspected:
                row["suspected"] = True


def _server(
    name: str,
    server: LockedServer,
    findings: _Findings,
    wanted: set[tuple[str, Kind, str]] | None,
) -> dict[str, Json]:
    rows: dict[str, Json] = {}
    keys = {section.kind: section.key for section in SECTIONS}
    for kind, definition, entry in server.entries():
        if wanted is not None and (name, kind, definition) not in wanted:
            continue
        found = findings.get((name, kind, definition), ())
        row = entry_row(entry) | {"findings": [finding_row(finding) for finding in found]}
        if kind in keys:
            rows.setdefault(keys[kind], {})[definition] = row
        else:
            rows[kind.value] = row
    return rows


def entry_row(entry: Entry) -> dict[str, Json]:
    """The head of an entry; what is not said of it is left out."""
    row: dict[str, Json] = {
        "state": entry.state.value,
        "hash": entry.hash,
        "confirm": entry.confirm or "always",
    }
    for key in ("approved", "denied", "note"):
        if getattr(entry, key) is not None:
            row[key] = getattr(entry, key)
    if entry.invalid:
        row["invalid"] = entry.invalid.value
    if entry.absent:
        row["absent"] = True
    return row
