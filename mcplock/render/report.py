"""What a gate found, as text: detail first, the verdict last."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mcplock.model import Issue, Kind, State, Status
from mcplock.naming import typed
from mcplock.records import NamedTuple
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import (
    STATE_STYLES,
    column,
    count,
    hint_line,
    mark,
    name_cell,
)
from mcplock.text import visible
from mcplock.workflow.report import ERRORS, FAILS, Conclusion, Report, ServerReport

if TYPE_CHECKING:
    from mcplock.changes import Change
    from mcplock.naming import Named
    from mcplock.workflow.review import Waiting

_MOST = 12
_SAID = {
    Status.DRIFT: "drifted",
    Status.UNLOCKED: "not locked",
}


def report_lines(report: Report, width: int, *, verbose: bool = False) -> list[Line]:
    """What the verdict rests on: changes, issues, what waits, a line for each server."""
    blocks = [
        _changes(report.changes, width, whole=verbose),
        decision_lines(report, width, whole=verbose),
        issue_lines(report.issues),
        note_lines(report.notes),
        differing_lines(report.waiting, width, whole=verbose),
        waiting_lines(report.waiting, verbose=verbose),
        server_lines(report),
    ]
    return separated(blocks)


def separated(blocks: Iterable[Sequence[Line]]) -> list[Line]:
    """The blocks that have lines, a blank line between each two."""
    lines: list[Line] = []
    for block in blocks:
        if block and lines and lines[-1]:
            lines.append(line())
        lines += block
    return lines


def _changes(changes: "Sequence[Change]", width: int, *, whole: bool) -> list[Line]:
    if not changes:
        return []
    from mcplock.render.diff import render_changes

    return render_changes(changes, width, whole=whole)


def decision_lines(report: Report, width: int, *, whole: bool = False) -> list[Line]:
    """What was decided since the revision that the gate compares with, and on which texts."""
    if not report.decisions:
        return []
    from mcplock.render.diff import render_changes

    head = line(Span(Style.STRONG, f"decided since {visible(report.since)}:"))
    return [head, *render_changes(report.decisions, width, whole=whole, singly=True)]


def server_lines(report: Report) -> list[Line]:
    """One line a server: its mark, its name, where it stands."""
    rows = server_rows(report)
    wide = column(row.name for row in rows)
    most = max((len(row.said) for row in rows), default=0)
    return [
        line(
            row.mark,
            " ",
            name_cell(row.name, wide),
            f"  {row.said:<{most}}",
            Span(Style.DIM, f"  {row.tools}"),
        )
        for row in rows
    ]


class ServerRow(NamedTuple):
    """The mark of a server, its name, where it stands, how many tools it has; safe to print."""

    mark: Span
    name: str
    said: str
    tools: str


def server_rows(report: Report) -> list[ServerRow]:
    """One row a server."""
    return [
        ServerRow(
            mark(server.status),
            visible(name),
            _statuses(server),
            _tools(server, [change for change in report.changes if change.server == name]),
        )
        for name, server in report.servers.items()
    ]


def _tools(server: ServerReport, changes: "Sequence[Change]") -> str:
    """`3 tools, 1 denied`, or where something differs, `1 of 3 tools changed, source changed`."""
    if not server.is_locked and not changes:
        return "tools not known yet"
    tools = count(server.tools, "tool")
    own = [change for change in changes if change.what is Kind.TOOL]
    kinds = Counter(_how(change) for change in own)
    said = [f"{kinds[kind]} {kind}" for kind in ("changed", "removed", "added") if kinds[kind]]
    if kinds["changed"] or kinds["removed"]:
        number, _, kind = said[0].partition(" ")
        said[0] = f"{number} of {tools} {kind}"
    else:
        said.insert(0, tools)
    barred = sum(change.state is State.DENIED for change in own)
    said += [f"{barred} of them denied"] if barred else []
    said += [f"{server.denied} denied"] if server.denied and not barred else []
    return ", ".join([*said, *_beside_tools(changes)])


def _how(change: "Change") -> str:
    """What happened, in a word: what is renamed has changed."""
    return "changed" if change.kind == "renamed" else change.kind.value


def _beside_tools(changes: "Sequence[Change]") -> list[str]:
    """What else of a server differs: `source changed`, `2 prompts added`."""
    told = Counter(
        (change.what, _how(change))
        for change in changes
        if isinstance(change.what, Kind) and change.what is not Kind.TOOL and not _is_whole(change)
    )
    return [
        f"{what.value if what in _ALONE else count(number, what.value)} {how}"
        for (what, how), number in told.items()
    ]


def _is_whole(change: "Change") -> bool:
    """Whether it tells that the whole server came or went."""
    return change.what is Kind.SOURCE and (change.old is None or change.new is None)


_ALONE = (Kind.SOURCE, Kind.PACKAGE, Kind.INSTRUCTIONS)
"""What a server has but one of."""


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
            lines.append(hint_line("    ", issue.hint))
    return lines


def note_lines(notes: Iterable[str]) -> list[Line]:
    """Each note, its further lines as they are."""
    lines = []
    for note in notes:
        first, *rest = note.split("\n")
        lines += [line(Span(Style.HIGH, "! "), first), *(line(f"  {text}") for text in rest)]
    return lines


def differing_lines(waiting: "Sequence[Waiting]", width: int, *, whole: bool = False) -> list[Line]:
    """What waits and is known to differ from what was approved: old against new."""
    changes = [row.change for row in waiting if row.change]
    if not changes:
        return []
    head = line(Span(Style.STRONG, "changed since approved, and to be reviewed:"))
    return [head, *_changes(changes, width, whole=whole)]


def waiting_lines(waiting: "Sequence[Waiting]", *, verbose: bool = False) -> list[Line]:
    """What else a person has still to decide on; verbose: all of it, and every finding."""
    waiting = [row for row in waiting if row.change is None]
    if not waiting:
        return []
    from mcplock.render.findings import finding_lines, finding_words

    shown = waiting if verbose else waiting[:_MOST]
    wide = column(row.named.label for row in shown)
    lines = []
    for row in shown:
        state = row.named.entry.state
        lines.append(
            line(
                Span(Style.WARNING, "! "),
                name_cell(row.named.label, wide),
                Span(STATE_STYLES[state], f"  {_WAITING[state]:<9}"),
                "" if verbose else finding_words(row.findings),
            )
        )
        lines += finding_lines(row.findings, "    ") if verbose else []
    more = len(waiting) - len(shown)
    return [*lines, line(f"  … and {more:,} more to review")] if more else lines


_WAITING = {State.NEW: "new", State.CHANGED: "changed", State.INVALID: "invalid"}


def verdict(report: Report) -> Line:
    """The last line of a gate."""
    total = count(len(report.servers), "server")
    if report.total:
        total = f"{len(report.servers)} of {count(report.total, 'server')}"
    match report.conclusion:
        case Conclusion.OK:
            if not report.servers:
                return line(Span(Style.WARNING, "ok, but nothing was judged: no server is named"))
            return line(Span(Style.ADDED, f"ok: {total}, {_well(report)}"))
        case Conclusion.FAIL:
            why = _counted(report, (*FAILS, *ERRORS))
            if report.frozen and report.decisions:
                since = f"since {visible(report.since)}"
                why.append(f"{count(len(report.decisions), 'new decision')} {since}")
            why += ["the lock is not as mcplock writes it"] if report.notes else []
            return line(Span(Style.HIGH, f"failed: {total}: {', '.join(why)}"))
        case Conclusion.ERROR:
            why = _counted(report, ERRORS)
            return line(Span(Style.HIGH, f"could not judge: {total}: {', '.join(why)}"))


def _well(report: Report) -> str:
    """What is well, and what was let pass: no more than was looked at."""
    tools = count(sum(server.tools for server in report.servers.values()), "tool")
    passed = Counter(s for server in report.servers.values() for s in server.statuses)
    exceptions = [
        f"{passed[status]} {_SAID.get(status, status)}"
        for status in (*FAILS, *ERRORS, Status.DISABLED)
        if passed[status]
    ]
    invalid = sum(server.invalid for server in report.servers.values())
    exceptions += [f"{invalid:,} invalid"] if invalid else []
    return f"{tools}: {report.claim}" + (f" (but {', '.join(exceptions)})" if exceptions else "")


def _counted(report: Report, statuses: Sequence[Status]) -> list[str]:
    judged = Counter(s for server in report.servers.values() for s in server.judged)
    return [f"{judged[s]} {_SAID.get(s, s)}" for s in statuses if judged[s]]


def report_hints(report: Report, command: str = "check") -> list[str]:
    """The commands to run next, the first one first; command: the one that was run."""
    reached = {change.server for change in report.changes if change.what is Kind.SOURCE}
    upstream = any(change.server not in reached for change in report.changes)
    hints = []
    if report.notes or Status.UNLOCKED in report.judged or reached:
        hints.append("`mcplock install` brings the lock up to date with the manifest")
    if Status.DRIFT in report.judged and upstream:
        hints.append(_update_hint(report))
    if Status.UNREVIEWED in report.judged:
        hints += review_hints(report.waiting)
    if Status.UNTRUSTED in report.judged:
        hints.append(
            f"`mcplock trust` lets this machine start them, `mcplock {command} --trust-sources` "
            "one run on a branch that was reviewed"
        )
    return hints


def _update_hint(report: Report) -> str:
    """How what the servers say now gets before a reviewer."""
    drifted = [name for name, server in report.servers.items() if Status.DRIFT in server.judged]
    update = "`mcplock update`"
    if len(drifted) <= _FEW:
        update = f"`mcplock update {' '.join(map(typed, drifted))}`"
    return f"{update} takes what is said now, then `mcplock review` decides on it"


_FEW = 3


def review_hints(waiting: "Sequence[Waiting]") -> list[str]:
    """How to look at what waits, and how to decide; what has a `high` finding leads to a no."""
    invalid = [row.named for row in waiting if row.named.entry.invalid]
    hints = _decision_hints([row for row in waiting if not row.named.entry.invalid])
    if not invalid:
        return hints
    return [*(hints or [_REVIEW]), invalid_hint(invalid[0])]


def _decision_hints(waiting: "Sequence[Waiting]") -> list[str]:
    """The same for what can be approved."""
    if not waiting:
        return []
    first = waiting[0]
    named = first.named
    if first.high:
        return [_REVIEW, *stopped_hints(named)]
    if named.kind is Kind.SOURCE and all(row.named.entry.state is State.NEW for row in waiting):
        return _new_server_hints(typed(named.server))
    if len(waiting) > 1:
        said = "`mcplock approve NAME` and `mcplock deny NAME --reason TEXT` do it without a screen"
        return [_REVIEW, said]
    return [_REVIEW, either_hint(named, "that text")]


_REVIEW = "`mcplock review` goes through what waits, one entry a screen"


def stopped_hints(named: "Named") -> list[str]:
    """What to do about an entry with a `high` finding: look, and turn it down."""
    look = f"`mcplock show {named.typed}` shows it whole, with its high findings"
    return [look, deny_hint(named)]


def deny_hint(named: "Named") -> str:
    """How to turn one entry down; the pattern for what cannot be typed has its hash."""
    return f"{_deny(named)} turns it down"


def invalid_hint(named: "Named") -> str:
    """How to decide on an entry that cannot be approved any more."""
    return (
        f"{named.label} is invalid and cannot be approved: {_deny(named)} turns it down, "
        f"`mcplock reset {_word(named)}` takes back its approval"
    )


def _deny(named: "Named") -> str:
    name = _word(named)
    if name.startswith("-- "):  # no option counts after that
        return f"`mcplock deny --reason TEXT {name}`"
    return f"`mcplock deny {name} --reason TEXT`"


def _word(named: "Named") -> str:
    return named.typed if named.label == named.plain else named.pinned


def either_hint(named: "Named", what: str) -> str:
    """How to approve or deny one entry; what: its text in words."""
    approve = f"`mcplock approve {named.pinned}` approves {what} and no other"
    return f"{approve}, or {_deny(named)}"


def _new_server_hints(server: str) -> list[str]:
    """How to review a server of which nothing was decided yet."""
    return [
        _REVIEW,
        f"`mcplock show {server}` shows all of it, as an agent would read it",
        whole_server_hint(server),
    ]


def whole_server_hint(server: str) -> str:
    """How to approve or deny what a new server has; server: as a shell takes it."""
    return f"`mcplock approve {server}` approves it, or `mcplock deny NAME --reason TEXT`"
