"""What `review` shows: a page for each thing to decide, and the lines above and below it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import assert_never

from mcplock.changes import Change, ChangeKind, Impact
from mcplock.model import Kind, Lock, Source, State
from mcplock.naming import Named, entries_of
from mcplock.render.cells import cells
from mcplock.render.decision import WHY
from mcplock.render.definition import definition_lines
from mcplock.render.diff import difference_lines
from mcplock.render.entry import entry_lines
from mcplock.render.findings import finding_lines
from mcplock.render.grouping import Group, explanation, grouped, is_explained
from mcplock.render.launch import launch_lines
from mcplock.render.spans import Line, Span, Style, line
from mcplock.render.terms import STATE_STYLES, clip, count
from mcplock.render.wrap import fold, marked, shown
from mcplock.text import visible
from mcplock.workflow.browse import View
from mcplock.workflow.confirming import Preselect
from mcplock.workflow.decide import high_rules
from mcplock.workflow.review import invalid_because
from mcplock.workflow.reviewing import Extent, Fate, Mode, Page, Question, Review

_KEYS = (  # as many words as there is room for
    "a approve  d deny  s skip  {A rest  }v whole  p previous  q quit  ? help",
    "a approve  d deny  s skip  {A rest  }v  p  q  ? help",
    "a d s {A }v p q  ? help",
)
_KEYS_OF = {
    Mode.HELP: ("any key goes back",),
    Mode.REST: ("space goes on  Esc goes back",),
}
_HELP = (
    ("a", "approve it, as it is shown; what has a high finding needs a word why"),
    ("A", "approve all of this server that is undecided, but for high findings"),
    ("d", "deny it, whatever it becomes, and say why"),
    ("s", "skip it: it stays as it is; so do the space bar and Enter at its end"),
    ("v", "show the whole definition, or the difference again"),
    ("p", "go back to the previous one; what was decided can be decided anew"),
    ("q", "quit; every decision is saved as soon as it is taken"),
    ("↑ ↓", "scroll by a row, as k and j do; PgUp, PgDn, Home and End by more"),
    ("?", "this help"),
)
_FATES = {
    Fate.APPROVED: Span(Style.ADDED, "approved just now"),
    Fate.DENIED: Span(Style.HIGH, "denied just now"),
    Fate.SKIPPED: Span(Style.DIM, "skipped"),
    Fate.MOVED: Span(Style.WARNING, "changed meanwhile, not decided"),
}


def pages_of(
    changes: Sequence[Change], entries: Sequence[Named], preselect: Preselect
) -> list[Page]:
    """`changes` of `entries` in the order of review; the same edit of many is one page.

    What has a `high` finding comes first, then what changed, the odd ones before the edits
    of many; then what is new; then what seems to be of the machine, or of white space, alone.
    """
    by_key = {named.key: named for named in entries}
    return [_page(group, by_key, preselect) for group in sorted(grouped(changes), key=_rank)]


def _rank(group: Group) -> tuple[bool, bool, bool]:
    change = group.first
    return not high_rules(change.findings), is_explained(change), change.old is None


def _page(group: Group, by_key: dict[tuple[str, Kind, str], Named], preselect: Preselect) -> Page:
    entries = [by_key[change.server, Kind(change.what), change.name] for change in group.changes]
    unasked = any(preselect(named) for named in entries)
    others = group.changes[1:] if explanation(group.first) else group.others
    return Page(entries, group.first, unasked, others)


# ---- above and below


def head_line(review: Review) -> Line:
    """Where the review is, and what is looked at."""
    page, total = review.page, len(review.pages)
    if review.mode is Mode.REST:
        name = Span(Style.NAME, visible(page.server))
        return line(Span(Style.STRONG, "approve the rest of "), name)
    position = Span(Style.STRONG, f"{review.at + 1}/{total}  ")
    fate = review.fates.get(review.at)
    told = ("  ", _FATES[fate]) if fate else ()
    named = page.entries[0]
    state = Span(STATE_STYLES[named.entry.state], f"  {named.entry.state}")
    breaks = Span(Style.WARNING, "  (breaking)" if _breaks(page.change) else "")
    if len(page.entries) > 1:
        what = f"  {count(len(page.entries), named.kind.value)} {_common(page.change)}"
        name = Span(Style.NAME, visible(page.server))
        return line(position, name, what, state, breaks, *told)
    return line(position, *marked(shown(named.plain), Style.NAME), state, breaks, *told)


def _common(change: Change) -> str:
    """What a page of several entries has in common, in words."""
    found = explanation(change)
    return f"that seem to differ only in {found}" if found else "with the same edit"


def _breaks(change: Change) -> bool:
    """Whether a caller that knew the approved text fails by the new one."""
    return change.kind is ChangeKind.CHANGED and change.impact is Impact.BREAKING


def foot_line(review: Review, extent: Extent, width: int) -> Line:
    """The keys, or what there is to be said; and where in a long text the screen is."""
    if review.question:
        return line()
    if review.said:
        return line(Span(Style.WARNING, clip(review.said, width)))
    where = ""
    if extent.lowest:
        more = "↓ more" if review.top < extent.lowest else "end"
        where = f"  {review.top + extent.height}/{extent.rows} {more}"
    offered = list(_keys(review))
    keys = next((keys for keys in offered if cells(keys + where) <= width), offered[-1])
    return line(Span(Style.DIM, keys), Span(Style.STRONG, where))


def _keys(review: Review) -> Iterator[str]:
    """The keys, in fewer and fewer words; `A` where it would approve more than what is shown."""
    more = set(review.rest) - {review.at}
    for keys in _KEYS_OF.get(review.mode, _KEYS):
        before, brace, rest = keys.partition("{")
        offered, _, after = rest.partition("}")
        yield before + (offered if more else "") + after if brace else keys


def prompt(review: Review) -> str:
    """What is asked for in a line of text; "" where nothing is."""
    match review.question:
        case None:
            return ""
        case Question.REASON:
            return "Why is it denied? (nothing: it is not) "
        case Question.NOTE:
            return WHY
        case Question.REST:
            number = sum(len(review.pages[at].entries) for at in review.rest)
            return f"Approve {count(number, 'entry')}, read or not? Type yes: "
        case _ as never:
            assert_never(never)


def summary_line(review: Review, now: Lock | None = None) -> Line:
    """What came of it, by entries; now: the lock, which others may have written meanwhile."""
    fates: Counter[Fate | None] = Counter()
    for at, page in enumerate(review.pages):
        fates[review.fates.get(at)] += len(page.entries)
    said = [f"{fates[fate]} {fate}" for fate in (Fate.APPROVED, Fate.DENIED) if fates[fate]]
    left = fates[Fate.SKIPPED] + fates[Fate.MOVED] + fates[None]
    if now is not None:
        waiting = {named.key for named in entries_of(now) if named.entry.waits}
        left = sum(named.key in waiting for page in review.pages for named in page.entries)
    said += [f"{left} left to review"] if left else []
    return line(", ".join(said))


# ---- the page


def body_lines(review: Review, lock: Lock, width: int) -> list[Line]:
    """What stands between head and foot."""
    match review.mode:
        case Mode.PAGE:
            return [row for spans in _page_lines(review.page, width) for row in fold(spans, width)]
        case Mode.WHOLE:
            return list(_whole_lines(review.page, lock, width))
        case Mode.HELP:
            return [line("  ", Span(Style.NAME, f"{key:<5}"), said) for key, said in _HELP]
        case Mode.REST:
            return list(_rest_lines(review, lock))
        case _ as never:
            assert_never(never)


def _page_lines(page: Page, width: int) -> Iterator[Line]:
    yield from finding_lines(page.change.findings, "  ")
    if page.invalid:
        said = f"  ! it cannot be approved, for {invalid_because(page.entries[0].entry)}"
        yield line(Span(Style.WARNING, said))
    if page.unasked and not page.invalid:
        said = "  ! approved, agents call it without asking a person: so says `policy.confirm`"
        yield line(Span(Style.WARNING, said))
    if len(page.entries) > 1:
        yield from _names(page, width)
    yield from _text(page.change, width)
    for change in page.others:
        yield line()
        yield line("  ", *marked(shown(change.name), Style.NAME), ":")
        yield from _text(change, width)


def _names(page: Page, width: int) -> Iterator[Line]:
    """Which entries got the edit, and whether all of them are shown."""
    names: list[Span] = [Span(Style.PLAIN, "  ")]
    for named in page.entries:
        names += [*marked(shown(named.name), Style.NAME), Span(Style.PLAIN, ", ")]
    yield from fold(tuple(names[:-1]), width, hang=2)
    yield line()
    said = "  each of them by itself, first " if page.others else "  shown for the first of them, "
    yield line(said, *marked(shown(page.change.name), Style.NAME), ":")


def _text(change: Change, width: int) -> Iterator[Line]:
    """The difference, or where nothing was approved before, all that it says."""
    entry = change.new
    if entry is None or not isinstance(change.what, Kind):
        return
    if change.what is Kind.SOURCE and change.kind is ChangeKind.CHANGED:
        if isinstance(entry.content, dict):
            yield from launch_lines(Source.of(entry.content))
        yield line()
        yield line("  since it was approved:")
        yield from difference_lines(change, width)
    elif change.kind is ChangeKind.CHANGED:
        yield from difference_lines(change, width)
    else:
        yield from definition_lines(change.what, entry, width, brief=True)


def _whole_lines(page: Page, lock: Lock, width: int) -> Iterator[Line]:
    for named in page.entries:
        findings = page.change.findings if named is page.entries[0] else ()
        yield from entry_lines(View(named, lock.servers[named.server], findings), width)
        yield line()


def _rest_lines(review: Review, lock: Lock) -> Iterator[Line]:
    """What would be approved at once, and what would not."""
    kept = [review.pages[at] for at in review.undecided if review.pages[at].high]
    if kept:
        labels = ", ".join(named.label for page in kept for named in page.entries)
        yield line("  not with them, for high findings: ", labels)
    odd = [review.pages[at] for at in review.undecided if review.pages[at].invalid]
    if odd:
        labels = ", ".join(named.label for page in odd for named in page.entries)
        yield line("  not with them, for they are invalid: ", labels)
    yield from _unusable(review, lock)
    number = sum(len(review.pages[at].entries) for at in review.rest)
    name = Span(Style.NAME, visible(review.page.server))
    yield line(f"  {count(number, 'entry')} of ", name, ", undecided so far:")
    for at in review.rest:
        for named in review.pages[at].entries:
            state = named.entry.state
            fate = ("  ", _FATES[review.fates[at]]) if at in review.fates else ()
            name = Span(Style.NAME, named.label)
            yield line("    ", name, Span(STATE_STYLES[state], f"  {state}"), *fate)


def _unusable(review: Review, lock: Lock) -> Iterator[Line]:
    """That all of it is of no use, where the source of the server stays as it is."""
    server = review.page.server
    source = Named(server, Kind.SOURCE, "", lock.servers[server].source)
    now = review.current.get(source.key, source).entry.state
    approved = {named.key for at in review.rest for named in review.pages[at].entries}
    if now is not State.APPROVED and source.key not in approved:
        said = f", the source, stays {now}: no tool of it is usable before that is approved"
        yield line("  ", Span(Style.NAME, source.label), Span(Style.WARNING, said))
