"""Decisions as text."""

from collections.abc import Sequence

from mcplock.model import State
from mcplock.render.findings import finding_lines, finding_words
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import STATE_STYLES, column, count, hint_line, name_cell
from mcplock.text import visible
from mcplock.workflow.decide import Decision, LeftOut, Verdict

WHY = "Why is it right in spite of that? (nothing: it is not) "
"""What is asked of whoever approves what has a `high` finding."""

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
        told = (_unasked(verdict), _forgotten(verdict), finding_words(verdict.findings))
        lines.append(line("  ", name, words, *told))
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
        told = _becomes(verdict) if verb == "reset" else _unasked(verdict)
        lines.append(line(*words, "  ", told, finding_words(verdict.findings)))
    return lines + left_out_lines(decision.left_out)


def _unasked(verdict: Verdict) -> str:
    """What a person must see before anything else: nobody will be asked before a call."""
    return "agents call it unasked  " if verdict.after and verdict.after.confirm else ""


def _becomes(verdict: Verdict) -> str:
    """Where what was reset stands now."""
    now = f"now: {verdict.after.state}" if verdict.after else "now: out of the lock"
    forgotten = _forgotten(verdict)
    return f"{now}; {forgotten}" if forgotten else f"{now}  "


def _forgotten(verdict: Verdict) -> str:
    """What can be compared no more: the text that was approved before this one."""
    before, after = verdict.named.entry, verdict.after
    if before.state is not State.CHANGED or after is None or after.approved is not None:
        return ""
    return f"its approval of {visible((before.approved or '')[:19])} is forgotten  "


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
