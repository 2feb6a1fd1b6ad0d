"""The terminal as one screen: rows are drawn on it, keys and lines are read from it."""

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any

from mcplock.cli.typed import edited, row_end
from mcplock.console import Console
from mcplock.errors import McplockError
from mcplock.render.cells import cells
from mcplock.text import visible

RESIZED = "resized"
_GLANCE = 0.3  # seconds
_SEQUENCE = 0.05  # seconds in which the rest of a key's bytes arrives
_KEYS = {
    b"\r": "enter",
    b"\n": "enter",
    b"\x1b[A": "up",
    b"\x1b[B": "down",
    b"\x1bOA": "up",
    b"\x1bOB": "down",
    b"\x1b[5~": "pageup",
    b"\x1b[6~": "pagedown",
    b"\x1b[H": "home",
    b"\x1b[F": "end",
    b"\x1bOH": "home",
    b"\x1bOF": "end",
    b"\x1b[1~": "home",
    b"\x1b[4~": "end",
}
_SHOW_CURSOR, _HIDE_CURSOR = "\x1b[?25h", "\x1b[?25l"
_ENTER, _LEAVE = f"\x1b[?1049h{_HIDE_CURSOR}", f"{_SHOW_CURSOR}\x1b[?1049l"
_HOME, _TO_END_OF_ROW, _TO_END_OF_SCREEN = "\x1b[H", "\x1b[K", "\x1b[J"


class Screen:
    """A terminal that is read key by key while the context lasts; then it is as it was.

    A terminal that can move no cursor (`TERM=dumb`) gets one page below the other.
    """

    def __init__(self, console: Console, environ: Mapping[str, str]) -> None:
        self._console = console
        self._plain = environ.get("TERM", "dumb") == "dumb"
        self._input = sys.stdin.fileno()
        self._saved: list[Any] = []
        self._measured = (0, 0)

    def __enter__(self) -> "Screen":
        import termios

        self._saved = termios.tcgetattr(self._input)
        self._listen()
        if not self._plain:
            self._console.draw(_ENTER)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(McplockError):  # the terminal may be gone
            self._console.draw("" if self._plain else _LEAVE)
        self._restore()

    def measure(self) -> tuple[int, int]:
        """How many columns and lines there are now; `key` tells where that is otherwise later."""
        self._measured = self._size()
        return self._measured

    def _size(self) -> tuple[int, int]:
        try:
            columns, lines = os.get_terminal_size(sys.stdout.fileno())
        except OSError:
            columns, lines = 80, 24
        return max(40, columns), max(8, lines)

    def draw(self, rows: Sequence[str], *, fresh: bool) -> None:
        """Show `rows`; `fresh`: forget keys that were typed before anybody can have seen them."""
        if fresh:
            import termios

            termios.tcflush(self._input, termios.TCIFLUSH)
        if self._plain:
            self._console.draw("".join(f"{row}\n" for row in rows))
            return
        text = f"{_TO_END_OF_ROW}\n".join(rows)
        self._console.draw(f"{_HOME}{text}{_TO_END_OF_ROW}{_TO_END_OF_SCREEN}")

    def key(self) -> str:
        """The next key by its name or its letter; `RESIZED` where the size is not as measured.

        A terminal that is gone is an interruption.
        """
        while not self._ready(_GLANCE):
            if self._size() != self._measured:
                return RESIZED
        key = self._byte()
        while _is_begun(key) and self._ready(_SEQUENCE):
            key += self._byte()
        return _KEYS.get(key) or key.decode("utf-8", "replace")

    def ask(self, prompt: str) -> str:
        """A line that somebody types; `prompt` replaces the last row. "" where Escape left it.

        No key that moves or controls becomes text.
        """
        text: str | None = ""
        self._console.draw(prompt if self._plain else _SHOW_CURSOR)
        while text is not None:
            if not self._plain:
                self._show_typed(prompt, text)
            key = self.key()
            if key == "enter":
                break
            before, text = text, edited(text, key)
            if self._plain:
                self._add_typed(prompt, before, text or "")
        self._console.draw("\n" if self._plain else _HIDE_CURSOR)
        return (text or "").strip()

    def _show_typed(self, prompt: str, text: str) -> None:
        """The prompt and the line, or its end where the row is too short."""
        room = max(1, self.measure()[0] - cells(prompt) - 1)
        self._console.draw(f"\r{_TO_END_OF_ROW}{prompt}{row_end(visible(text), room)}")

    def _add_typed(self, prompt: str, before: str, after: str) -> None:
        """What was added to the line; where something was taken out of it, all of it anew."""
        self.measure()
        if after.startswith(before):
            self._console.draw(visible(after[len(before) :]))
        else:
            self._console.draw(f"\n{prompt}{visible(after)}")

    def _ready(self, seconds: float) -> bool:
        from select import select

        return bool(select([self._input], [], [], seconds)[0])

    def _byte(self) -> bytes:
        try:
            byte = os.read(self._input, 1)
        except OSError:
            byte = b""
        if not byte:
            raise KeyboardInterrupt
        return byte

    def _listen(self) -> None:
        """Hand over each key as it is typed, unshown; Ctrl-C stays what it is."""
        import termios

        mode = termios.tcgetattr(self._input)
        mode[3] &= ~(termios.ICANON | termios.ECHO)
        mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
        mode[6][termios.VSUSP] = b"\0"  # who stops us would find the terminal in this state
        termios.tcsetattr(self._input, termios.TCSADRAIN, mode)

    def _restore(self) -> None:
        import termios

        with suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(self._input, termios.TCSADRAIN, self._saved)


def _is_begun(key: bytes) -> bool:
    """Whether more bytes of the same key are to come: of an escape sequence, or of UTF-8."""
    first, *more = key
    if first == 0x1B:
        if not more or more[0] not in b"[O":
            return not more
        return len(more) == 1 or not (key[-1:].isalpha() or key.endswith(b"~"))
    return len(key) < 1 + (first >= 0xC0) + (first >= 0xE0) + (first >= 0xF0)
