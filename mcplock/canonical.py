"""The canonical form of a JSON value and the hash over it (`docs/hash.md`).

RFC 8785 with one difference: a number with an integral value is written as that
integer, exactly, at any size.
"""

import hashlib
import json

from mcplock.jsontext import MAX_DEPTH, FaultCode, Json, JsonFault, quote
from mcplock.lazy import pattern

PREFIX = "sha256:"

_encoder = json.JSONEncoder(
    ensure_ascii=False,
    allow_nan=False,
    check_circular=False,
    sort_keys=True,
    separators=(",", ":"),
)
# What the quick encoder writes otherwise than RFC 8785: doubles with an exponent or without
# a fraction, and keys side by side whose order by code point is not that by UTF-16 unit.
_ODD_DOUBLE = pattern(r"(?:\.0|[0-9]e[-+][0-9]+)(?:[,\]}]|$)")
_ABOVE_FFFF = (b"\xf0", b"\xf1", b"\xf2", b"\xf3", b"\xf4")
_FROM_E000 = (b"\xee", b"\xef")


def canonical(value: Json) -> str:
    """`value` in canonical form.

    Raises `JsonFault` (`depth`: more than 200 containers one in another; `number`: NaN or an
    infinity; `surrogate`: a lone surrogate in a string or key).
    """
    return canonical_bytes(value).decode()


def canonical_bytes(value: Json, *, plain_doubles: bool = False) -> bytes:
    """`canonical` in UTF-8: what the hash is over.

    plain_doubles: the caller knows that no number in it is a float that Python prints with
    an exponent or without a fraction.
    """
    text = _encoded(value)
    if text.count("{") + text.count("[") > MAX_DEPTH:
        _check_depth(value)
    if not plain_doubles and _may_be_odd(text) and _ODD_DOUBLE.search(text):
        text = _careful(value)
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise JsonFault(FaultCode.SURROGATE, "it holds a lone surrogate") from None
    if not text.isascii() and _holds(data, _ABOVE_FFFF) and _holds(data, _FROM_E000):
        return _careful(value).encode()
    return data


def _may_be_odd(text: str) -> bool:
    return "e-" in text or "e+" in text or ".0" in text


def _encoded(value: Json) -> str:
    try:
        return _encoder.encode(value)
    except RecursionError:
        _check_depth(value)
        raise
    except ValueError:  # NaN, or an integer longer than `str()` may write
        _check_depth(value)
        return _careful(value)


def _check_depth(value: Json) -> None:
    """Raise where `value` is too deep; layer by layer, so that any depth can be looked at."""
    layer = [value]
    for _ in range(MAX_DEPTH + 1):
        layer = [item for item in layer if isinstance(item, (dict, list))]
        if not layer:
            return
        layer = [
            item
            for container in layer
            for item in (container.values() if isinstance(container, dict) else container)
        ]
    raise JsonFault(FaultCode.DEPTH, f"it nests more than {MAX_DEPTH} levels deep")


def _holds(data: bytes, any_of: tuple[bytes, ...]) -> bool:
    return any(byte in data for byte in any_of)


def _careful(value: Json) -> str:
    match value:
        case dict():
            keys = sorted(value, key=_utf16)
            return "{" + ",".join(f"{quote(key)}:{_careful(value[key])}" for key in keys) + "}"
        case list():
            return "[" + ",".join(map(_careful, value)) + "]"
        case str():
            return quote(value)
        case int() | float() if not isinstance(value, bool):
            return number(value)
        case _:
            return json.dumps(value)


def _utf16(key: str) -> bytes:
    return key.encode("utf-16-be", "surrogatepass")


def number(value: int | float) -> str:
    """A number in canonical form: an integral value as an integer, else as ECMAScript prints it.

    Raises `JsonFault` for NaN and the infinities.
    """
    if value - value != 0:
        raise JsonFault(FaultCode.NUMBER, f"{value} is not a JSON number")
    if isinstance(value, int) or value.is_integer():
        return _integer(int(value))
    mantissa, _, exponent = repr(value).partition("e")
    if not exponent:
        return mantissa
    # A fraction has no exponent but a negative one; Python begins it at 1e-5, ECMAScript at 1e-7.
    sign = "-" if value < 0 else ""
    digits = mantissa.lstrip("-").replace(".", "")
    places = -int(exponent)
    if places < 7:
        return f"{sign}0.{'0' * (places - 1)}{digits}"
    return f"{mantissa}e-{places}"


def _integer(value: int) -> str:
    try:
        return str(value)
    except ValueError:  # longer than the interpreter was told to write
        from decimal import Decimal

        return format(Decimal(value), "f")


def digest(text: str | bytes) -> str:
    """The hash of a canonical text: `sha256:` and 64 hexadecimal digits."""
    data = text.encode() if isinstance(text, str) else text
    return PREFIX + hashlib.sha256(data).hexdigest()


def hash_value(value: Json) -> str:
    """The hash of `value`; raises `JsonFault` where it has no canonical form."""
    return digest(canonical_bytes(value))
