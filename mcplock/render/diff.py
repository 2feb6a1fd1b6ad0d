"""The rug-pull diff: changes -> styled lines."""

from collections.abc import Iterator, Mapping, Sequence

from mcplock.audit import Finding, Severity
from mcplock.changes import (
    DECISIONS,
    POLICY,
    RESEMBLES,
    Change,
    ChangeKind,
    Impact,
    Missing,
    compare_entries,
)
from mcplock.model import Entry, Kind, State
from mcplock.naming import label, typed
from mcplock.pointers import steps
from mcplock.render.catalog import server_lines, whole_servers
from mcplock.render.definition import definition_lines
from mcplock.render.fields import field_lines
from mcplock.render.findings import finding_lines
from mcplock.render.grouping import Group, explanation, grouped
from mcplock.render.limits import cut
from mcplock.render.raw import raw_diff, raw_lines
from mcplock.render.source import source_diff
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import clip
from mcplock.render.wrap import fold, marked, shown

_SIGNS = {
    ChangeKind.ADDED: ("+", Style.ADDED),
    ChangeKind.REMOVED: ("-", Style.REMOVED),
}
_CHANGED = ("~", Style.CHANGED)


def render_changes(
    changes: Sequence[Change], width: int = 80, *, whole: bool = False, singly: bool = False
) -> list[Line]:
    """`changes` for a person to judge, `width` cells wide, what is suspicious first.

    An edit that many entries of a server have in common is shown once. Of a server that is
    new or gone there is a summary, each definition on a line; singly: there is none; whole: show
    all of it.
    """
    servers, others = ([], list(changes)) if whole or singly else whole_servers(changes)
    gone = {_key(change): change for change in others if change.kind is ChangeKind.REMOVED}
    groups = [(group, list(_group(group, gone, width, whole=whole))) for group in grouped(others)]
    blocks = [lines if whole else _cut(group, lines) for group, lines in groups]
    blocks += [list(server_lines(server, servers, width)) for server in servers]
    lines: list[Line] = []
    for before, block in zip([[], *blocks], blocks, strict=False):
        if len(before) > 1 or (before and len(block) > 1):
            lines.append(line())
        lines += block
    if lines:
        lines.append(line())
    return [row for spans in lines for row in fold(spans, width)]


def _cut(group: Group, lines: Sequence[Line]) -> list[Line]:
    if group.others:  # each of them is cut by itself
        return list(lines)
    return cut(lines, typed(_name(group.first)))


_Key = tuple[str, str, str]


def _key(change: Change) -> _Key:
    return change.server, str(change.what), change.name


def _forerunner(change: Change, gone: Mapping[_Key, Change]) -> Change | None:
    """What is gone and resembles what this change adds."""
    if change.kind is not ChangeKind.ADDED or not change.renamed_from:
        return None
    return gone.get((change.server, str(change.what), change.renamed_from))


def _group(group: Group, gone: Mapping[_Key, Change], width: int, *, whole: bool) -> Iterator[Line]:
    change = group.first
    if len(group.changes) > 1:
        decided = change.kind in DECISIONS
        yield from _group_head(group, None if whole or decided else _MOST_NAMES)
    else:
        yield _head(change)
    forerunner = _forerunner(change, gone)
    yield from finding_lines(_telling(change, compared=forerunner is not None), "  ")
    yield from difference_lines(change, width, forerunner)
    for other in group.others:
        yield line("  ", *marked(shown(other.name), Style.NAME), ":")
        lines = list(difference_lines(other, width))
        yield from lines if whole else cut(lines, typed(_name(other)))


def difference_lines(
    change: Change, width: int, forerunner: Change | None = None
) -> Iterator[Line]:
    """What a change says, without its first line and its findings.

    forerunner: what is gone and resembles what this change adds.
    """
    match change.kind:
        case ChangeKind.ADDED if forerunner:
            yield from _resemblance(forerunner, change, width)
        case ChangeKind.ADDED if change.new and isinstance(change.what, Kind):
            yield from definition_lines(change.what, change.new, width)
        case ChangeKind.APPROVED if change.new and _is_first_text(change):
            yield from definition_lines(Kind(change.what), change.new, width)
        case ChangeKind.CHANGED if change.what is Kind.SOURCE and change.old and change.new:
            yield from source_diff(change.old.content, change.new.content, width)
        case ChangeKind.CHANGED | ChangeKind.APPROVED:
            is_known = all(Missing.UNKNOWN not in (f.old, f.new) for f in change.fields)
            told = field_lines(change.fields, width) if is_known else _unknown(change, width)
            yield from told
        case _:
            pass


def _is_first_text(change: Change) -> bool:
    """Whether nothing of the entry was approved before, so that all its text is new."""
    return any(not f.pointer and f.old is Missing.ABSENT for f in change.fields)


def _unknown(change: Change, width: int) -> Iterator[Line]:
    """A change of which one content is not known."""
    old = change.old.content if change.old else None
    if change.new and change.new.raw:
        told = raw_lines(change.new, width) if old is None else raw_diff(old, change.new, width)
        yield from told
    elif change.new and change.new.content is None:
        yield line("    the new content cannot be shown: only its hash is known")
        if old is not None and change.old and isinstance(change.what, Kind):
            yield line("    this is the old one:")
            yield from definition_lines(change.what, change.old, width)
    elif change.new:
        yield line("    only the hash of the old content is known; this is the new one:")
        yield from definition_lines(Kind(change.what), change.new, width)


