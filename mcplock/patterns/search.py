"""A pattern that can be searched for, by the quick engine where that is safe."""

import re

from mcplock.patterns.automaton import Allowance, Compiler, Program, TooLong, matches
from mcplock.patterns.reader import Unsupported, read
from mcplock.patterns.translate import effort, has_category, is_anchored, to_re

__all__ = ["Allowance", "Pattern", "TooLong"]

_PATHS = 10_000_000
"""So many paths Python's `re` may try in one text: a fraction of a second."""


_NAME = 1_000
"""As long as the name of a property may be."""


class Pattern:
    r"""A regular expression of JSON Schema (ECMA-262), matched in bounded time.

    Raises `Unsupported` where it cannot be read, or has a back-reference.

    >>> Pattern(r"^(a+)+$").search("a" * 40 + "b", Allowance(10_000))
    False
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.reading = read(source)
        self._effort = None if has_category(self.reading.node) else effort(self.reading.node)
        self._anchored = is_anchored(self.reading.node)
        self._quick = self._compiled() if self._effort else None
        self._programs: tuple[Program, list[Program]] | None = None

    def search(self, text: str, allowance: Allowance) -> bool:
        """Whether it matches somewhere in `text`.

        Raises `TooLong` where the allowance is used up before that is known, `Unsupported`
        where the pattern is too large for the engine that this text needs.
        """
        if self._quick and self._is_safe(text):
            return self._quick.search(text) is not None
        if self._programs is None:
            compiler = Compiler(ignore_case=self.reading.ignore_case)
            self._programs = compiler.program(self.reading.node), compiler.looks
        program, looks = self._programs
        return matches(program, looks, text, allowance)

    def as_re(self) -> str:
        """The same for Python's `re`; raises `Unsupported` where `re` may need too long."""
        if self._quick is None or not self._is_safe("." * _NAME):
            raise Unsupported("it is too costly to match")
        source = self._quick.pattern
        return f"(?i:{source})" if self.reading.ignore_case else source

    def _is_safe(self, text: str) -> bool:
        return (
            self._effort is not None
            and self._effort.on(len(text), anchored=self._anchored) <= _PATHS
        )

    def _compiled(self) -> re.Pattern[str] | None:
        flags = re.IGNORECASE if self.reading.ignore_case else re.NOFLAG
        try:
            return re.compile(to_re(self.reading.node), flags)
        except (re.error, OverflowError, RecursionError):  # a lookbehind of open width
            return None
