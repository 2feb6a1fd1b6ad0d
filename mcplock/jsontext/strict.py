"""The quick reader of plain, unambiguous JSON."""

import json
from collections import Counter
from typing import NoReturn

from mcplock.jsontext.faults import MAX_DIGITS, FaultCode, Json, JsonFault

_NEVER_REFUSED = 640
"""Digits that `int()` takes whatever limit the interpreter was started with."""


def parse(text: str, *, unique_keys: bool = True) -> Json:
    """The value of `text`: integral numbers as `int`, exactly, all others as `float`.

    Raises `JsonFault` for a syntax error, a duplicate key (with `unique_keys=False` the last
    one counts), and a number that is no finite double or has more than 4,000 digits. Lone
    surrogates and depth are left to the caller (`mcplock.canonical` finds both), except that
    a text too deep for the interpreter's stack raises a `depth` fault.
    """
    try:
        return (_strict if unique_keys else _last_key_wins).decode(text)
    except json.JSONDecodeError as error:
        raise JsonFault(FaultCode.SYNTAX, error.msg, error.pos) from None
    except RecursionError:
        raise JsonFault(FaultCode.DEPTH, "it nests too deeply") from None


def _integer(digits: str) -> int:
    """A number written without fraction and exponent."""
    if len(digits) <= _NEVER_REFUSED:
        return int(digits)
    _count(digits)
    from decimal import Decimal  # it knows no limit

    return int(Decimal(digits))


def integral(digits: str) -> int | float:
    """A number written with a fraction or an exponent: an `int` where its value is integral."""
    _count(digits)
    value = float(digits)
    if value - value != 0:
        raise JsonFault(FaultCode.NUMBER, f"{digits[:20]} is too large for a double")
    return int(value) if value.is_integer() else value


def not_json(name: str) -> NoReturn:
    """Refuse `NaN` and the infinities."""
    raise JsonFault(FaultCode.NUMBER, f"{name} is not a JSON number")


def _count(digits: str) -> None:
    if len(digits) > MAX_DIGITS:
        count = sum(map(str.isdigit, digits))
        if count > MAX_DIGITS:
            raise JsonFault(FaultCode.NUMBER, f"a number of {count:,} digits")


def unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """The object of `pairs`, in which no key may stand twice."""
    value = dict(pairs)
    if len(value) != len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise JsonFault(FaultCode.DUPLICATE_KEY, f"the key {json.dumps(twice)} is there twice")
    return value


_strict = json.JSONDecoder(
    object_pairs_hook=unique, parse_int=_integer, parse_float=integral, parse_constant=not_json
)
_last_key_wins = json.JSONDecoder(parse_int=_integer, parse_float=integral, parse_constant=not_json)