def _resemblance(gone: Change, came: Change, width: int) -> Iterator[Line]:
    """What is new, told as what differs from what it resembles."""
    name = marked(change_label(gone), Style.NAME)
    yield line("  resembles ", *name, ", which is gone; compared with it:")
    compared = compare_entries(came.server, Kind(came.what), came.name, gone.old, came.new)
    names = (gone.name, came.name)
    fields = [field for field in compared.fields if (field.old, field.new) != names]
    yield from field_lines(fields, width)


def _telling(change: Change, *, compared: bool) -> list[Finding]:
    """The findings that say something about the change, and that nothing else says."""
    telling = [
        finding
        for finding in change.findings
        if (change.kind is ChangeKind.ADDED or finding.severity is not Severity.LOW)
        and not (compared and finding.rule == RESEMBLES)
    ]
    return sorted(telling, key=lambda finding: _WEIGHT.index(finding.severity))


_WEIGHT = tuple(Severity)


def change_label(change: Change) -> str:
    """The word that names the entry, safe to print."""
    return shown(_name(change))


def _name(change: Change) -> str:
    if change.entry:
        return label(change.server, change.entry, change.name)
    return change.server if change.of else str(change.what)


# ---- the first line


def _head(change: Change) -> Line:
    sign, style = _SIGNS.get(change.kind, _CHANGED)
    name = marked(change_label(change), Style.NAME)
    return line(Span(style, f"{sign} "), *name, f"  {_said(change)}", *_asides(change))


def _group_head(group: Group, most: int | None) -> Iterator[Line]:
    """What is told of all of a group; most: how many of its names, None for all."""
    first, total = group.first, len(group.changes)
    kind = first.what.value if isinstance(first.what, Kind) else first.what
    yield line(
        Span(Style.CHANGED, "~ "),
        *marked(shown(first.server), Style.NAME),
        f"  {_common(group, kind)}",
        *_asides(first),
    )
    names: list[Span] = [Span(Style.PLAIN, "      ")]
    for change in group.changes[:most]:
        names += [*marked(shown(change.name), Style.NAME), Span(Style.PLAIN, ", ")]
    more = total - len(group.changes[:most])
    yield (*names[:-1], Span(Style.PLAIN, f" and {more} more")) if more else tuple(names[:-1])


_MOST_NAMES = 12


def _common(group: Group, kind: str) -> str:
    """What is the same in all of a group, in words."""
    first = group.first
    if first.kind is ChangeKind.APPROVED and first.new:
        return f"approved{_note(first.new)}: {_edited(group, kind)}"
    return _edited(group, kind)


def _edited(group: Group, kind: str) -> str:
    first, total = group.first, len(group.changes)
    how = "each shown" if group.others else "shown for the first"
    if found := explanation(first):
        return f"{total} {kind}s seem to differ only in {found}, {how}"
    return f"the same edit in {total} {kind}s, {how}: {', '.join(_places(first))}"


def _said(change: Change) -> str:
    match change.kind:
        case ChangeKind.RENAMED:
            old = shown(change.renamed_from)
            return f"renamed from {old}, otherwise identical: needs review"
        case ChangeKind.CHANGED if change.what == POLICY:
            return f"policy changed{_asking(change)}"
        case ChangeKind.CHANGED:
            places = _places(change)
            what = "source changed" if change.what is Kind.SOURCE else "changed"
            return f"{what}: {', '.join(places)}" if places else what
        case ChangeKind.DENIED if change.new:
            return f"denied: {shown(change.new.denied or '')}"
        case ChangeKind.APPROVED if change.new:
            return f"approved {shown((change.new.approved or '')[:19])}{_note(change.new)}"
        case ChangeKind.RESET:
            return "reset: " + _lifted(change)
        case _:
            return change.kind.value


def _places(change: Change) -> list[str]:
    """The keys of the content below which something differs."""
    paths = [steps(field.pointer) for field in change.fields]
    keys = list(dict.fromkeys(clip(shown(path[0]), _WIDEST_KEY) for path in paths if path))
    more = [f"{len(keys) - _MOST_KEYS} more"] if len(keys) > _MOST_KEYS else []
    return keys[:_MOST_KEYS] + more


_WIDEST_KEY = 40
_MOST_KEYS = 8


def _note(entry: Entry) -> str:
    return f" ({shown(entry.note)})" if entry.note else ""


def _asking(change: Change) -> str:
    """What a decision on `confirm` means, in the words of `approve`."""
    for field in change.fields:
        if field.pointer == "/confirm":
            unasked = field.new != Missing.ABSENT
            return ": agents call it unasked" if unasked else ": a person is asked again"
    return ""


def _lifted(change: Change) -> str:
    return "no longer denied" if change.old and change.old.denied is not None else "not approved"


def _asides(change: Change) -> list[Span]:
    """What of a change is to be known before it is read."""
    asides: list[Span] = []
    if change.kind in DECISIONS:
        return asides
    if change.state in (State.DENIED, State.INVALID):
        why = f": {change.new.invalid}" if change.new and change.new.invalid else ""
        asides.append(Span(Style.WARNING, f"  ({change.state}{why})"))
    if change.impact is Impact.BREAKING:
        asides.append(Span(Style.WARNING, "  (breaking)"))
    return asides
