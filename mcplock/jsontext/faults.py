"""What can be wrong with a JSON text, and the limits it is held to."""

from enum import StrEnum
from typing import Any

Json = Any
"""dict, list, str, int, float with a fraction, bool or None; no NaN, no integral float."""

MAX_DIGITS = 4_000
MAX_DEPTH = 200
MAX_VALUES = 100_000
"""Of one definition: a value more is a comma or an opening bracket more."""


class FaultCode(StrEnum):
    """Why a text is not a JSON value that every reader takes alike.

    In order of precedence: of several faults in one text the first of these is told.
    """

    SYNTAX = "syntax"
    DEPTH = "depth"
    DUPLICATE_KEY = "duplicate-key"
    NUMBER = "number"
    SURROGATE = "surrogate"


class JsonFault(ValueError):
    """A text is not strict JSON.

    position: counts code points from 0; it is 0 too where the place is not known
    (`placed` finds it).
    """

    def __init__(self, code: FaultCode, message: str, position: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.position = position


def line_at(text: str, position: int) -> int:
    """The line, from 1, that `position` is on."""
    return text.count("\n", 0, position) + 1
