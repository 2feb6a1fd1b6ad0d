"""What `diff` found, as text."""

from collections import Counter

from mcplock.changes import ChangeKind
from mcplock.model import Status
from mcplock.render.diff import render_changes
from mcplock.render.report import (
    issue_lines,
    report_hints,
    separated,
    server_lines,
)
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import count
from mcplock.workflow.decide import high_rules
from mcplock.workflow.report import ERRORS, Conclusion, Report


def diff_lines(report: Report, width: int, *, verbose: bool = False) -> list[Line]:
    """The differences, and what could not be compared; verbose: new servers whole."""
    odd = any(s not in (Status.OK, Status.DRIFT) for s in report.judged)
    servers = server_lines(report) if odd else []
    return separated(
        [render_changes(report.changes, width, whole=verbose), issue_lines(report.issues), servers]
    )


def diff_verdict(report: Report) -> Line:
    """The last line: how many differences, and what was not compared."""
    statuses = Counter(status for server in report.servers.values() for status in server.judged)
    missing = [f"{statuses[s]} {s}" for s in ERRORS if statuses[s]]
    but = f"; not compared: {', '.join(missing)}" if missing else ""
    if statuses[Status.UNLOCKED]:
        but += f"; {statuses[Status.UNLOCKED]} not locked"
    if report.changes:
        kinds = Counter(change.kind for change in report.changes)
        parts = ", ".join(f"{kinds[kind]} {kind}" for kind in ChangeKind if kinds[kind])
        said = f"{count(len(report.changes), 'difference')}: {parts}{but}"
        return line(Span(Style.HIGH, said))
    style = Style.ADDED if report.conclusion is Conclusion.OK else Style.HIGH
    said = "no difference" + (" in what was compared" if but else "")
    return line(Span(style, said + but))


def diff_hints(report: Report, *, settled: bool) -> list[str]:
    """What to do about it; nothing about a difference between two states that are settled."""
    return [] if settled else report_hints(report, "diff")


def unreviewed_hints(report: Report) -> list[str]:
    """How to decide on what waits; what has a `high` finding leads to a no."""
    if not report.changes:
        return []
    invalid = [bool(change.new and change.new.invalid) for change in report.changes]
    no = "`mcplock review` goes through them; `mcplock deny NAME --reason TEXT` turns an entry down"
    if any(invalid):
        no += ", `mcplock reset NAME` takes back the approval of one that is invalid"
    stopped = any(high_rules(change.findings) for change in report.changes)
    if stopped:
        return [f"{no}; `mcplock show NAME` shows it whole, with its findings"]
    if all(invalid):
        return [no]
    return [f"`mcplock approve NAME` approves an entry; {no}"]
