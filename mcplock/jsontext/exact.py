"""Numbers that a `float` does not hold, read and written as they stand."""

import json
from collections.abc import Callable
from math import isfinite

from mcplock.jsontext.faults import Json


class Number(float):
    """A number whose value a `float` only comes near to; `text`: as it was written.

    >>> number = Number("1e400")
    >>> number, number.text
    (inf, '1e400')
    """

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> "Number":
        """The nearest `float`, which knows what it stands for."""
        number = super().__new__(cls, text)
        number.text = str(text)
        return number


def exact(digits: str) -> float:
    """A number written with a fraction or an exponent; a `Number` where a `float` is another."""
    value = float(digits)
    written = repr(value)
    return value if written == digits or _are_equal(written, digits) else Number(digits)


def _are_equal(written: str, digits: str) -> bool:
    from decimal import Decimal

    try:
        return Decimal(written) == Decimal(digits)
    except ArithmeticError:  # an exponent that is beyond this, too
        return False


def exact_text(value: Json, indent: int | None = None) -> str:
    """`value` as JSON: a `Number` as it was written, what is no number in JSON as null."""
    pieces: list[str] = []
    _write(value, pieces.append, "" if indent is None else "\n", " " * (indent or 0))
    return "".join(pieces)


def _write(value: Json, add: Callable[[str], object], line: str, indent: str) -> None:
    inner = line and line + indent
    comma = "," + inner if line else ", "
    match value:
        case dict() if value:
            for at, (key, item) in enumerate(value.items()):
                add(comma if at else "{" + inner)
                add(json.dumps(key, ensure_ascii=False) + ": ")
                _write(item, add, inner, indent)
            add(line + "}")
        case list() if value:
            for at, item in enumerate(value):
                add(comma if at else "[" + inner)
                _write(item, add, inner, indent)
            add(line + "]")
        case Number():
            add(value.text)
        case float() if not isfinite(value):
            add("null")
        case _:
            add(json.dumps(value, ensure_ascii=False))
