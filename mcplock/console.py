"""stdout is data, stderr is talk; colour, progress and questions."""

import os
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any, TextIO

from mcplock.errors import McplockError
from mcplock.lazy import pattern
from mcplock.render.spans import Line, Span, Style, line, to_plain

_STYLES: dict[Style, dict[str, Any]] = {
    Style.DIM: {"dim": True},
    Style.STRONG: {"bold": True},
    Style.NAME: {"bold": True, "fg": "cyan"},
    Style.ADDED: {"fg": "green"},
    Style.REMOVED: {"fg": "red"},
    Style.CHANGED: {"fg": "yellow"},
    Style.ADDED_WORDS: {"bold": True, "reverse": True, "fg": "green"},
    Style.REMOVED_WORDS: {"bold": True, "reverse": True, "fg": "red"},
    Style.HIDDEN: {"bold": True, "reverse": True, "fg": "magenta"},
    Style.HIGH: {"bold": True, "fg": "red"},
    Style.WARNING: {"bold": True, "fg": "magenta"},
}
_HANGING = 4
_GLANCE = 0.2  # seconds
_NO_TERMINAL = 100
"""How wide lines are where nobody says."""


class Progress:
    """What each server is doing, on a terminal only; gone when the work is done.

    Nothing where no colour is wanted: bars move the cursor, which is no plain text either.
    """

    def __init__(self, *, shown: bool = True) -> None:
        self._shown = shown and sys.stderr.isatty()
        self._lock = threading.Lock()
        self._bars: Any = None
        self._tasks: dict[str, Any] = {}

    def __call__(self, server: str, doing: str) -> None:
        """Say that `server` is `doing` something; `doing` is safe to print."""
        if not self._shown:
            return
        with self._lock:
            if self._bars is None:
                self._bars = _bars()
                self._bars.start()
            if server not in self._tasks:
                from mcplock.text import visible

                name = visible(server)
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
        redirect_stdout=False,  # what stdout gets must not go where the bars are
        redirect_stderr=False,
    )


class Console:
    """Where one run speaks.

    color: None decides by the stream, `NO_COLOR` and `TERM`; quiet: only what is asked for
    and the verdict; interactive: whether a person is there to be asked.
    """

    def __init__(
        self, *, color: bool | None = None, quiet: bool = False, interactive: bool = False
    ) -> None:
        self.color = color
        self.quiet = quiet
        self.interactive = interactive
        self.progress = Progress(shown=not self.quiet and self._wants_color())

    def data(self, document: str) -> None:
        """Write a JSON document to stdout, as escapes where the stream cannot carry it.

        Raises `McplockError` where nobody can have it.
        """
        self.progress.stop()
        if getattr(sys.stdout, "name", "") == os.devnull:  # opened in place of a closed one
            raise McplockError("standard output is closed: the document is written nowhere")
        _write(sys.stdout, document, _json_escapes)

    def text(self, text: str) -> None:
        """Write to stdout what somebody else wrote, as it is: only where that is no terminal."""
        self.progress.stop()
        _write(sys.stdout, text)

    def show(self, lines: Iterable[Line]) -> None:
        """Write to stdout what was asked for, or a verdict."""
        self._print(sys.stdout, lines)

    def detail(self, lines: Iterable[Line]) -> None:
        """Write to stdout what a verdict rests on, unless told to be quiet."""
        if not self.quiet:
            self._print(sys.stdout, lines)

    def talk(self, lines: Iterable[Line]) -> None:
        """Write to stderr, unless told to be quiet."""
        if not self.quiet:
            self._print(sys.stderr, lines)

    def insist(self, lines: Iterable[Line]) -> None:
        """Write to stderr what cannot be done without, also where told to be quiet."""
        self._print(sys.stderr, lines)

    def address(self, address: str) -> None:
        """Write an address to stderr in one piece, so that it can be copied or clicked."""
        self.progress.stop()
        _write(sys.stderr, f"\n  {address}\n\n")

    def typed(self, gone: threading.Event) -> str | None:
        """A line from stdin; None at its end, or once `gone` is set.

        Waits in steps: a thread that is left reading would keep the program from ending.
        """
        from select import select

        while not gone.is_set():
            try:
                ready, _, _ = select([sys.stdin], [], [], _GLANCE)
            except (OSError, ValueError):  # this system waits for sockets alone
                return None
            if ready:
                return sys.stdin.readline() or None
        return None

    def hint(self, hints: Iterable[str]) -> None:
        """Say on stderr what to do next, unless told to be quiet."""
        texts = (text for hint in hints for text in f"hint: {hint}".split("\n"))
        self.talk(line(Span(Style.DIM, text)) for text in texts)

    def warn(self, warnings: Iterable[str]) -> None:
        """Say on stderr what is odd, unless told to be quiet."""
        self.talk(line(Span(Style.WARNING, "warning: "), warning) for warning in warnings)

    def width(self, stream: TextIO | None = None) -> int:
        """How many cells a line of `stream` (default: stdout) has; 100 where it is no terminal."""
        stream = stream or sys.stdout
        if not stream.isatty():
            return _NO_TERMINAL
        try:
            return max(40, os.get_terminal_size(stream.fileno()).columns)
        except (OSError, ValueError):
            return 80

    def ask(self, matter: Iterable[Line], question: str) -> bool:
        """Lay `matter` before a person and ask, on stderr; only a typed `y` or `yes` is one."""
        self._print(sys.stderr, matter)  # also where told to be quiet: no yes to what is not shown
        _write(sys.stderr, f"{question} [y/N] ")
        return _line().lower() in ("y", "yes")

    def answer(self, question: str) -> str:
        """The line that a person types, without the white space around it; "" for nothing."""
        _write(sys.stderr, question)
        return _line()

    def rows(self, lines: Iterable[Line], width: int) -> list[str]:
        """`lines` as rows of a terminal of `width` cells, in colour where that is wanted."""
        folded = [row for spans in lines for row in _rows(spans, width)]
        text = _colored(folded) if self._wants_color() else to_plain(folded)
        return text.split("\n")[:-1]

    def draw(self, text: str) -> None:
        """Write rows, and what moves the cursor between them, to stdout."""
        _write(sys.stdout, text)

    def _print(self, stream: TextIO, lines: Iterable[Line]) -> None:
        self.progress.stop()
        if stream.isatty():
            width = self.width(stream)
            lines = [row for spans in lines for row in _rows(spans, width)]
        if stream.isatty() and self._wants_color():
            import click

            click.echo(_colored(lines), nl=False, file=stream, color=True)
        else:
            _write(stream, _inert(to_plain(lines)))

    def _wants_color(self) -> bool:
        if self.color is not None:
            return self.color
        return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _line() -> str:
    """The line that a person types in answer to what stands on stderr."""
    sys.stderr.flush()
    answer = sys.stdin.readline()
    if not answer.endswith("\n"):
        _write(sys.stderr, "\n")
    return answer.strip()


