"""stdout is data, stderr is talk; colour, progress and questions."""

import os
import sys
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TextIO

from mcplock.render.spans import Line, Span, Style, to_plain
from mcplock.text import visible

_STYLES = {
    Style.DIM: "dim",
    Style.STRONG: "bold",
    Style.NAME: "bold cyan",
    Style.ADDED: "green",
    Style.REMOVED: "red",
    Style.CHANGED: "yellow",
    Style.ADDED_WORDS: "bold green reverse",
    Style.REMOVED_WORDS: "bold red reverse",
    Style.HIDDEN: "bold magenta reverse",
    Style.HIGH: "bold red",
    Style.WARNING: "bold magenta",
}


@dataclass
class Console:
    """Where one run speaks.

    color: None decides by the stream, `NO_COLOR` and `TERM`; interactive: whether a person
    is there to be asked.
    """

    color: bool | None = None
    quiet: bool = False
    verbose: bool = False
    interactive: bool = False
    progress: "Progress" = field(default_factory=lambda: Progress())

    def data(self, text: str) -> None:
        """Write to stdout what the command was asked for."""
        _write(sys.stdout, text)

    def show(self, lines: Iterable[Line]) -> None:
        """Write styled lines to stdout."""
        self._print(sys.stdout, lines)

    def talk(self, lines: Iterable[Line]) -> None:
        """Write styled lines to stderr, unless told to be quiet."""
        if not self.quiet:
            self._print(sys.stderr, lines)

    def hint(self, hints: Iterable[str]) -> None:
        """Say on stderr what to do next, unless told to be quiet."""
        self.talk([(Span(Style.DIM, f"hint: {hint}"),) for hint in hints])

    def width(self) -> int:
        """How many cells a line of stdout has; 100 where it is no terminal."""
        if not sys.stdout.isatty():
            return 100
        try:
            return max(40, os.get_terminal_size(sys.stdout.fileno()).columns)
        except OSError:
            return 80

    def ask(self, question: str) -> bool:
        """Ask on stderr; only a typed `y` or `yes` is one."""
        self.progress.stop()
        sys.stderr.write(f"{question} [y/N] ")
        sys.stderr.flush()
        answer = sys.stdin.readline()
        if not answer.endswith("\n"):
            sys.stderr.write("\n")
        return answer.strip().lower() in ("y", "yes")

    def _print(self, stream: TextIO, lines: Iterable[Line]) -> None:
        self.progress.stop()
        if not self._colored(stream):
            _write(stream, to_plain(lines))
            return
        from rich.console import Console as RichConsole
        from rich.text import Text

        rich = RichConsole(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=True)
        for line in lines:
            text = Text()
            for span in line:
                text.append(span.text, style=_STYLES.get(span.style))
            rich.print(text)

    def _colored(self, stream: TextIO) -> bool:
        if self.color is not None:
            return self.color and stream.isatty()
        if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
            return False
        return stream.isatty()


class Progress:
    """What each server is doing, on a terminal only; gone when the work is done."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bars: Any = None
        self._tasks: dict[str, Any] = {}

    def __call__(self, server: str, doing: str) -> None:
        """Say that `server` is `doing` something; `doing` is safe to print."""
        if not sys.stderr.isatty():
            return
        name = visible(server)
        with self._lock:
            if self._bars is None:
                self._bars = _bars()
                self._bars.start()
            if server not in self._tasks:
                self._tasks[server] = self._bars.add_task("", server=name, doing=doing)
            else:
                self._bars.update(self._tasks[server], doing=doing)

    def stop(self) -> None:
        """Take the bars off the screen."""
        with self._lock:
            if self._bars is not None:
                self._bars.stop()
                self._bars = None
                self._tasks.clear()


def _bars() -> Any:
    from rich.console import Console as RichConsole
    from rich.progress import Progress as RichProgress
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    return RichProgress(
        SpinnerColumn(),
        TextColumn("{task.fields[server]}", markup=False),
        TextColumn("{task.fields[doing]}", markup=False, style="dim"),
        TimeElapsedColumn(),
        console=RichConsole(stderr=True, highlight=False),
        transient=True,
    )


def _write(stream: TextIO, text: str) -> None:
    """Write `text` as UTF-8 whatever the locale is; what cannot be encoded is escaped."""
    try:
        stream.write(text)
    except UnicodeEncodeError:
        encoding = stream.encoding
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def complain(message: str, hint: str = "") -> None:
    """Tell an error and what to do about it on stderr."""
    text = f"error: {message}\n" + (f"hint: {hint}\n" if hint else "")
    try:
        _write(sys.stderr, text)
        sys.stderr.flush()
    except OSError:  # nobody is there to read it
        pass
