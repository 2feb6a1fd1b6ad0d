"""A review as a state: keys and answers go in; the next state and what is decided come out."""

from collections.abc import Mapping, Sequence
from enum import Enum, StrEnum
from typing import TypeAlias, assert_never

from mcplock.changes import Change
from mcplock.naming import Named
from mcplock.records import NamedTuple
from mcplock.workflow.confirming import Preselect
from mcplock.workflow.decide import (
    Decision,
    Judge,
    LeftOut,
    Verdict,
    approval,
    deny,
    hidden_in,
    high_rules,
)


class Page(NamedTuple):
    """What is decided at once: one entry, or several that got the same edit.

    change: of the first of `entries`, the one that is shown; unasked: whether an approval
    lets agents call it without asking a person; others: the changes of the other entries,
    where what they have in common does not tell all of them.
    """

    entries: Sequence[Named]
    change: Change
    unasked: bool = False
    others: Sequence[Change] = ()

    @property
    def server(self) -> str:
        """The server that all of them are of."""
        return self.entries[0].server

    @property
    def high(self) -> Sequence[str]:
        """The rules of its `high` findings."""
        return high_rules(self.change.findings)

    @property
    def invalid(self) -> bool:
        """Whether it cannot be approved, whoever read it."""
        return any(named.entry.invalid for named in self.entries)


class Fate(StrEnum):
    """What became of a page; `moved`: another writer was faster, so nothing was decided."""

    APPROVED = "approved"
    DENIED = "denied"
    SKIPPED = "skipped"
    MOVED = "moved"


class Mode(Enum):
    """What is on the screen."""

    PAGE = "page"
    WHOLE = "whole"
    HELP = "help"
    REST = "what `A` would approve"


class Question(Enum):
    """What a line of text is asked for."""

    REASON = "why it is denied"
    NOTE = "why it is approved in spite of its findings"
    REST = "whether the rest of a server is approved"


class Extent(NamedTuple):
    """How many rows the text has, and how many of them the screen holds."""

    rows: int
    height: int

    @property
    def lowest(self) -> int:
        """The last row that may be the first one on the screen."""
        return max(0, self.rows - self.height)


class Choice(NamedTuple):
    """A decision on the pages at these positions; text: the reason, or the note if any."""

    fate: Fate
    pages: Sequence[int]
    text: str | None = None


class Review(NamedTuple):
    """Where a review stands.

    at: the position of the page; fates: by position; current: entries that were decided, as
    the lock has them now; top: the first row that is shown; seen: how many rows from the
    first on were on the screen; read: whether all were; said: a line for the reader; over:
    whether it has ended.
    """

    pages: Sequence[Page]
    at: int = 0
    fates: Mapping[int, Fate] = {}
    current: Mapping[tuple[object, ...], Named] = {}
    mode: Mode = Mode.PAGE
    top: int = 0
    seen: int = 0
    read: bool = False
    said: str = ""
    question: Question | None = None
    over: bool = False

    @property
    def page(self) -> Page:
        """The page that is looked at."""
        return self.pages[self.at]

    @property
    def rest(self) -> list[int]:
        """What `A` would approve: of this server, undecided or skipped, nothing odd."""
        pages = self.pages
        return [at for at in self.undecided if not (pages[at].high or pages[at].invalid)]

    @property
    def undecided(self) -> list[int]:
        """The pages of this server that are as they were: what was skipped is among them."""
        return [
            at
            for at, page in enumerate(self.pages)
            if page.server == self.page.server and self.fates.get(at, Fate.SKIPPED) is Fate.SKIPPED
        ]


Step: TypeAlias = tuple[Review, Choice | None]


def press(review: Review, key: str, extent: Extent) -> Step:
    """What a key does; `extent`: of what was on the screen when it was pressed.

    Any key leaves the help, and does nothing else.
    """
    if review.mode is Mode.HELP:
        return _toggled(review, Mode.HELP), None
    top = min(review.top, extent.lowest)
    seen = review.seen
    if top <= seen:  # what was jumped over was not seen
        seen = max(seen, top + extent.height)
    now = review._replace(top=top, seen=seen, said="")
    if now.mode is Mode.REST:
        return _in_list(now, key, extent), None
    return _on_page(now._replace(read=now.read or seen >= extent.rows), key, extent)


def _on_page(now: Review, key: str, extent: Extent) -> Step:
    if (moved := _scrolled(key, now.top, extent)) is not None:
        return now._replace(top=moved), None
    match key:
        case "a":
            return _approve(now, extent)
        case "d":
            return now._replace(question=Question.REASON), None
        case "A":
            return _approve_rest(now), None
        case "s":
            return _skipped(now), None
        case " " | "enter":
            return _down_or_skipped(now, extent), None
        case "v":
            return _toggled(now, Mode.WHOLE), None
        case "?":
            return _toggled(now, Mode.HELP), None
        case "p":
            return _back(now), None
        case "q":
            return now._replace(over=True), None
        case _:
            return now, None


def resized(review: Review) -> Review:
    """The review where the screen has another size: rows that were seen are others now."""
    return review._replace(seen=0)


def asked(review: Review, extent: Extent) -> Review:
    """Ask about the list of what `A` would approve, once its end is on the screen."""
    unseen = review.top > review.seen or review.top + extent.height < extent.rows
    if review.mode is not Mode.REST or unseen:
        return review
    return review._replace(question=Question.REST)


