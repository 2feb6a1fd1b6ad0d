"""The rug-pull diff: changes -> styled lines."""

from collections.abc import Iterator, Sequence

from mcplock.audit import Finding, Severity
from mcplock.changes import Change, ChangeKind, Impact
from mcplock.model import Kind
from mcplock.naming import label
from mcplock.pointers import steps
from mcplock.render.definition import definition_lines
from mcplock.render.fields import field_lines
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.wrap import marked, shown

_SIGNS = {
    ChangeKind.ADDED: ("+", Style.ADDED),
    ChangeKind.REMOVED: ("-", Style.REMOVED),
}


def render_changes(changes: Sequence[Change], width: int = 80) -> list[Line]:
    """`changes` for a person to judge, `width` cells wide."""
    lines: list[Line] = []
    for change in changes:
        lines += [*_change(change, width), line()]
    return lines


def _change(change: Change, width: int) -> Iterator[Line]:
    yield _head(change)
    yield from _findings(change.findings)
    match change.kind:
        case ChangeKind.ADDED if change.new and isinstance(change.what, Kind):
            yield from definition_lines(change.what, change.new, width)
        case ChangeKind.CHANGED:
            yield from field_lines(change.fields, width)
        case _:
            pass


def _head(change: Change) -> Line:
    sign, style = _SIGNS.get(change.kind, ("~", Style.CHANGED))
    name = label(change.server, Kind(change.what), change.name)
    said = [f"  {change.kind}"]
    if change.kind is ChangeKind.RENAMED:
        said = [f"  renamed from {shown(change.renamed_from)}, otherwise identical; needs review"]
    if change.kind is ChangeKind.CHANGED:
        keys = dict.fromkeys(path[0] for field in change.fields if (path := steps(field.pointer)))
        said = [f"  changed: {', '.join(map(shown, keys))}"] if keys else said
    spans: list[Span | str] = [Span(style, f"{sign} "), *marked(shown(name), Style.NAME), *said]
    if change.impact is Impact.BREAKING:
        spans.append(Span(Style.WARNING, "  breaking"))
    return line(*spans)


_WEIGHT = {
    Severity.HIGH: Style.HIGH,
    Severity.MEDIUM: Style.WARNING,
    Severity.LOW: Style.DIM,
    Severity.INFO: Style.DIM,
}


def _findings(findings: Sequence[Finding]) -> Iterator[Line]:
    for finding in findings:
        place = f"  {shown(finding.pointer)}" if finding.pointer else ""
        yield line(
            "  ",
            Span(_WEIGHT[finding.severity], f"! {finding.severity}  {finding.message}"),
            Span(Style.DIM, place),
        )
