"""Decisions as text."""

from collections.abc import Sequence

from mcplock.render.findings import finding_lines, finding_words
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import STATE_STYLES, column, count, hint_line, name_cell
from mcplock.workflow.decide import Decision, LeftOut, Verdict

_DONE = {"approve": "approved", "deny": "denied", "reset": "reset"}
_STYLES = {"approve": Style.ADDED, "deny": Style.HIGH, "reset": Style.CHANGED}


def proposal_lines(decision: Decision, verb: str, *, whole: bool = False) -> list[Line]:
    """What would be decided, and what would be left out; whole: with every finding."""
    lines = [line(f"This would {verb} {count(len(decision.verdicts), 'entry')}:"), line()]
    wide = column(verdict.named.label for verdict in decision.verdicts)
    for verdict in decision.verdicts:
        state = verdict.named.entry.state
        words = Span(STATE_STYLES[state], f"  {state:<8}  ")
        name = name_cell(verdict.named.label, wide)
        lines.append(line("  ", name, words, _unasked(verdict), finding_words(verdict.findings)))
        lines += finding_lines(verdict.findings, "    ") if whole else []
    return [*lines, *left_out_lines(decision.left_out), line()]


def decision_lines(decision: Decision, verb: str, *, verbose: bool = False) -> list[Line]:
    """What was decided, what was left out and why; verbose: hashes whole."""
    done = Span(_STYLES[verb], _DONE[verb])
    wide = column(verdict.named.label for verdict in decision.verdicts)
    lines = []
    for verdict in decision.verdicts:
        entry = verdict.named.entry
        shown = entry.hash if verbose else entry.hash[:19]
        name = name_cell(verdict.named.label, wide)
        words = (done, " ", name, Span(Style.DIM, f"  {shown}"))
        lines.append(line(*words, "  ", _unasked(verdict), finding_words(verdict.findings)))
    return lines + left_out_lines(decision.left_out)


def _unasked(verdict: Verdict) -> str:
    """What a person must see before anything else: nobody will be asked before a call."""
    return "agents call it unasked  " if verdict.after and verdict.after.confirm else ""


def left_out_lines(left_out: Sequence[LeftOut]) -> list[Line]:
    """What a decision does not reach, and why."""
    lines = []
    for left in left_out:
        lines.append(line(Span(Style.WARNING, "! "), f"{left.label}: {left.reason}"))
        if left.hint:
            lines.append(hint_line("    ", left.hint))
    return lines


def decision_verdict(decision: Decision, verb: str) -> Line:
    """The last line."""
    said = f"{count(len(decision.verdicts), 'entry')} {_DONE[verb]}"
    said += f", {len(decision.stopped)} with high findings" if decision.stopped else ""
    said += f", {decision.already} already" if decision.already else ""
    swept = sum(left.swept for left in decision.left_out)
    left_out = len(decision.left_out) - swept
    said += f", {left_out} left out" if left_out else ""
    said += f", {swept} denied as before" if swept else ""
    return line(said)
