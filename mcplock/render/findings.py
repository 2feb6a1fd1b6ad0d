"""Findings of the lints, as lines and as words."""

from collections.abc import Sequence

from mcplock.audit import Finding, Severity
from mcplock.render.spans import Line, Span, Style, line
from mcplock.text import visible

_SEVERITY_STYLES = {
    Severity.HIGH: Style.HIGH,
    Severity.MEDIUM: Style.WARNING,
    Severity.LOW: Style.DIM,
    Severity.INFO: Style.DIM,
}


def finding_lines(findings: Sequence[Finding], indent: str) -> list[Line]:
    """Each finding on a line of its own."""
    return [
        line(
            indent,
            Span(Style.WARNING, "! "),
            Span(_SEVERITY_STYLES[finding.severity], f"{finding.severity:<6} "),
            f"{finding.rule}: {finding.message}",
            Span(Style.DIM, f"  {visible(finding.pointer)}" if finding.pointer else ""),
        )
        for finding in findings
    ]


def finding_words(findings: Sequence[Finding]) -> Span:
    """The gravest rules in a few words, such as `high: mixed-script`; what is low is left out."""
    for severity in (Severity.HIGH, Severity.MEDIUM):
        rules = dict.fromkeys(f.rule for f in findings if f.severity is severity)
        if rules:
            return Span(_SEVERITY_STYLES[severity], f"{severity}: {', '.join(rules)}")
    return Span(Style.PLAIN, "")
