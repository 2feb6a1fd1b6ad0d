"""The text of a regular expression -> its tree.

JSON Schema means ECMA-262 with the `u` flag. What older engines take beside that is read
too where its meaning is clear: identity escapes of punctuation, lone `]` and `}`, and of
Python's dialect `(?P<name>…)` and a leading `(?i)`.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from mcplock.lazy import pattern
from mcplock.patterns.tree import (
    Category,
    Chars,
    Edge,
    Either,
    Join,
    Look,
    Node,
    Range,
    Repeat,
    outside,
)

MAX_LENGTH = 20_000
MAX_NESTING = 100


class Unsupported(ValueError):
    """The text cannot be read, or asks for what is not matched here."""


class Feature(StrEnum):
    """What not every engine understands, or not all alike."""

    LOOKAROUND = "a lookaround"
    PROPERTY = "a Unicode property"
    NAMED_GROUP = "a named group"
    FLAG = "an inline flag"
    SET_SYNTAX = "an unescaped `[`, `&&`, `--` or `~~` in a class"
    UNICODE_ESCAPE = "a `\\u` or `\\c` escape"
    EMPTY_CLASS = "an empty class"
    LARGE_COUNT = "a count above 1,000"


@dataclass(frozen=True, slots=True)
class Reading:
    """A pattern as read; `features` in the order of their first appearance."""

    node: Node
    ignore_case: bool
    features: tuple[Feature, ...]


def read(source: str) -> Reading:
    """The tree of `source`; raises `Unsupported` with the reason where there is none."""
    if len(source) > MAX_LENGTH:
        raise Unsupported(f"it is {len(source):,} characters long")
    return _Reader(source).whole()


_DIGITS = ((0x30, 0x39),)
WORDS = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_SPACES = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)
_LINE_ENDS = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
_SETS = {"d": _DIGITS, "w": WORDS, "s": _SPACES}
_CONTROLS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "0": 0}
_QUANTIFIER = pattern(r"[*+?]|\{(\d+)(,?)(\d*)\}")
_HEX = pattern(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}")
_LOW = pattern(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_PROPERTY = pattern(r"\{(?:(?:gc|General_Category)=)?(\w+)\}")
_GROUP = pattern(r"\?(?::|(P?<)(?![=!])([^>()]+)>|(<?)([=!]))")

_MAJOR = {
    "L": "Lu Ll Lt Lm Lo",
    "M": "Mn Mc Me",
    "N": "Nd Nl No",
    "P": "Pc Pd Ps Pe Pi Pf Po",
    "S": "Sm Sc Sk So",
    "Z": "Zs Zl Zp",
    "C": "Cc Cf Cs Co Cn",
}
_LONG = {
    "Letter": "L",
    "Uppercase_Letter": "Lu",
    "Lowercase_Letter": "Ll",
    "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm",
    "Other_Letter": "Lo",
    "Mark": "M",
    "Number": "N",
    "Decimal_Number": "Nd",
    "Punctuation": "P",
    "Symbol": "S",
    "Separator": "Z",
    "Space_Separator": "Zs",
    "Other": "C",
    "Control": "Cc",
}


class _Reader:
    """Reads one pattern from left to right."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.nesting = 0
        self.features: dict[Feature, None] = {}

    def whole(self) -> Reading:
        ignore_case = self.take("(?i)")
        if ignore_case:
            self.note(Feature.FLAG)
        node = self.either()
        if self.at < len(self.source):
            raise Unsupported("a `)` closes nothing")
        return Reading(node, ignore_case, tuple(self.features))

    def note(self, feature: Feature) -> None:
        self.features.setdefault(feature)

    def peek(self) -> str:
        return self.source[self.at : self.at + 1]

    def take(self, text: str) -> bool:
        if self.source.startswith(text, self.at):
            self.at += len(text)
            return True
        return False

    def either(self) -> Node:
        branches = [self.join()]
        while self.take("|"):
            branches.append(self.join())
        return branches[0] if len(branches) == 1 else Either(tuple(branches))

    def join(self) -> Node:
        parts = []
        while self.peek() not in ("", "|", ")"):
            parts.append(self.repeated(self.atom()))
        return parts[0] if len(parts) == 1 else Join(tuple(parts))

    def repeated(self, node: Node) -> Node:
        hit = _QUANTIFIER.match(self.source, self.at)
        if hit is None:
            return node
        self.at = hit.end()
        self.take("?")  # as few as can be, or as many: whether it matches is the same
        if _QUANTIFIER.match(self.source, self.at):
            raise Unsupported("a quantifier of a quantifier")
        least, most = _counts(hit)
        if most is not None and most < least:
            raise Unsupported("a quantifier whose numbers are out of order")
        if max(least, most or 0) > 1_000:
            self.note(Feature.LARGE_COUNT)
        return Repeat(node, least, most)

    def atom(self) -> Node:
        character = self.peek()
        if _QUANTIFIER.match(self.source, self.at):
            raise Unsupported(f"a `{character}` that repeats nothing")
        self.at += 1
        match character:
            case "^":
                return Edge.START
            case "$":
                return Edge.END
            case ".":
                return Chars(_LINE_ENDS, negated=True)
            case "(":
                return self.group()
            case "[":
                return self.chars()
            case "\\":
                return self.escape()
            case _:
                return _one(ord(character))

    def group(self) -> Node:
        look = None
        if self.peek() == "?":
            hit = _GROUP.match(self.source, self.at)
            if hit is None:
                raise Unsupported(f"a group that begins with `({self.source[self.at :][:3]}`")
            self.at = hit.end()
            if hit[1]:
                self.note(Feature.NAMED_GROUP)
            look = hit if hit[4] else None
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            raise Unsupported(f"more than {MAX_NESTING} groups one in another")
        body = self.either()
        self.nesting -= 1
        if not self.take(")"):
            raise Unsupported("a group that is not closed")
        if look is None:
            return body
        self.note(Feature.LOOKAROUND)
        return Look(body, behind=look[3] == "<", negated=look[4] == "!")

    def escape(self) -> Node:
        character = self.peek()
        if character in ("b", "B"):
            self.at += 1
            return Edge.WORD if character == "b" else Edge.INSIDE
        if character in ("k", *"123456789"):
            raise Unsupported("a back-reference")
        found = self.escaped()
        return found if isinstance(found, Chars) else _one(found)

    def escaped(self) -> Chars | int:
        """What stands behind a backslash: a set, or one code point."""
        character = self.peek()
        self.at += 1
        if character.lower() in _SETS:
            ranges = _SETS[character.lower()]
            return Chars(ranges if character.islower() else outside(ranges))
        if character in ("p", "P"):
            return self.property(negated=character == "P")
        if character in _CONTROLS:
            return _CONTROLS[character]
        if character == "c" and self.peek().isascii() and self.peek().isalpha():
            self.note(Feature.UNICODE_ESCAPE)
            self.at += 1
            return ord(self.source[self.at - 1]) % 32
        if character in ("x", "u"):
            return self.hexadecimal()
        if not character or character.isalnum():
            raise Unsupported(f"the escape `\\{character}`")
        return ord(character)

    def hexadecimal(self) -> int:
        hit = _HEX.match(self.source, self.at - 1)
        if hit is None:
            raise Unsupported(f"the escape `\\{self.source[self.at - 1]}` without its digits")
        self.at = hit.end()
        code = int(hit[1] or hit[2] or hit[3], 16)
        if not hit[1]:
            self.note(Feature.UNICODE_ESCAPE)
        low = _LOW.match(self.source, self.at) if hit[2] and 0xD800 <= code <= 0xDBFF else None
        if low:
            self.at = low.end()
            code = 0x10000 + ((code - 0xD800) << 10) + int(low[1], 16) - 0xDC00
        if code > 0x10FFFF:
            raise Unsupported("a code point that does not exist")
        return code

    def property(self, *, negated: bool) -> Chars:
        self.note(Feature.PROPERTY)
        hit = _PROPERTY.match(self.source, self.at)
        name = _LONG.get(hit[1], hit[1]) if hit else ""
        names = _MAJOR[name].split() if name in _MAJOR else [name]
        if hit is None or not any(names[0] in group.split() for group in _MAJOR.values()):
            raise Unsupported("a Unicode property that is no general category")
        self.at = hit.end()
        return Chars(categories=(Category(frozenset(names), negated),))

    def chars(self) -> Chars:
        negated = self.take("^")
        if self.source.startswith("[:", self.at):
            raise Unsupported("a POSIX class")
        ranges: list[Range] = []
        categories: list[Category] = []
        if self.peek() == "]":
            self.note(Feature.EMPTY_CLASS)
        while not self.take("]"):
            if not self.peek():
                raise Unsupported("a `[` that is not closed")
            first = self.member()
            if isinstance(first, Chars):
                ranges += first.ranges
                categories += first.categories
                continue
            ranges.append((first, self.last_of_range(first)))
        return Chars(tuple(ranges), tuple(categories), negated)

    def last_of_range(self, first: int) -> int:
        """The end of a range that may have begun with `first`."""
        before = self.at
        if self.take("-") and self.peek() not in ("", "]"):
            last = self.member()
            if isinstance(last, int):
                if last < first:
                    raise Unsupported("a range whose ends are out of order")
                return last
        self.at = before
        return first

    def member(self) -> Chars | int:
        if any(self.source.startswith(mark, self.at) for mark in ("[", "&&", "--", "~~")):
            self.note(Feature.SET_SYNTAX)
        if not self.take("\\"):
            self.at += 1
            return ord(self.source[self.at - 1])
        if self.take("b"):
            return 8
        return self.escaped()


def _one(code: int) -> Chars:
    return Chars(((code, code),))


def _counts(hit: re.Match[str]) -> tuple[int, int | None]:
    match hit[0]:
        case "*":
            return 0, None
        case "+":
            return 1, None
        case "?":
            return 0, 1
    if max(len(hit[1]), len(hit[3])) > 9:
        raise Unsupported("a count without measure")
    least = int(hit[1])
    if not hit[2]:
        return least, least
    return least, int(hit[3]) if hit[3] else None
