"""`mcplock demo`."""

import contextlib
import sys
import tempfile
import textwrap
from collections.abc import Sequence
from pathlib import Path

import click

from mcplock.cli.command import Command, pass_settings
from mcplock.cli.settings import Settings
from mcplock.cli.story import END, STEPS, Step, environment, lay_out, serve
from mcplock.console import Console
from mcplock.errors import McplockError
from mcplock.naming import shell_words
from mcplock.render.spans import Span, Style, line

_WIDEST = 88


@click.command(
    "demo",
    cls=Command,
    examples={
        "mcplock demo": "Enter goes on from step to step",
        "mcplock demo --no-input": "all of it at once",
    },
)
@pass_settings
def command(settings: Settings) -> int:
    """Play the whole story on a built-in server.

    Install, review, a rug pull, the red check, the diff, an honest update. All of it happens
    in a temporary folder that is gone at the end: no network, nothing of yours is touched.
    """
    with tempfile.TemporaryDirectory(prefix="mcplock-demo-") as directory:
        room = Path(directory).resolve()
        for name in ("project", "home"):
            (room / name).mkdir()
        with contextlib.chdir(room / "project"):
            _play(settings, room)
    return 0


def _play(settings: Settings, room: Path) -> None:
    console = settings.console
    manifest = lay_out(room / "project")
    for number, step in enumerate(STEPS, start=1):
        _tell(console, f"{number}. {step.title}", step.text)
        if number == 1:
            _quote("mcp.toml", manifest, console)
        if step.listing:
            serve(room / "project", step.listing)
        _run_all(settings, room, step)
        if number < len(STEPS) and not _go_on(console):
            return
    _tell(console, "The end", END)


def _tell(console: Console, title: str, text: str) -> None:
    width = min(console.width(), _WIDEST)
    rule = Span(Style.DIM, "─" * max(0, width - len(title) - 1))
    lines = [line(Span(Style.STRONG, title), " ", rule), line()]
    console.detail([*lines, *map(line, textwrap.wrap(text, width)), line()])


def _quote(name: str, text: str, console: Console) -> None:
    console.detail([line(Span(Style.DIM, f"  {name}"))])
    console.detail([line("    ", row) for row in text.splitlines()])
    console.detail([line()])


def _run_all(settings: Settings, room: Path, step: Step) -> None:
    for words, expected in step.commands:
        settings.console.detail([line(Span(Style.STRONG, f"$ mcplock {shell_words(words)}"))])
        code = _run(settings, room, words)
        settings.console.detail([line(Span(Style.DIM, f"(exit code {code})")), line()])
        if code != expected:
            message = f"the demo is out of tune: `mcplock {shell_words(words)}` ended with {code}"
            raise McplockError(message)


def _run(settings: Settings, room: Path, words: Sequence[str]) -> int:
    """One command in this process, on the demo's own machine."""
    from mcplock.cli.group import group

    own = Settings()
    own.quiet, own.verbose, own.no_color = settings.quiet, settings.verbose, settings.no_color
    own.no_input = own.no_user = True
    own.environ = environment(settings.environ, room / "home")
    own.state_dir = room / "state"
    code = group.main(list(words), "mcplock", standalone_mode=False, obj=own)
    return int(code or 0)


def _go_on(console: Console) -> bool:
    """Wait for Enter where a person is there; the end of the input ends the story."""
    if not console.interactive or console.quiet:
        return True
    console.talk([line(Span(Style.DIM, "Enter goes on, Ctrl-D ends it"))])
    return bool(sys.stdin.readline())
