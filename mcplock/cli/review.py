"""`mcplock review`."""

import sys
from contextlib import suppress
from functools import partial
from importlib.util import find_spec

import click

from mcplock.cli.command import Command, pass_settings
from mcplock.cli.deciding import next_hint, policy, unlocked_hint
from mcplock.cli.screen import RESIZED, Screen
from mcplock.cli.settings import Settings
from mcplock.errors import Exit, McplockError, Refused, UsageError
from mcplock.lockfile import load
from mcplock.model import Lock
from mcplock.render.review import (
    body_lines,
    foot_line,
    head_line,
    pages_of,
    prompt,
    summary_line,
)
from mcplock.render.spans import line
from mcplock.workflow.browse import chosen_entries
from mcplock.workflow.confirming import Preselect
from mcplock.workflow.decide import commit_decision
from mcplock.workflow.pending import pending_changes
from mcplock.workflow.review import waiting_entries
from mcplock.workflow.reviewing import (
    Choice,
    Extent,
    Fate,
    Review,
    answer,
    asked,
    decided,
    decision,
    press,
    resized,
)

_AROUND = 2  # rows beside the head: a blank one, the foot
_OTHER_WAYS = (
    "`mcplock diff --unreviewed` and `mcplock show NAME` show what waits, "
    "`mcplock approve NAME` and `mcplock deny NAME --reason TEXT` decide"
)


@click.command(
    "review",
    cls=Command,
    examples={
        "mcplock review": "all that waits, what is suspicious first",
        "mcplock review docs": "one server",
        "mcplock review 'docs/read_*' @docs": "patterns and names, as `approve` takes them",
    },
)
@click.argument("names", nargs=-1, metavar="[PATTERN]...")
@pass_settings
def command(settings: Settings, names: tuple[str, ...]) -> int:
    """Decide on what waits for review, one entry a screen.

    Each screen shows the findings first, then what changed since it was approved; of a new
    entry all that it says, of a source how it is reached. The same edit of many entries is one
    screen. Keys: `a` approves, `d` denies and asks why, `s` skips, as space and Enter do at
    the end of a text, `v` shows the whole definition, `p` goes back, `A` approves all of the
    server that is undecided, after a list and a typed `yes`, `q` quits, `?` tells of them all.

    Every decision is written at once, so an interruption loses none. An entry that changes
    meanwhile is not decided, and exit code 1 says so.
    """
    console = settings.console
    if not (console.interactive and sys.stdout.isatty()):
        raise UsageError("`mcplock review` needs a terminal", hint=_OTHER_WAYS)
    if find_spec("termios") is None:
        raise UsageError("`mcplock review` needs a terminal of Unix", hint=_OTHER_WAYS)
    lock = load(settings.lock_path).lock
    selection = chosen_entries(lock, names)
    if selection.moved:
        labels = ", ".join(named.label for named in selection.moved)
        raise Refused(f"has another hash by now: {labels}")
    preselect = policy(settings)
    changes = pending_changes(lock, selection.entries, settings.lock_path, settings.machine)
    review = Review(pages_of(changes, selection.entries, preselect))
    if not review.pages:
        console.show([line("nothing of that waits for review" if names else "nothing to review")])
        if unlocked := unlocked_hint(settings, lock):
            settings.hint([unlocked])
        return Exit.OK
    return _Session(settings, lock, review, preselect).run()


class _Session:
    """A review on a terminal."""

    def __init__(
        self, settings: Settings, lock: Lock, review: Review, preselect: Preselect
    ) -> None:
        self._settings = settings
        self._lock = lock
        self._review = review
        self._preselect = preselect
        self._seen: tuple[object, ...] = ()
        self._said = ""

    def run(self) -> int:
        """Show page after page; tell at the end what came of it, however that came."""
        console = self._settings.console
        try:
            with Screen(console, self._settings.environ) as screen:
                while not self._review.over:
                    self._turn(screen)
        finally:
            with suppress(McplockError):  # the terminal may be gone
                console.show([summary_line(self._review, self._now())])
        if self._review.said:
            console.warn([self._review.said])
        lock = load(self._settings.lock_path).lock
        if not waiting_entries(lock):
            self._settings.hint([next_hint(self._settings, lock)])
        return Exit.NO if Fate.MOVED in self._review.fates.values() else Exit.OK

    def _now(self) -> Lock | None:
        """The lock as it is on disk; None where it cannot be read any more."""
        try:
            return load(self._settings.lock_path).lock
        except McplockError:
            return None

    def _turn(self, screen: Screen) -> None:
        """Draw, and take one key or one line."""
        extent = self._draw(screen)
        if self._review.question:
            self._review, choice = answer(self._review, screen.ask(prompt(self._review)))
        else:
            key = screen.key()
            if key == RESIZED:
                self._review = resized(self._review)
                return
            self._review, choice = press(self._review, key, extent)
        if choice:
            self._write(choice)

    def _draw(self, screen: Screen) -> Extent:
        columns, height = screen.measure()
        rows = partial(self._settings.console.rows, width=columns)
        body = rows(body_lines(self._review, self._lock, columns))
        head = rows([head_line(self._review)])[: height // 2]  # no name pushes the text away
        extent = Extent(len(body), height - len(head) - _AROUND)
        review = self._review._replace(top=min(self._review.top, extent.lowest))
        self._review = review = asked(review, extent)
        body = body[review.top : review.top + extent.height]
        blank = [""] * (extent.height - len(body))
        seen = (review.at, review.mode, review.question)
        foot = rows([foot_line(review, extent, columns)])[:1]
        fresh = seen != self._seen or review.said not in ("", self._said)
        screen.draw([*head, "", *body, *blank, *foot], fresh=fresh)
        self._seen, self._said = seen, review.said
        return extent

    def _write(self, choice: Choice) -> None:
        wanted = decision(self._review, choice, self._preselect)
        made = commit_decision(self._settings.lock_path, wanted, self._settings.machine)
        self._review = decided(self._review, choice, made)
