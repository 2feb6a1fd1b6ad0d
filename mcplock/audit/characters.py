"""Lints over the characters of every string and key: what a reviewer cannot see."""

import json
import re
from collections.abc import Iterable, Iterator

from mcplock.audit.findings import Finding, Severity, strings
from mcplock.jsontext import Json
from mcplock.text import hidden

# Where a text in ASCII JSON has none of these, no string of it holds a character to look at.
_WORTH_A_LOOK = re.compile(r"\\[bfru]|\x7f")
_BIDIRECTIONAL = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# Layout that people type or paste: it shows as space, and is only shown when it changes.
_LAYOUT = re.compile("\r(?=\n)|[\t\n\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")


def audit_characters(content: Json) -> Iterator[Finding]:
    """Hidden and bidirectional characters and terminal escapes in `content`."""
    if not _WORTH_A_LOOK.search(json.dumps(content)):
        return
    for at, text in strings(content):
        yield from _audit_text(at, text)


def _audit_text(at: str, text: str) -> Iterator[Finding]:
    found = [hit for place, hit in hidden(text) if not _LAYOUT.match(text, place)]
    controls = [hit for hit in found if _CONTROL.match(hit)]
    turns = [hit for hit in found if _BIDIRECTIONAL.match(hit)]
    others = [hit for hit in found if hit not in controls and hit not in turns]
    if controls:
        yield _finding("terminal-escape", at, "control characters", controls)
    if turns:
        yield _finding("bidirectional", at, "characters that turn the direction", turns)
    if others:
        yield _finding("hidden-character", at, "hidden characters", others)


def _finding(rule: str, at: str, what: str, found: list[str]) -> Finding:
    kinds = list(dict.fromkeys(f"U+{ord(hit):04X}" for hit in found))
    more = f" and {len(kinds) - 5} more kinds" if len(kinds) > 5 else ""
    message = f"{what}: {len(found)}× {', '.join(kinds[:5])}{more}{_spelled(found)}"
    return Finding(rule, Severity.HIGH, at, message)


def _spelled(found: Iterable[str]) -> str:
    """What tag characters, which mirror ASCII unseen, spell."""
    letters = [chr(ord(hit) - 0xE0000) for hit in found if "\U000e0020" <= hit <= "\U000e007e"]
    return f"; they spell {''.join(letters)[:200]!r}" if letters else ""
