"""The canonical form of a JSON value and the hash over it (`docs/hash.md`).

RFC 8785 with one difference: a number with an integral value is written as that
integer, exactly, at any size. `mcplock.jsontext.parse` gives values where this has
already happened: an `int` is integral, a `float` never is.
"""

import hashlib
import json
import re

from mcplock.jsontext import MAX_DEPTH, FaultCode, Json, JsonFault, compact, depth, quote

PREFIX = "sha256:"

_encoder = json.JSONEncoder(
    ensure_ascii=False,
    allow_nan=False,
    check_circular=False,
    sort_keys=True,
    separators=(",", ":"),
)
# What the quick encoder may write otherwise than RFC 8785: small doubles (1e-05), and keys
# whose order by code point and by UTF-16 unit differ.
_NEEDS_CARE = re.compile("[0-9]e-[0-9]|[\U00010000-\U0010ffff]")


def canonical(value: Json) -> str:
    """`value` in canonical form.

    Raises `JsonFault` (`depth`: more than 200 containers one in another; `surrogate`: a
    lone surrogate in a string or key).
    """
    try:
        text = _encoder.encode(value)
    except RecursionError:
        raise JsonFault(FaultCode.DEPTH, "it nests too deeply") from None
    if depth(text) > MAX_DEPTH:
        raise JsonFault(FaultCode.DEPTH, f"it nests more than {MAX_DEPTH} levels deep")
    if _NEEDS_CARE.search(text):
        text = _careful(value)
    return text


def _careful(value: Json) -> str:
    match value:
        case dict():
            keys = sorted(value, key=_utf16)
            return "{" + ",".join(f"{quote(key)}:{_careful(value[key])}" for key in keys) + "}"
        case list():
            return "[" + ",".join(map(_careful, value)) + "]"
        case str():
            return quote(value)
        case float():
            return number(value)
        case _:
            return json.dumps(value)


def _utf16(key: str) -> bytes:
    return key.encode("utf-16-be", "surrogatepass")


def number(value: float) -> str:
    """A double with a fraction as ECMAScript's Number::toString prints it."""
    mantissa, _, exponent = repr(value).partition("e")
    if not exponent:
        return mantissa
    sign = "-" if mantissa.startswith("-") else ""
    digits = mantissa.lstrip("-").replace(".", "")
    point = int(exponent) + 1  # digits stand after 0. and are moved by this many places
    if point > -6:
        return f"{sign}0.{'0' * -point}{digits}"
    tail = f".{digits[1:]}" if digits[1:] and digits[1:] != "0" else ""
    return f"{sign}{digits[0]}{tail}e{point - 1}"


def digest(text: str) -> str:
    """The hash of a canonical text: `sha256:` and 64 hexadecimal digits."""
    return PREFIX + hashlib.sha256(text.encode()).hexdigest()


def hash_value(value: Json) -> str:
    """The hash of `value`; raises `JsonFault` where it has no canonical form."""
    text = canonical(value)
    try:
        return digest(text)
    except UnicodeEncodeError:
        raise JsonFault(FaultCode.SURROGATE, "it holds a lone surrogate") from None


def hash_wire(text: str) -> str:
    """The hash of a JSON text that has no canonical form: over its compact form."""
    return digest(compact(text))
