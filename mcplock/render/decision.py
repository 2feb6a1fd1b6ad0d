"""Decisions as text."""

from mcplock.render.report import count
from mcplock.render.spans import Line, Span, Style, line
from mcplock.workflow.decide import Decision

_DONE = {"approve": "approved", "deny": "denied", "reset": "reset"}
_STYLES = {"approve": Style.ADDED, "deny": Style.HIGH, "reset": Style.CHANGED}


def proposal_lines(decision: Decision, verb: str) -> list[Line]:
    """What a word that names several entries would decide."""
    lines = [line(f"This would {verb} {count(len(decision.verdicts), 'entry')}:")]
    return lines + [line(f"  {verdict.named.label}") for verdict in decision.verdicts]


def decision_lines(decision: Decision, verb: str) -> list[Line]:
    """What was decided, what was left out and why."""
    done = Span(_STYLES[verb], _DONE[verb])
    lines = [
        line(done, f" {verdict.named.label}  ", Span(Style.DIM, verdict.named.entry.hash[:19]))
        for verdict in decision.verdicts
    ]
    for left in decision.left_out:
        lines.append(line(Span(Style.WARNING, "! "), f"{left.label}: {left.reason}"))
        if left.hint:
            lines.append(line(Span(Style.DIM, f"    hint: {left.hint}")))
    said = f"{count(len(decision.verdicts), 'entry')} {_DONE[verb]}"
    said += f", {decision.already} already" if decision.already else ""
    said += f", {len(decision.left_out)} left out" if decision.left_out else ""
    return [*lines, line(said)]
