"""`mcplock login`."""

import threading
import time
import webbrowser

import click

from mcplock.cli.command import Command, pass_settings
from mcplock.cli.contacting import asking, telling
from mcplock.cli.options import yes_option
from mcplock.cli.settings import Settings
from mcplock.console import Console
from mcplock.errors import MissingFile, UsageError
from mcplock.render.login import logged_in_hint, logged_in_line, standing_lines, visit_lines
from mcplock.render.spans import line
from mcplock.session.login import Visit
from mcplock.text import visible
from mcplock.workflow.login import log_in, standings
from mcplock.workflow.project import Project


@click.command(
    "login",
    cls=Command,
    examples={
        "mcplock login docs": "in the browser of this machine",
        "mcplock login docs --no-browser": "in any browser: the address is printed",
        "mcplock login --list": "where you are logged in",
    },
)
@click.argument("server", required=False)
@click.option("--no-browser", is_flag=True, help="Print the address; open nothing.")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    metavar="SCOPE",
    help="Ask for this scope, in place of what the server names; may be given again.",
)
@click.option("--list", "lists", is_flag=True, help="Say where you are logged in.")
@yes_option
@pass_settings
def command(
    settings: Settings,
    server: str | None,
    no_browser: bool,
    scopes: tuple[str, ...],
    lists: bool,
    yes: bool,
) -> int:
    """Log in to a hosted server by OAuth.

    The token is kept for this user of this machine, in the system's keyring where the extra
    `keyring` is installed, else in a file that only you can read. It goes to that server
    alone; no other command opens a browser.
    """
    console = settings.console
    if lists:
        found = list(standings(settings.machine, _project(settings)))
        console.show(standing_lines(found, time.time()))
        return 0
    if server is None:
        raise UsageError("which server?", hint="`mcplock login --list` names them")
    consent = telling(settings) if yes else asking(settings)
    person = _Terminal(console, server, browser=not no_browser)
    made = log_in(settings.project, server, person, consent, remember=True, scopes=scopes)
    console.show([logged_in_line(made)])
    settings.hint([logged_in_hint(made)])
    return 0


def _project(settings: Settings) -> Project | None:
    """The project, None where there is none: a machine's logins are there all the same."""
    try:
        return settings.project
    except MissingFile:
        if settings.manifest is not None:
            raise
        return None


class _Terminal:
    """The person at this terminal."""

    def __init__(self, console: Console, server: str, *, browser: bool) -> None:
        self._console = console
        self._server = server
        self._browser = browser

    def visit(self, visit: Visit) -> None:
        """Name the hosts and the page, then open it."""
        self._console.insist(visit_lines(self._server, visit.hosts, opens=self._browser))
        self._console.address(visible(visit.url))
        if self._browser and not webbrowser.open(visit.url):
            self._console.insist([line("No browser could be opened: open that page yourself.")])
        if self._console.interactive:
            told = "If the browser is on another machine, paste the address that it ends at here."
            self._console.insist([line(told)])

    def paste(self, gone: threading.Event) -> str | None:
        """A line that was typed."""
        return self._console.typed(gone) if self._console.interactive else None

    def complain(self, problem: str) -> None:
        """Say what is wrong with it."""
        self._console.insist([line(problem)])
