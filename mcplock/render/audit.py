"""What an audit found: as text, as a JSON document, and as CI systems take it."""

from collections import Counter
from collections.abc import Iterable, Iterator

from mcplock.audit import Finding, Severity
from mcplock.jsontext import Json
from mcplock.model import Place
from mcplock.render.document import VERSION, dump, finding_row, issue_rows
from mcplock.render.findings import finding_lines
from mcplock.render.outcome import Annotation, Block, Level, Outcome, Row, by_weight
from mcplock.render.report import deny_hint, issue_lines, separated
from mcplock.render.spans import Line, Span, Style, line, to_plain
from mcplock.render.terms import count
from mcplock.text import visible
from mcplock.workflow.audit import Audit, Audited, gravest_first
from mcplock.workflow.report import Conclusion

_MILD = {Severity.HIGH: Level.WARNING, Severity.MEDIUM: Level.WARNING}
"""How a finding for which the gate does not say no is annotated; the others are notes."""


def audit_lines(audit: Audit) -> list[Line]:
    """Each entry that has a finding, the gravest first, and what is odd."""
    return separated([_entry_lines(gravest_first(audit)), issue_lines(audit.issues)])


def _entry_lines(entries: Iterable[Audited]) -> list[Line]:
    lines: list[Line] = []
    for entry in entries:
        lines.append(line(Span(Style.NAME, entry.named.label)))
        lines += finding_lines(entry.findings, "  ")
        if entry.accepted is not None:
            said = f"  approved all the same: {visible(entry.accepted)}"
            lines.append(line(Span(Style.DIM, said)))
    return lines


def audit_verdict(audit: Audit) -> Line:
    """The last line: how much was looked at, and what was found."""
    servers = {entry.named.server for entry in audit.entries}
    seen = f"{count(len(audit.entries), 'entry')} of {count(len(servers), 'server')}"
    invalid = sum(entry.named.entry.invalid is not None for entry in audit.entries)
    but = f"; {invalid:,} invalid" if invalid else ""
    counted = _counted(audit, counting=True)
    if counted:
        return line(Span(Style.HIGH, f"failed: {seen}: {counted}{but}"))
    other = _counted(audit, counting=False)
    said = f"only {other}" if other else "no finding"
    return line(Span(Style.ADDED, f"ok: {seen}: {said}{but}"))


def _counted(audit: Audit, *, counting: bool) -> str:
    """How many findings of each severity there are that make the gate say no, or do not."""
    accepted = 0
    severities: Counter[Severity] = Counter()
    for entry in audit.entries:
        found = [f.severity for f in entry.findings if audit.counts(entry, f) is counting]
        if entry.accepted is None:
            severities.update(found)
        else:
            accepted += len(found)
    words = [f"{severities[severity]} {severity}" for severity in Severity if severities[severity]]
    said = [f"{count(accepted, 'finding')} accepted with a note"] if accepted else []
    return ", ".join([*words, *said])


def audit_hints(audit: Audit) -> list[str]:
    """What to do about the gravest entry, where it stands in this project's lock."""
    if not (audit.decidable and audit.failed):
        return []
    named = gravest_first(audit)[0].named
    if named.entry.invalid:
        return [f"`mcplock show {named.typed}` shows it whole", deny_hint(named)]
    return [
        f"`mcplock show {named.typed}` shows it whole",
        f"`mcplock deny {named.pinned} --reason TEXT` turns it down, "
        f"`mcplock approve {named.pinned} --with-findings --note TEXT` accepts it",
    ]


def audit_document(audit: Audit) -> str:
    """What `audit --format json` prints.

    accepted: the note with which a person approved the text all the same; such a finding does
    not make the gate say no.
    """
    findings: list[Json] = [
        {
            "server": entry.named.server,
            "what": entry.named.kind.value,
            "name": entry.named.name,
            "hash": entry.named.entry.hash,
            **finding_row(finding),
            **({} if entry.accepted is None else {"accepted": entry.accepted}),
        }
        for entry in gravest_first(audit)
        for finding in entry.findings
    ]
    conclusion = Conclusion.FAIL if audit.failed else Conclusion.OK
    head = {"version": VERSION, "conclusion": conclusion.value, "file": audit.file}
    return dump(head | {"findings": findings, "issues": issue_rows(audit.issues)})


def audit_outcome(audit: Audit) -> Outcome:
    """What `audit` found, annotated where the entries stand."""
    annotations = [
        _annotation(audit, entry, finding)
        for entry in gravest_first(audit)
        for finding in entry.findings
    ]
    annotations += _issues(audit)
    return Outcome(
        command="audit",
        file=audit.file,
        conclusion=Conclusion.FAIL if audit.failed else Conclusion.OK,
        verdict="".join(span.text for span in audit_verdict(audit)),
        rows=_rows(audit),
        annotations=by_weight(annotations),
        blocks=_blocks(audit),
        hints=audit_hints(audit),
    )


def _rows(audit: Audit) -> list[Row]:
    by_server: dict[str, list[Audited]] = {}
    for entry in audit.entries:
        by_server.setdefault(entry.named.server, []).append(entry)
    rows = []
    for server, entries in by_server.items():
        own = audit._replace(entries=entries)
        said = _counted(own, counting=True) or _counted(own, counting=False) or "ok"
        mark = "✗" if own.failed else "✓" if said == "ok" else "!"
        rows.append(Row(mark, visible(server), said, count(len(entries), "entry")))
    return rows


def _blocks(audit: Audit) -> list[Block]:
    by_server: dict[str, list[Audited]] = {}
    for entry in gravest_first(audit):
        by_server.setdefault(entry.named.server, []).append(entry)
    blocks = []
    for server, entries in by_server.items():
        total = count(sum(len(entry.findings) for entry in entries), "finding")
        lines = to_plain(_entry_lines(entries)).rstrip("\n").split("\n")
        blocks.append(Block(visible(server), total, lines))
    if audit.issues:
        lines = to_plain(issue_lines(audit.issues)).rstrip("\n").split("\n")
        blocks.append(Block("", "what is odd", lines))
    return blocks


def _annotation(audit: Audit, entry: Audited, finding: Finding) -> Annotation:
    named = entry.named
    level = _MILD.get(finding.severity, Level.NOTE)
    if audit.counts(entry, finding):
        level = Level.ERROR
    elif entry.accepted is not None:
        level = Level.NOTE
    detail = [f"at {visible(finding.pointer)}"] if finding.pointer else []
    if entry.accepted is not None:
        detail.append(f"approved all the same: {visible(entry.accepted)}")
    return Annotation(
        finding.rule,
        level,
        entry.place,
        visible(named.server),
        named.label,
        f"{named.label}: {finding.message}",
        detail,
        (
            finding.rule,
            named.server,
            named.kind.value,
            named.name,
            named.entry.hash,
            finding.pointer,
        ),
    )


def _issues(audit: Audit) -> Iterator[Annotation]:
    """What is odd, where the entry stands, else where the first of its server does."""
    places: dict[tuple[str, str], Place] = {}
    for row in audit.entries:
        places.setdefault((row.named.server, ""), row.place)
        places[row.named.server, row.named.name] = row.place
    for issue in audit.issues:
        first, *rest = issue.message.split("\n")
        server = visible(issue.server)
        at_server = places.get((issue.server, ""), Place(audit.file, 1))
        yield Annotation(
            "issue",
            Level.WARNING,
            places.get((issue.server, issue.name), at_server),
            server,
            f"{server}/{visible(issue.name)}" if issue.name else server,
            f"{server}: {first}",
            rest,
            ("issue", issue.server, issue.name),
        )
