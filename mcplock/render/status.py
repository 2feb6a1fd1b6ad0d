"""The table of `status`: server by state."""

from collections import Counter

from mcplock.levels import of_server
from mcplock.model import Kind, State, Status
from mcplock.naming import typed
from mcplock.render.report import issue_lines, note_lines, report_hints, separated, waiting_lines
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import STATE_STYLES, column, count, mark, name_cell, pad
from mcplock.text import visible
from mcplock.workflow.doubts import unusable
from mcplock.workflow.report import Report
from mcplock.workflow.status import Standing


def status_lines(standing: Standing, *, verbose: bool = False) -> list[Line]:
    """The table, then what went wrong and what waits for a person."""
    report = standing.report
    blocks = [
        _table(standing) if report.servers else [],
        issue_lines(report.issues),
        _unusable_lines(standing),
        _suspicion_lines(standing),
        note_lines(report.notes),
        waiting_lines(report.waiting, verbose=verbose),
    ]
    return separated(blocks)


def _table(standing: Standing) -> list[Line]:
    servers = standing.report.servers
    names = {name: visible(name) for name in servers}
    wide = column(names.values(), least=len("server"))
    states = [state for state in State if any(c[state] for c in standing.states.values())]
    head = f"  {pad('server', wide)}  {'status':<10}" + "".join(f"  {s:>8}" for s in states)
    rows = [line(Span(Style.DIM, head))]
    suspected = {found.server for found in standing.suspicions}
    for name, server in servers.items():
        numbers = standing.states.get(name, Counter())
        cells = (_cell(numbers.get(state, 0), state) for state in states)
        doubted = server.status is Status.OK and name in suspected
        sign, status = (_SUSPECT, "suspect") if doubted else (mark(server.status), server.status)
        words = (sign, " ", name_cell(names[name], wide), f"  {status:<10}")
        rows.append(line(*words, *cells, Span(Style.DIM, _reason(standing.report, name))))
    return rows


_SUSPECT = Span(Style.WARNING, "!")


def _reason(report: Report, name: str) -> str:
    """Why lock and manifest do not agree on a server; "" where they do."""
    if Status.UNLOCKED in report.servers[name].statuses:
        return "  not in the lock yet"
    kinds = [c.kind for c in report.changes if c.server == name and c.what is Kind.SOURCE]
    if "removed" in kinds:
        return "  gone from the manifest"
    return "  source changed in the manifest" if kinds else ""


def _cell(number: int, state: State) -> Span:
    return Span(STATE_STYLES[state], f"  {number or '':>8}")


def _unusable_lines(standing: Standing) -> list[Line]:
    """The servers that have approved tools which agents do not get all the same."""
    lines = []
    for found in unusable(standing.lock, standing.doubts, states={State.APPROVED}):
        tools = count(found.tools, "approved tool")
        verb = "is" if found.tools == 1 else "are"
        said = f"  {tools} {verb} not usable: {visible(of_server(found.reason))}"
        name = Span(Style.NAME, visible(found.server))
        lines.append(line(Span(Style.WARNING, "! "), name, said))
    return lines


def _suspicion_lines(standing: Standing) -> list[Line]:
    lines = []
    for found in standing.suspicions:
        gone = "" if found.seen else ": its server listed it no more"
        said = f"  was found changed by a call{gone}; it is not called any more"
        name = Span(Style.NAME, visible(f"{found.server}/{found.tool}"))
        lines.append(line(Span(Style.WARNING, "! "), name, said))
    return lines


def status_verdict(standing: Standing) -> Line:
    """Where the project stands, in one line."""
    report = standing.report
    if not report.servers:
        return line("the manifest names no server")
    tools = sum(server.tools for server in report.servers.values())
    entries = sum(number for states in standing.states.values() for number in states.values())
    held = f"{count(entries, 'entry')} ({count(tools, 'tool')})"
    said = f"{count(len(report.servers), 'server')}, {held}: "
    doubted = len(standing.suspicions)
    suspected = [f"{count(doubted, 'tool')} found changed by a call"] if doubted else []
    if report.waiting:
        odd = [f"{len(report.waiting):,} to review"]
    else:
        statuses = Counter(server.status for server in report.servers.values())
        odd = [f"{n} {status}" for status, n in statuses.items() if status is not Status.OK]
    invalid = sum(server.invalid for server in report.servers.values())
    but = f", but {invalid:,} invalid" if invalid and not report.waiting else ""
    return line(said, ", ".join(odd + suspected) or "all reviewed", but)


def status_hints(standing: Standing) -> list[str]:
    """The next command to run."""
    hints = report_hints(standing.report)
    servers = dict.fromkeys(found.server for found in standing.suspicions)
    hints += [
        f"`mcplock update {typed(server)}` shows what its tools are now" for server in servers
    ]
    if standing.untrusted:
        hints.append("`mcplock trust` lets this machine start the servers of this lock")
    if not standing.report.servers:
        return ["name a server in the manifest, then `mcplock install`"]
    return hints or ["`mcplock check` asks the servers whether they still say the same"]
