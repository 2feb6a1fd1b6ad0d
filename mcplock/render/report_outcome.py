"""A gate's report -> what CI systems take."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mcplock.changes import Change, ChangeKind
from mcplock.model import Issue, Kind, Stage, Status
from mcplock.naming import label
from mcplock.render.catalog import WholeServer, whole_servers
from mcplock.render.diff import change_label, render_changes
from mcplock.render.diff_report import diff_verdict
from mcplock.render.findings import finding_lines
from mcplock.render.grouping import grouped, is_explained
from mcplock.render.outcome import Annotation, Block, Level, Outcome, Row, by_weight
from mcplock.render.report import (
    decision_lines,
    differing_lines,
    issue_lines,
    note_lines,
    report_hints,
    server_rows,
    verdict,
    waiting_lines,
)
from mcplock.render.spans import Line, to_plain
from mcplock.render.terms import count
from mcplock.text import visible
from mcplock.workflow.places import Places
from mcplock.workflow.report import ERRORS, Conclusion, Report
from mcplock.workflow.review import Waiting

if TYPE_CHECKING:
    from mcplock.workflow.commit import Written

WIDTH = 100
_FAILURES = (Stage.RESOLVE, Stage.START, Stage.CONNECT, Stage.LIST)


def report_outcome(report: Report, places: Places) -> Outcome:
    """What `check` found, annotated in the lock and the manifest."""
    return Outcome(
        command="check",
        file=places.lock,
        conclusion=report.conclusion,
        verdict=_text([verdict(report)])[0],
        rows=report_rows(report),
        annotations=by_weight(list(_annotations(report, places))),
        blocks=report_blocks(report),
        hints=report_hints(report),
    )


def diff_outcome(report: Report, file: str, hints: Sequence[str]) -> Outcome:
    """What `diff` found; file: the lock, relative to the root of its repository."""
    return Outcome(
        command="diff",
        file=file,
        conclusion=report.conclusion,
        verdict=_text([diff_verdict(report)])[0],
        rows=report_rows(report),
        blocks=report_blocks(report),
        hints=hints,
    )


def written_outcome(written: "Written", file: str, *, dry_run: bool) -> Outcome:
    """What `update` did, or would do; file: the lock, relative to the root of its repository."""
    from mcplock.render.written import written_hints, written_verdict

    report = Report(
        servers=written.servers,
        changes=written.changes,
        issues=written.issues,
        waiting=written.waiting,
    )
    return Outcome(
        command="update",
        file=file,
        conclusion=Conclusion.ERROR if written.failed else Conclusion.OK,
        verdict=_text([written_verdict(written, dry_run=dry_run)])[0],
        rows=report_rows(report),
        blocks=report_blocks(report),
        hints=written_hints(written, dry_run=dry_run),
    )


def report_rows(report: Report) -> list[Row]:
    """One row a server."""
    return [Row(row.mark.text, row.name, row.said, row.tools) for row in server_rows(report)]


def report_blocks(report: Report) -> list[Block]:
    """The detail of a report: what changed, server by server, then all else."""
    blocks = change_blocks(report.changes)
    blocks += _decision_blocks(report)
    if differing := differing_lines(report.waiting, WIDTH):
        blocks.append(Block("", _text(differing[:1])[0].rstrip(":"), _text(differing[1:]), True))
    others = {
        "what went wrong": issue_lines(report.issues),
        "the lock as a whole": note_lines(report.notes),
        "to be reviewed": waiting_lines(report.waiting, verbose=True),
    }
    return blocks + [Block("", said, _text(lines)) for said, lines in others.items() if lines]


def _decision_blocks(report: Report) -> list[Block]:
    """The decisions with their texts; where these are long, each on a line before any text."""
    if not report.decisions:
        return []
    since = visible(report.since)
    said = f"{count(len(report.decisions), 'decision')} since that revision"
    whole = _decisions(report, report.decisions)
    if len(whole) <= _LONG:
        return [Block(since, said, whole, is_diff=True)]
    bare = [_without_text(change) for change in report.decisions]
    approved = [old for old, new in zip(report.decisions, bare, strict=True) if old is not new]
    blocks = [Block(since, said, _decisions(report, bare), is_diff=True)]
    if approved:
        said = "the texts approved since that revision"
        blocks.append(Block(since, said, _decisions(report, approved), is_diff=True))
    return blocks


_LONG = 100


def _decisions(report: Report, decisions: Sequence[Change]) -> list[str]:
    return _text(decision_lines(report._replace(decisions=decisions), WIDTH)[1:])


def _without_text(change: Change) -> Change:
    """An approval without the text that it is of; any other change as it is."""
    is_approval = change.kind is ChangeKind.APPROVED and change.fields
    return replace(change, fields=()) if is_approval else change


def change_blocks(changes: Sequence[Change]) -> list[Block]:
    """What changed, a block for each server, what is suspicious first."""
    by_server: dict[str, list[Change]] = {}
    for change in _suspicious_first(changes):
        by_server.setdefault(change.server, []).append(change)
    return [
        Block(
            visible(server),
            count(len(found), "change"),
            _text(render_changes(found, WIDTH)),
            is_diff=True,
        )
        for server, found in by_server.items()
    ]


def _suspicious_first(changes: Sequence[Change]) -> list[Change]:
    return [change for group in grouped(changes) for change in group.changes]


def _text(lines: Iterable[Line]) -> list[str]:
    return to_plain(lines).rstrip("\n").split("\n")


def _annotations(report: Report, places: Places) -> Iterator[Annotation]:
    wholes, others = whole_servers(report.changes)
    for change in _suspicious_first(others):
        yield _change(change, places)
    for whole in wholes:
        yield _server(whole, places)
    for note in report.notes:
        first, *rest = note.split("\n")
        place = places.of("")
        yield Annotation("form", Level.ERROR, place, "", places.lock, first, rest, ("form",))
    for row in sorted(report.waiting, key=_reads_late):
        yield _waiting(row, report, places)
    for name, server in report.servers.items():
        if Status.UNLOCKED in server.statuses:
            yield _unlocked(name, places)
    for issue in report.issues:
        yield _issue(issue, report, places)
    level = Level.ERROR if report.frozen else Level.NOTE
    for change in report.decisions:
        told = _change(change, places)
        yield told._replace(rule="decision", level=level, identity=("decision", *told.identity[1:]))


def _reads_late(row: Waiting) -> bool:
    """Whether the machine or white space explains it, which is told after all else."""
    return row.change is not None and is_explained(row.change)


def _change(change: Change, places: Places) -> Annotation:
    first, *rest = _text(render_changes([change], WIDTH, whole=True))
    entry = change.new or change.old
    return Annotation(
        "drift",
        Level.ERROR,
        places.of(change.server, change.entry, change.name),
        visible(change.server),
        change_label(change),
        _sentence(first),
        rest,
        ("drift", change.server, str(change.what), change.name, entry.hash if entry else ""),
    )


def _server(server: WholeServer, places: Places) -> Annotation:
    """A server that came or went, in one."""
    told = _change(server.source, places)
    first, *rest = _text(render_changes([server.source, *server.entries], WIDTH))
    return told._replace(message=_sentence(first), detail=rest)


def _sentence(head: str) -> str:
    """The first line of a change without its sign, its columns closed up."""
    return " ".join(head[2:].split())


def _waiting(row: Waiting, report: Report, places: Places) -> Annotation:
    named = row.named
    passed = Status.UNREVIEWED in report.servers[named.server].tolerated
    return Annotation(
        "unreviewed",
        Level.NOTE if passed else Level.ERROR,
        places.of(*named.key),
        visible(named.server),
        named.label,
        f"{named.label} is {named.entry.state} and waits for review",
        _detail(row),
        ("unreviewed", named.server, named.kind.value, named.name, named.entry.hash),
    )


def _detail(row: Waiting) -> list[str]:
    if row.change:
        return _text(render_changes([row.change], WIDTH, whole=True)[1:])
    return _text(finding_lines(row.findings, "")) if row.findings else []


def _unlocked(name: str, places: Places) -> Annotation:
    place = places.in_manifest(name)
    told = visible(name)
    return Annotation(
        "unlocked",
        Level.ERROR,
        place,
        told,
        told,
        f"{told} is in the manifest and not in the lock",
        identity=("unlocked", name),
    )


def _issue(issue: Issue, report: Report, places: Places) -> Annotation:
    """What went wrong; a failure bears the name of the status that it gave its server."""
    server = report.servers.get(issue.server)
    failed = [status for status in server.statuses if status in ERRORS] if server else []
    rule, level = "issue", Level.WARNING
    if failed and issue.stage in _FAILURES:
        rule = failed[0].value
        level = Level.WARNING if server and failed[0] in server.tolerated else Level.ERROR
    first, *rest = issue.message.split("\n")
    named = label(issue.server, Kind.TOOL, issue.name) if issue.name else issue.server
    return Annotation(
        rule,
        level,
        places.of(issue.server, Kind.TOOL, issue.name),
        visible(issue.server),
        visible(named),
        f"{visible(issue.server)} {issue.stage}: {first}",
        [*rest, *([f"hint: {issue.hint}"] if issue.hint else [])],
        (rule, issue.server, issue.name, issue.stage.value),
    )
