"""Entries of the lock, in a list and whole."""

from collections.abc import Iterator, Sequence

from mcplock.changes import Change
from mcplock.jsontext import Json
from mcplock.model import Kind, Lock, Source, State
from mcplock.naming import Named, entries_of, typed
from mcplock.render.cells import cells
from mcplock.render.definition import definition_lines, first_line
from mcplock.render.document import VERSION, dump, finding_row
from mcplock.render.fields import field_lines
from mcplock.render.findings import finding_lines, finding_words
from mcplock.render.limits import cut
from mcplock.render.noise import without_noise
from mcplock.render.report import deny_hint, either_hint, invalid_hint, whole_server_hint
from mcplock.render.report_json import entry_row, place
from mcplock.render.source import source_diff
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import (
    STATE_STYLES,
    SUSPECTED,
    begin,
    column,
    name_cell,
)
from mcplock.render.wrap import marked, shown
from mcplock.text import visible
from mcplock.workflow.browse import View
from mcplock.workflow.decide import high_rules
from mcplock.workflow.review import invalid_because

_STATE = max(map(len, State))
_YOURS = Span(Style.DIM, "yours")
"""What comes from the user's own level and not from the project."""


def list_lines(views: Sequence[View], width: int | None, *, verbose: bool = False) -> list[Line]:
    """A line for each entry: state, name, and how it begins; None: no terminal bounds them."""
    wide = column(view.named.label for view in views)
    lines = []
    for view in views:
        entry = view.named.entry
        state = Span(STATE_STYLES[entry.state], f"{entry.state:<{_STATE}}")
        head = line(state, "  ", name_cell(view.named.label, wide), "  ")
        remark = _remark(view)
        head = (*head, *remark)
        words = finding_words(view.findings)
        if words.text and not verbose:
            lines.append((*head, words))
            continue
        room = None if width is None else width - _STATE - wide - 4 - _cells(remark)
        said = Span(Style.DIM, entry.hash) if verbose else Span(Style.PLAIN, _begins(view, room))
        lines.append((*head, said))
        lines += finding_lines(view.findings, "    ") if verbose else []
    return lines


def _remark(view: View) -> Line:
    """Whose it is, and what speaks against an approved tool although its text is approved."""
    yours = line(_YOURS, "  ") if view.yours else ()
    said = [f"not usable: {visible(view.barred)}"] if view.barred else []
    said += [SUSPECTED] if view.suspected else []
    return (*yours, *line(Span(Style.WARNING, "; ".join(said)), "  ")) if said else yours


def _cells(spans: Line) -> int:
    return sum(cells(span.text) for span in spans)


def _begins(view: View, room: int | None) -> str:
    """The first words of what an entry says."""
    content = view.named.entry.content
    said: Json = content
    if view.named.kind is Kind.SOURCE and content is not None:
        source = Source.of(content)
        said = " ".join([source.command, *source.args]) if source.command else source.url
    return begin(first_line(said), room)


def entry_lines(
    view: View, width: int, *, verbose: bool = False, quiet: bool = False
) -> list[Line]:
    """An entry whole: where it stands, what is odd, what it says; verbose: as it was sent.

    quiet: what only repeats the name or a default is counted, not told.
    """
    named = view.named
    style = STATE_STYLES[named.entry.state]
    head = line(Span(Style.NAME, named.label), "  ", Span(style, named.entry.state))
    lines = [(*head, Span(Style.PLAIN, "  "), _YOURS) if view.yours else head]
    lines += _facts(view)
    lines += finding_lines(view.findings, "  ")
    lines += _content_lines(named, width, quiet=quiet)
    if view.since:
        lines += _since(view.since, width)
    lines = lines if verbose else cut(lines, named.typed)
    if verbose and named.entry.content is not None:
        lines.append(line("  ", Span(Style.STRONG, "as it is locked:")))
        raw = dump(named.entry.content).rstrip("\n").split("\n")
        lines += [line("    ", *marked(text)) for text in raw]
    return lines


