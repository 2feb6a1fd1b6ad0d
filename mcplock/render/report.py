"""What `install`, `update` and `check` found, as text: detail first, the verdict last."""

from collections import Counter
from collections.abc import Iterable

from mcplock.changes import Change, ChangeKind
from mcplock.model import WAITING, Issue, Kind, Status
from mcplock.naming import entries_of
from mcplock.render.diff import render_changes
from mcplock.render.spans import Line, Span, Style, line
from mcplock.text import visible
from mcplock.workflow.commit import Written
from mcplock.workflow.report import Conclusion, Report, ServerReport

_MARKS = {
    Status.OK: Span(Style.ADDED, "✓"),
    Status.DISABLED: Span(Style.DIM, "-"),
    Status.DRIFT: Span(Style.CHANGED, "~"),
    Status.UNREVIEWED: Span(Style.WARNING, "!"),
    Status.UNLOCKED: Span(Style.ADDED, "+"),
}
_TROUBLE = Span(Style.HIGH, "✗")


def mark(status: Status) -> Span:
    """The sign of a status; its colour repeats what it says."""
    return _MARKS.get(status, _TROUBLE)


def report_lines(report: Report, width: int) -> list[Line]:
    """The whole report of a gate."""
    lines = render_changes(report.changes, width)
    lines += issue_lines(report.issues)
    lines += [line(Span(Style.HIGH, "! "), note) for note in report.notes]
    lines += server_lines(report)
    return [*lines, verdict(report)]


def server_lines(report: Report) -> list[Line]:
    """One line a server: its mark, its name, where it stands."""
    names = {name: visible(name) for name in report.servers}
    wide = max(map(len, names.values()), default=0)
    return [
        line(
            mark(server.status),
            " ",
            Span(Style.NAME, names[name].ljust(wide)),
            f"  {_statuses(server):<12}",
            Span(Style.DIM, f"  {count(server.tools, 'tool')}"),
        )
        for name, server in report.servers.items()
    ]


def _statuses(server: ServerReport) -> str:
    words = [
        f"{status} (allowed)" if status in server.tolerated else status.value
        for status in server.statuses
    ]
    return ", ".join(words)


def issue_lines(issues: Iterable[Issue]) -> list[Line]:
    """Each issue with its stage, its further lines indented, and its hint."""
    lines: list[Line] = []
    for issue in issues:
        first, *rest = issue.message.split("\n")
        head = (Span(Style.WARNING, "! "), Span(Style.NAME, visible(issue.server)))
        lines.append(line(*head, f"  {issue.stage}: {first}"))
        lines += [line(f"    {text}") for text in rest]
        if issue.hint:
            lines.append(line(Span(Style.DIM, f"    hint: {issue.hint}")))
    return lines


def verdict(report: Report) -> Line:
    """The last line of a gate."""
    judged = Counter(s for server in report.servers.values() for s in server.judged)
    judged -= Counter({Status.OK: judged[Status.OK], Status.DISABLED: judged[Status.DISABLED]})
    total = count(len(report.servers), "server")
    why = [f"{number} {status}" for status, number in judged.items()]
    why += ["the lock is not as mcplock writes it"] if report.notes else []
    match report.conclusion:
        case Conclusion.OK:
            tools = count(sum(server.tools for server in report.servers.values()), "tool")
            return line(Span(Style.ADDED, f"ok: {total}, {tools}: locked, reviewed and unchanged"))
        case Conclusion.FAIL:
            return line(Span(Style.HIGH, f"failed: of {total}, {', '.join(why)}"))
        case Conclusion.ERROR:
            return line(Span(Style.HIGH, f"could not judge: of {total}, {', '.join(why)}"))


def report_hints(report: Report) -> list[str]:
    """The commands to run next, the first one first."""
    judged = {status for server in report.servers.values() for status in server.judged}
    manifest = any(_of_manifest(change) for change in report.changes)
    hints = []
    if report.notes or Status.UNLOCKED in judged or manifest:
        hints.append("`mcplock install` brings the lock up to date with the manifest")
    if Status.DRIFT in judged and not manifest:
        hints.append("`mcplock update` takes what the servers say now, for review")
    if Status.UNREVIEWED in judged:
        hints.append("`mcplock status` says what is to be reviewed")
    if Status.UNTRUSTED in judged:
        hints.append("`mcplock trust` lets this machine start them")
    return hints


def _of_manifest(change: Change) -> bool:
    return change.what is Kind.SOURCE


def written_lines(written: Written, width: int, *, dry_run: bool = False) -> list[Line]:
    """What `install` or `update` did: the diff, what failed, the state of things."""
    lines = render_changes(written.changes, width) + issue_lines(written.issues)
    for name in written.held_back:
        lines.append(line(Span(Style.WARNING, "! "), f"{name} was not approved by --baseline"))
    return [*lines, line(_written_verdict(written, dry_run=dry_run))]


def _written_verdict(written: Written, *, dry_run: bool) -> str:
    kinds = Counter(change.kind for change in written.changes)
    parts = [f"{kinds[kind]} {kind}" for kind in ChangeKind if kinds[kind]]
    said = ", ".join(parts) or "nothing changed"
    if written.approved:
        said += f", {written.approved} approved by --baseline"
    if written.failed:
        failed = ", ".join(map(visible, written.failed))
        said += f"; nothing written of {failed}"
    where = "mcp.lock would change" if dry_run and parts else "mcp.lock written"
    if not written.wrote and not (dry_run and parts):
        where = "mcp.lock untouched"
    return f"{where}: {said}"


def written_hints(written: Written, *, dry_run: bool) -> list[str]:
    """What to do after `install` or `update`."""
    waiting = to_review(written)
    if dry_run or not waiting:
        return []
    return [f"{count(waiting, 'entry')} to review: `mcplock status`"]


def to_review(written: Written) -> int:
    """How many entries of the lock wait for a person."""
    return sum(named.entry.state in WAITING for named in entries_of(written.lock))


def count(number: int, noun: str) -> str:
    """`1 tool`, `2 tools`."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"
