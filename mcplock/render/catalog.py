"""Servers that are new, or gone, as a whole."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mcplock.audit import Severity
from mcplock.changes import Change, ChangeKind
from mcplock.model import Kind
from mcplock.render.cells import cells
from mcplock.render.definition import definition_lines, first_line
from mcplock.render.findings import finding_lines
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import clip, column, count, name_cell
from mcplock.render.wrap import marked, shown


@dataclass(frozen=True, slots=True)
class WholeServer:
    """A server that came or went: the change of its source, and those of all else in it."""

    source: Change
    entries: Sequence[Change]

    @property
    def is_gone(self) -> bool:
        """Whether it went."""
        return self.source.kind is ChangeKind.REMOVED


def whole_servers(changes: Sequence[Change]) -> tuple[list[WholeServer], list[Change]]:
    """The servers that came or went, and all changes that are not of those."""
    of_server: dict[tuple[str, ChangeKind], tuple[Change, list[Change]]] = {
        (change.server, change.kind): (change, [])
        for change in changes
        if change.what is Kind.SOURCE and change.kind in (ChangeKind.ADDED, ChangeKind.REMOVED)
    }
    others: list[Change] = []
    for change in changes:
        whole = of_server.get((change.server, change.kind))
        if whole is None:
            others.append(change)
        elif change is not whole[0]:
            whole[1].append(change)
    return [WholeServer(source, entries) for source, entries in of_server.values()], others


def server_lines(server: WholeServer, others: Sequence[WholeServer], width: int) -> Iterator[Line]:
    """A summary; of a new one also how it is reached, and each definition on a line.

    others: all servers that came or went. What a new server has from one that is gone and was
    reached in the same way is only counted: it got another name.
    """
    sign, style = ("-", Style.REMOVED) if server.is_gone else ("+", Style.ADDED)
    name = marked(shown(server.source.server), Style.NAME)
    denied = sum(_is_denied(change) for change in (server.source, *server.entries))
    counted = _counted(server.entries) + (f", {denied:,} denied" if denied else "")
    yield line(
        Span(style, f"{sign} "), *name, f"  {'gone' if server.is_gone else 'new'}: {counted}"
    )
    if server.is_gone or server.source.new is None:
        return
    yield from finding_lines(server.source.findings, "  ")
    yield from definition_lines(Kind.SOURCE, server.source.new, width)
    fresh = list(server.entries)
    for old in others:
        if old.is_gone and _hash(old.source) == server.source.new.hash:
            fresh = _without_known(server.entries, old.entries)
            total = len(server.entries)
            yield line(
                "    perhaps ",
                *marked(shown(old.source.server), Style.NAME),
                f" under another name: reached in the same way, {total - len(fresh)} of {total}"
                f" entries identical; {_still_denied(server)}",
            )
    yield from _rows(fresh, width)


def _counted(entries: Sequence[Change]) -> str:
    kinds = Counter(change.what.value for change in entries if isinstance(change.what, Kind))
    kinds.pop(Kind.INSTRUCTIONS.value, None)
    return ", ".join(count(number, kind) for kind, number in kinds.items()) or "no tools"


def _still_denied(server: WholeServer) -> str:
    if any(_is_denied(change) for change in (server.source, *server.entries)):
        return "what was denied stays denied, all else needs review"
    return "all need review"


def _is_denied(change: Change) -> bool:
    entry = change.new or change.old
    return entry is not None and entry.denied is not None


def _hash(change: Change) -> str | None:
    entry = change.new or change.old
    return entry.hash if entry else None


def _without_known(entries: Sequence[Change], known: Sequence[Change]) -> list[Change]:
    had = {(change.what, change.name, _hash(change)) for change in known}
    return [change for change in entries if (change.what, change.name, _hash(change)) not in had]


def _rows(entries: Sequence[Change], width: int) -> Iterator[Line]:
    names = [_row_name(change) for change in entries]
    wide = column(names)
    for name, change in zip(names, entries, strict=True):
        why = _barred(change)
        room = width - 6 - max(wide, cells(name)) - cells(why.text)
        text = clip(first_line(change.new.content if change.new else None), max(8, room))
        sign = Span(Style.ADDED, "+ ")
        yield line("  ", sign, name_cell(name, wide), "  ", why, *marked(text))
        grave = [found for found in change.findings if found.severity in _GRAVE]
        yield from finding_lines(grave, "    ")


def _barred(change: Change) -> Span:
    """Why it can be neither exported nor approved, where it can be neither."""
    entry = change.new
    if entry and entry.denied is not None:
        return Span(Style.WARNING, f"(denied: {shown(entry.denied)})  ")
    return Span(Style.WARNING, f"(invalid: {entry.invalid})  " if entry and entry.invalid else "")


_GRAVE = (Severity.HIGH, Severity.MEDIUM)


def _row_name(change: Change) -> str:
    match change.what:
        case Kind.TOOL:
            return shown(change.name)
        case Kind():
            return f"{change.what.value}:{shown(change.name)}" if change.name else change.what.value
        case _:
            return change.what