def _rows(spans: Line, width: int) -> list[Line]:
    """A line in rows of a terminal, the later ones indented further than the first."""
    from mcplock.render.wrap import fold_commands

    text = "".join(span.text for span in spans)
    return fold_commands(spans, width, hang=len(text) - len(text.lstrip(" ")) + _HANGING)


def _inert(text: str) -> str:
    """`text` for a file or a job's log, which a CI system reads for commands."""
    from mcplock.text import inert

    return "\n".join(map(inert, text.split("\n")))


def _colored(lines: Iterable[Line]) -> str:
    return "".join("".join(map(_styled, spans)) + "\n" for spans in lines)


def _styled(span: Span) -> str:
    import click

    style = _STYLES.get(span.style)
    return click.style(span.text, **style) if style else span.text


class ReaderGone(Exception):
    """Whoever read our output has seen enough.

    No `OSError`, which click would turn into exit code 1.
    """


Escapes = Callable[[str, str], str]
"""(text, encoding) -> the text as the encoding can carry it."""


def _json_escapes(text: str, encoding: str) -> str:
    """What `encoding` lacks as JSON escapes: in a document it stands in strings only."""
    from mcplock.text import escape_character

    return "".join(
        char if char.isascii() or _carries(encoding, char) else escape_character(char)
        for char in text
    )


def _backslashes(text: str, encoding: str) -> str:
    r"""What `encoding` lacks as `\uXXXX`; a backslash is doubled, so that none is faked."""
    return text.replace("\\", "\\\\").encode(encoding, "backslashreplace").decode(encoding)


def _carries(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _write(stream: TextIO, text: str, escapes: Escapes = _backslashes) -> None:
    """Write `text` whatever the encoding of the stream is; nobody need listen to stderr."""
    if not _carries(stream.encoding, text):
        text = escapes(text, stream.encoding)
    try:
        stream.write(text)
        stream.flush()
    except OSError as error:
        mute(stream)
        if stream is sys.stdout and isinstance(error, BrokenPipeError):
            raise ReaderGone from None
        if stream is sys.stdout:
            raise McplockError(f"standard output cannot be written: {error.strerror}") from None


def mute(stream: TextIO) -> None:
    """Let nothing go there any more: the interpreter must not fail on flushing it at exit."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, stream.fileno())
    os.close(devnull)


def complain(message: str, hint: str = "") -> None:
    """Tell an error and what to do about it on stderr; whatever is in it moves no cursor."""
    console = Console(color=False)
    lines = [line(_tame(text)) for text in f"error: {message}".split("\n")]
    console.talk(lines)
    console.hint([_tame(hint)] if hint else [])


def _tame(text: str) -> str:
    return _CONTROL.sub(lambda hit: f"\\x{ord(hit[0]):02x}", text)


_CONTROL = pattern("[\x00-\x09\x0b-\x1f\x7f-\x9f]")
