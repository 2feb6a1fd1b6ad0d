"""The hash scheme of docs/hash.md once more, from its text and by other means.

It shares no code and no library call with mcplock: a recursive-descent parser, strings as
UTF-16 units, doubles by exact fractions, their digits by search with exact decimals.
"""

import hashlib
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

DEPTH, DIGITS = 200, 4000
PRECEDENCE = ("depth", "duplicate-key", "number", "surrogate")
ESCAPES = {"b": 8, "f": 12, "n": 10, "r": 13, "t": 9, '"': 34, "\\": 92, "/": 47}
SPACE = " \t\n\r"


@dataclass
class Result:
    """What a JSON text hashes to: over `form`, canonical, or compact where `invalid` is set."""

    form: str
    invalid: str | None = None

    @property
    def hash(self) -> str:
        return "sha256:" + hashlib.sha256(self.form.encode("utf-8")).hexdigest()


def result(text: str) -> Result:
    reader = Reader(text)
    try:
        form = reader.document()
    except TooDeepError:
        return Result(compact(text), "depth")
    for code in PRECEDENCE:
        if code in reader.faults:
            return Result(compact(text), code)
    return Result(form)


class TooDeepError(Exception):
    """More containers one in another than the scheme allows."""


@dataclass
class Reader:
    """Reads one JSON text and writes its canonical form as it goes."""

    text: str
    at: int = 0
    faults: set[str] = field(default_factory=set)

    def document(self) -> str:
        form = self.value(0)
        self.space()
        assert self.at == len(self.text), "text after the value"
        return form

    def space(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in SPACE:
            self.at += 1

    def take(self, expected: str) -> None:
        self.space()
        assert self.text.startswith(expected, self.at), f"expected {expected} at {self.at}"
        self.at += len(expected)

    def next(self) -> str:
        self.space()
        return self.text[self.at]

    def value(self, depth: int) -> str:
        first = self.next()
        if first in "{[":
            if depth == DEPTH:
                raise TooDeepError
            return self.object(depth + 1) if first == "{" else self.array(depth + 1)
        if first == '"':
            return self.quoted(self.string())
        for word in ("true", "false", "null"):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return word
        return self.number()

    def object(self, depth: int) -> str:
        self.take("{")
        members: dict[tuple[int, ...], str] = {}
        while self.next() != "}":
            if members:
                self.take(",")
                self.space()
            key = tuple(self.string())
            self.take(":")
            if key in members:
                self.faults.add("duplicate-key")
            members[key] = self.value(depth)
        self.take("}")
        return (
            "{" + ",".join(self.quoted(key) + ":" + members[key] for key in sorted(members)) + "}"
        )

    def array(self, depth: int) -> str:
        self.take("[")
        items: list[str] = []
        while self.next() != "]":
            if items:
                self.take(",")
            items.append(self.value(depth))
        self.take("]")
        return "[" + ",".join(items) + "]"

    def string(self) -> list[int]:
        units, self.at = units_of(self.text, self.at)
        return units

    def quoted(self, units: "list[int] | tuple[int, ...]") -> str:
        text, whole = quoted(units)
        if not whole:
            self.faults.add("surrogate")
        return text

    def number(self) -> str:
        begin = self.at
        while self.at < len(self.text) and self.text[self.at] not in SPACE + ",]}":
            self.at += 1
        form = number(self.text[begin : self.at])
        if form is None:
            self.faults.add("number")
        return form or "0"


def units_of(text: str, at: int) -> tuple[list[int], int]:
    """The UTF-16 units of the string that begins at `at`, and where it ends."""
    assert text[at] == '"', f"expected a string at {at}"
    at += 1
    units: list[int] = []
    while text[at] != '"':
        if text[at] != "\\":
            code = ord(text[at])
            assert code >= 32, "a control character in a string"
            units += [code] if code < 0x10000 else pair(code)
            at += 1
        elif text[at + 1] == "u":
            units.append(int(text[at + 2 : at + 6], 16))
            at += 6
        else:
            units.append(ESCAPES[text[at + 1]])
            at += 2
    return units, at + 1


def pair(code: int) -> list[int]:
    high, low = divmod(code - 0x10000, 0x400)
    return [0xD800 + high, 0xDC00 + low]


def quoted(units: "list[int] | tuple[int, ...]") -> tuple[str, bool]:
    """(the string in canonical form, whether no surrogate of it is alone)"""
    out, at, whole = ['"'], 0, True
    while at < len(units):
        unit = units[at]
        following = units[at + 1] if at + 1 < len(units) else 0
        at += 1
        if 0xD800 <= unit < 0xDC00 and 0xDC00 <= following < 0xE000:
            out.append(chr(0x10000 + (unit - 0xD800) * 0x400 + following - 0xDC00))
            at += 1
        elif 0xD800 <= unit < 0xE000:
            out.append(f"\\u{unit:04x}")
            whole = False
        elif unit in (34, 92):
            out.append("\\" + chr(unit))
        elif unit < 32:
            short = [letter for letter, code in ESCAPES.items() if code == unit]
            out.append("\\" + (short[0] if short else f"u{unit:04x}"))
        else:
            out.append(chr(unit))
    return "".join([*out, '"']), whole


def number(literal: str) -> str | None:
    """A number in canonical form; None where it is not one that the scheme takes."""
    if literal in ("NaN", "Infinity", "-Infinity"):
        return None
    if sum(character in "0123456789" for character in literal) > DIGITS:
        return None
    if not set(literal) & set(".eE"):
        return "0" if literal == "-0" else literal
    value = nearest_double(literal)
    return None if value is None else double(value)


def nearest_double(literal: str) -> float | None:
    """The double nearest to a decimal; None where there is none that is finite."""
    mantissa, _, exponent = literal.lower().partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = int(Decimal(whole.lstrip("-") + fraction))
    power = int(exponent or 0) - len(fraction)
    if not digits or power + len(whole + fraction) < -400:
        return 0.0
    if power + Decimal(digits).adjusted() > 400:
        return None
    try:
        value = float(Fraction(digits) * Fraction(10) ** power)
    except OverflowError:
        return None
    return -value if literal.startswith("-") else value


def double(value: float) -> str:
    """A double: an integral one as that integer, others as ECMAScript prints them."""
    exact = Decimal(value)
    if exact == exact.to_integral_value(context=Context(prec=400)):
        return format(exact or abs(exact), "f")
    sign = "-" if value < 0 else ""
    digits, point = shortest(abs(value))  # value = 0.DIGITS * 10 ** point
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    tail = "." + digits[1:] if digits[1:] else ""
    return f"{sign}{digits[0]}{tail}e{point - 1:+d}"


def shortest(value: float) -> tuple[str, int]:
    """The fewest digits that read back as `value`, the nearest of them, an even one of two."""
    exact = Decimal(value)
    for precision in range(1, 18):
        candidates = [
            Context(prec=precision, rounding=rounding, Emin=-400, Emax=400).plus(exact)
            for rounding in (ROUND_FLOOR, ROUND_CEILING)
        ]
        good = [one for one in candidates if nearest_double(format(one, "e")) == value]
        if good:
            best = min(good, key=lambda one: (distance(one, exact), one.as_tuple().digits[-1] % 2))
            digits = "".join(map(str, best.as_tuple().digits)).rstrip("0")
            return digits, best.adjusted() + 1
    raise AssertionError(value)


def distance(one: Decimal, other: Decimal) -> Fraction:
    return abs(Fraction(one) - Fraction(other))


def compact(text: str) -> str:
    """The JSON text without white space, its strings in canonical form."""
    out: list[str] = []
    at = 0
    while at < len(text):
        if text[at] == '"':
            units, at = units_of(text, at)
            out.append(quoted(units)[0])
        else:
            if text[at] not in SPACE:
                out.append(text[at])
            at += 1
    return "".join(out)
