"""Lints over the characters of every string and key: what a reviewer cannot see."""

import json
import re
from collections.abc import Iterator, Sequence

from mcplock.audit.findings import Finding, Severity, strings
from mcplock.jsontext import Json
from mcplock.lazy import pattern
from mcplock.text import HIDDEN, hidden

_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode
# Where the JSON text has none of these, no string of it holds a character to look at.
_IN_ASCII = pattern(r"\\[bfru]|\x7f")
_IN_OTHERS = pattern(rf"\\[bfru]|{HIDDEN.pattern}")
_TAG = pattern("[\U000e0020-\U000e007e]")
# Layout that people type or paste: it shows as space, and is only shown when it changes.
_LAYOUT = pattern("\r(?=\n)|[\t\n\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_NOTHING = pattern("(?!)")
_RULES = {
    "terminal-escape": ("control characters", pattern("[\x00-\x1f\x7f-\x9f]")),
    "bidirectional": (
        "characters that turn the direction of text",
        pattern("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"),
    ),
    "hidden-character": ("hidden characters", HIDDEN),
}


def audit_characters(content: Json) -> Iterator[Finding]:
    """Hidden and bidirectional characters and terminal escapes in `content`."""
    if _worth_a_look(content):
        for at, text in strings(content):
            yield from audit_text(at, text, _LAYOUT)


def _worth_a_look(content: Json) -> bool:
    try:
        written = _encode(content)
    except ValueError:  # an integer longer than the interpreter was told to write
        return True
    return bool((_IN_ASCII if written.isascii() else _IN_OTHERS).search(written))


def audit_text(at: str, text: str, but: re.Pattern[str] = _NOTHING) -> Iterator[Finding]:
    """The findings of one text; where `but` matches, the character is no surprise."""
    found: dict[str, list[str]] = {rule: [] for rule in _RULES}
    for place, hit in hidden(text):
        if not but.match(text, place):
            found[_rule(hit)].append(hit)
    for rule, hits in found.items():
        if hits:
            message = f"{_RULES[rule][0]}: {_told(hits)}{_spelled(hits)}"
            yield Finding(rule, Severity.HIGH, at, message)


def _rule(character: str) -> str:
    return next(rule for rule, (_, pattern) in _RULES.items() if pattern.match(character))


def _told(hits: Sequence[str]) -> str:
    kinds = [f"U+{ord(hit):04X}" for hit in dict.fromkeys(hits)]
    more = f" and {len(kinds) - 5} more kinds" if len(kinds) > 5 else ""
    return f"{len(hits)}× {', '.join(kinds[:5])}{more}"


def _spelled(hits: Sequence[str]) -> str:
    """What tag characters, which mirror ASCII unseen, spell."""
    letters = "".join(chr(ord(hit) - 0xE0000) for hit in hits if _TAG.match(hit))
    return f"; they spell {letters[:200]!r}" if letters else ""