def answer(review: Review, text: str) -> Step:
    """What the line `text` comes to as the answer to the question; an empty one is a no."""
    question, now = review.question, review._replace(question=None)
    if now.mode is Mode.REST:
        now = _toggled(now, Mode.REST)
    if odd := hidden_in(text):
        said = f"{odd} does not show, so nothing was decided"
        return now._replace(said=said), None
    match question:
        case None:
            return now, None
        case Question.REASON if text:
            return now, Choice(Fate.DENIED, [now.at], text)
        case Question.NOTE if text:
            return now, Choice(Fate.APPROVED, [now.at], text)
        case Question.REST if text == "yes":
            return now, Choice(Fate.APPROVED, now.rest)
        case Question.REASON | Question.NOTE | Question.REST:
            return now._replace(said="nothing was decided"), None
        case _ as never:
            assert_never(never)


def decision(review: Review, choice: Choice, preselect: Preselect) -> Decision:
    """What is to be written for `choice`.

    Judged is what was shown, also where a decision on it is taken back; replaced is the
    entry as the review knows it last.
    """
    judge = _judge(choice, preselect)
    verdicts: list[Verdict] = []
    left_out: list[LeftOut] = []
    for page in (review.pages[at] for at in choice.pages):
        for named in page.entries:
            match judge(named, False, page.change.findings):
                case LeftOut() as reason:
                    left_out.append(reason)
                case after:
                    now = review.current.get(named.key, named)
                    verdicts.append(Verdict(now, after, page.change.findings))
    return Decision(verdicts, left_out)


def _judge(choice: Choice, preselect: Preselect) -> Judge:
    if choice.fate is Fate.DENIED:
        return deny(choice.text or "")
    return approval(note=choice.text, preselect=preselect)


def decided(review: Review, choice: Choice, made: Decision) -> Review:
    """The review after `made` was written: at the next page, or at its end."""
    written = {verdict.named.key: verdict for verdict in made.verdicts}
    current, fates = dict(review.current), dict(review.fates)
    moved = []
    for at in choice.pages:
        fates[at] = choice.fate
        for named in review.pages[at].entries:
            verdict = written.get(named.key)
            if verdict is None or verdict.after is None:
                fates[at] = Fate.MOVED
                moved.append(named.label)
            else:
                current[named.key] = named._replace(entry=verdict.after)
    said = f"changed by somebody else meanwhile, not decided: {', '.join(moved)}" if moved else ""
    return _onward(review._replace(fates=fates, current=current))._replace(said=said)


def _scrolled(key: str, top: int, extent: Extent) -> int | None:
    """The first row after a key that scrolls; None for other keys."""
    page = max(1, extent.height - 1)
    tops = {
        "up": top - 1,
        "k": top - 1,
        "down": top + 1,
        "j": top + 1,
        "pageup": top - page,
        "pagedown": top + page,
        "home": 0,
        "end": extent.lowest,
    }
    return max(0, min(tops[key], extent.lowest)) if key in tops else None


def _approve(review: Review, extent: Extent) -> Step:
    """Approve what was read to its end; before that, turn to what was not seen yet."""
    if review.page.invalid:
        said = "it is invalid and cannot be approved: `d` denies it, `s` leaves it as it is"
        return review._replace(said=said), None
    if not review.read:
        said = "there was more to read; `a` at its end approves"
        return _further(review, extent)._replace(said=said), None
    if review.page.high:
        return review._replace(question=Question.NOTE), None
    return review, Choice(Fate.APPROVED, [review.at])


def _approve_rest(review: Review) -> Review:
    if not review.rest:
        return review._replace(said="nothing is left of this server that can be approved unseen")
    return review._replace(mode=Mode.REST, top=0, seen=0)


def _in_list(review: Review, key: str, extent: Extent) -> Review:
    """The list turned over or back; every other key leaves it, and does nothing else."""
    if key in ("A", "a", " ", "enter", "pagedown", "end"):
        return _further(review, extent)
    if (moved := _scrolled(key, review.top, extent)) is not None:
        return review._replace(top=moved)
    return _toggled(review, Mode.REST)._replace(said="nothing was decided")


def _further(review: Review, extent: Extent) -> Review:
    """Where the first rows are that were not seen; one row stays, to go on from."""
    return review._replace(top=min(max(0, review.seen - 1), extent.lowest))


def _down_or_skipped(review: Review, extent: Extent) -> Review:
    """Turned over where there is more below, or something not seen; else skipped."""
    if review.top < extent.lowest:
        return review._replace(top=_scrolled("pagedown", review.top, extent) or 0)
    if not review.read:
        return _further(review, extent)
    return _skipped(review)


def _skipped(review: Review) -> Review:
    return _onward(review._replace(fates={review.at: Fate.SKIPPED, **review.fates}))


def _toggled(review: Review, mode: Mode) -> Review:
    return review._replace(mode=Mode.PAGE if review.mode is mode else mode, top=0, seen=0)


def _back(review: Review) -> Review:
    if review.at == 0:
        return review._replace(said="this is the first one")
    return _turned(review, review.at - 1)


def _onward(review: Review) -> Review:
    """To the next page that has no fate yet; the end where there is none."""
    after = range(review.at + 1, len(review.pages))
    following = next((at for at in after if at not in review.fates), None)
    return review._replace(over=True) if following is None else _turned(review, following)


def _turned(review: Review, at: int) -> Review:
    return review._replace(at=at, mode=Mode.PAGE, top=0, seen=0, read=False)