def _content_lines(named: Named, width: int, *, quiet: bool) -> list[Line]:
    content = named.entry.content
    if not (quiet and named.kind is Kind.TOOL and isinstance(content, dict)):
        return definition_lines(named.kind, named.entry, width)
    kept, left_out = without_noise(content)
    return definition_lines(named.kind, named.entry._replace(content=kept), width) + left_out


def comparable_lines(lock: Lock) -> list[Line]:
    """All of a lock, so that two of them can be compared line by line.

    No line depends on another entry, on the width of a screen or on what is found in a text,
    which the next version may find otherwise.
    """
    lines: list[Line] = []
    for named in entries_of(lock):
        lines += entry_lines(View(named, lock.servers[named.server]), _UNBROKEN)
    return lines


_UNBROKEN = 1 << 30


def _since(change: Change, width: int) -> Iterator[Line]:
    """What differs from what was approved, as far as that can be found."""
    old, new = change.old, change.new
    if old is None or new is None or old.content is None:
        said = "the approved text is neither in git nor on this machine: only its hash is known"
        yield line("  ", Span(Style.WARNING, said))
        return
    if new.content is None and isinstance(change.what, Kind):
        yield line("  ", Span(Style.STRONG, "what was approved:"))
        yield from definition_lines(change.what, old, width)
        return
    yield line("  ", Span(Style.STRONG, "since it was approved:"))
    if change.what is Kind.SOURCE:
        yield from source_diff(old.content, new.content, width)
    else:
        yield from field_lines(change.fields, width)


def _facts(view: View) -> Iterator[Line]:
    for name, value in _told(view):
        yield line("  ", Span(Style.DIM, f"{name} "), *marked(shown(value)))


def _told(view: View) -> Iterator[tuple[str, str]]:
    entry = view.named.entry
    yield "hash", entry.hash
    if entry.waits and entry.approved:
        yield "approved", f"{entry.approved[:19]}…, which is another text"
    if entry.denied is not None:
        yield "denied", entry.denied
    if entry.note is not None:
        yield "note", entry.note
    if entry.invalid:
        yield "invalid", f"{entry.invalid}: {invalid_because(entry)}"
    if entry.absent:
        yield "absent", "the server no longer lists it"
    if entry.confirm:
        yield "confirm", entry.confirm
    if view.named.kind is Kind.SOURCE and view.server.info:
        info = view.server.info
        protocol = f", protocol {view.server.protocol}" if view.server.protocol else ""
        yield "says", f"{info.name} {info.version}{protocol}"


def show_document(views: Sequence[View]) -> str:
    """What `show --json` prints: each entry whole; `content` is null where it has none."""
    return dump({"version": VERSION, "entries": [_row(view) for view in views]})


def _row(view: View) -> dict[str, Json]:
    row = place(view.named) | entry_row(view.named.entry)
    if view.yours:
        row["yours"] = True
    row["findings"] = [finding_row(finding) for finding in view.findings]
    row["content"] = view.named.entry.content
    return row


def show_hints(views: Sequence[View]) -> list[str]:
    """How to decide on what was just looked at; what has a `high` finding leads to a no."""
    waiting = [view for view in views if view.named.entry.waits and not view.named.entry.invalid]
    if not waiting:
        return [invalid_hint(view.named) for view in views if view.named.entry.waits][:1]
    for view in waiting:
        if high_rules(view.findings):
            return [deny_hint(view.named)]
    if _is_new_server(waiting):
        return [whole_server_hint(typed(waiting[0].named.server))]
    which = "this text" if len(waiting) == 1 else f"the first of these {len(waiting)} texts"
    return [either_hint(waiting[0].named, which)]


def _is_new_server(waiting: Sequence[View]) -> bool:
    first = waiting[0].named
    several = len(waiting) > 1 and len({view.named.server for view in waiting}) == 1
    return several and first.kind is Kind.SOURCE and first.entry.state is State.NEW
