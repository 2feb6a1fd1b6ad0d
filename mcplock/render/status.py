"""The table of `status`: server by state."""

from collections import Counter

from mcplock.model import State
from mcplock.render.report import count, issue_lines, mark, report_hints
from mcplock.render.spans import Line, Span, Style, line
from mcplock.text import visible
from mcplock.workflow.status import Standing

_STYLES = {
    State.APPROVED: Style.ADDED,
    State.CHANGED: Style.CHANGED,
    State.NEW: Style.ADDED,
    State.DENIED: Style.HIGH,
    State.INVALID: Style.WARNING,
}
_MOST = 12


def status_lines(standing: Standing) -> list[Line]:
    """The table, then what waits for a person."""
    servers = standing.report.servers
    names = {name: visible(name) for name in servers}
    wide = max([6, *map(len, names.values())])
    states = [state for state in State if any(c[state] for c in standing.states.values())]
    head = f"  {'server':<{wide}}  {'status':<10}" + "".join(f"  {state:>8}" for state in states)
    lines = [line(Span(Style.DIM, head))]
    for name, server in servers.items():
        numbers = standing.states.get(name, Counter())
        lines.append(
            line(
                mark(server.status),
                " ",
                Span(Style.NAME, names[name].ljust(wide)),
                f"  {server.status:<10}",
                *(_cell(numbers.get(state, 0), state) for state in states),
            )
        )
    lines += issue_lines(standing.report.issues)
    return lines + _waiting_lines(standing)


def _cell(number: int, state: State) -> Span:
    return Span(_STYLES[state], f"  {number or '':>8}")


def _waiting_lines(standing: Standing) -> list[Line]:
    if not standing.waiting:
        return []
    lines = [line(), line(f"{count(len(standing.waiting), 'entry')} to review:")]
    for named in standing.waiting[:_MOST]:
        state = named.entry.state
        lines.append(line("  ", Span(_STYLES[state], f"{state:<8}"), f" {named.label}"))
    more = len(standing.waiting) - _MOST
    return lines + ([line(f"  … and {more:,} more")] if more > 0 else [])


def status_hints(standing: Standing) -> list[str]:
    """The next command to run."""
    hints = [hint for hint in report_hints(standing.report) if "`mcplock status`" not in hint]
    if standing.waiting:
        name = standing.waiting[0].label
        hints.append(f"read each with `mcplock show {name}`, then `mcplock approve {name}`")
    if standing.untrusted:
        hints.append("`mcplock trust` lets this machine start the servers of this lock")
    return hints or ["`mcplock check` asks the servers whether they still say the same"]
