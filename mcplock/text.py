"""Characters that do not show, and how to show them.

The ranges are fixed text, not `unicodedata`: its tables change with Python, and
the lock must not.
"""

import re

# Controls, every space but U+0020, soft hyphen, grapheme joiner, Arabic letter mark,
# Hangul fillers, Ogham space, Khmer inherent vowels, Mongolian selectors and separator,
# zero-width, bidirectional and separator characters, Braille blank, surrogates, private use,
# variation selectors, BOM, half-width filler, non-characters, specials.
_HIDDEN_BMP = (
    "\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ud800-\udfff\ue000-\uf8ff"
    "\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
)
# Egyptian and shorthand and musical format controls, tags, selectors, planes 14 to 16.
_HIDDEN_ASTRAL = (
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U0003fffe\U0003ffff"
    "\U000e0000-\U0010ffff"
)
HIDDEN = re.compile(f"[{_HIDDEN_BMP}{_HIDDEN_ASTRAL}]")

# What the lock writes as \uXXXX: the hidden ones, combining marks, all above U+FFFF.
ESCAPED = re.compile(f'["\\\\{_HIDDEN_BMP}\u0300-\u036f\U00010000-\U0010ffff]')

_SUSPECT = re.compile(f"[⟨{_HIDDEN_BMP}{_HIDDEN_ASTRAL}]")

# A variation selector or a joiner belongs where it stands: inside an emoji, or between
# letters of a script whose shaping needs it (Arabic, Syriac, the Indic scripts, Sinhala, …).
_PICTURE = (
    "[#*0-9\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf"
    "\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001fbff]"
)
_JOINING = (
    "[\u0600-\u061b\u061d-\u07ff\u0840-\u086f\u08a0-\u0dff\u0f00-\u109f\u1780-\u17b3\u17b6-\u17ff]"
)
_ALLOWED = re.compile(
    f"{_PICTURE}\ufe0f?\u20e3?[\U0001f3fb-\U0001f3ff]?"
    f"(?:\u200d{_PICTURE}\ufe0f?[\U0001f3fb-\U0001f3ff]?)*"
    f"|{_JOINING}[\u200c\u200d](?={_JOINING})"
)


def _mark(character: str) -> str:
    return f"⟨U+{ord(character):04X}⟩"


def visible(text: str) -> str:
    """`text` with every hidden character as `⟨U+200B⟩`, safe for a terminal.

    `⟨` itself becomes `⟨U+27E8⟩`, so no two texts look the same. Newlines and tabs are
    hidden characters too: split prose into lines first.
    """
    if not _SUSPECT.search(text):
        return text
    shown: list[str] = []
    at = 0
    while at < len(text):
        allowed = _ALLOWED.match(text, at)
        if allowed and allowed.end() > at + 1:
            shown.append(allowed.group())
            at = allowed.end()
            continue
        shown.append(_SUSPECT.sub(lambda hit: _mark(hit.group()), text[at]))
        at += 1
    return "".join(shown)


def visible_lines(text: str) -> list[str]:
    """The lines of `text`, each passed through `visible`."""
    return [visible(line) for line in text.split("\n")]


def printable(text: str) -> str:
    r"""`text` as JSON-safe text: hidden characters as `\uXXXX`, all else as it is."""
    return HIDDEN.sub(lambda hit: escape_character(hit.group()), text)


def escape_character(character: str) -> str:
    r"""`character` as `\uXXXX`, above U+FFFF as a pair of surrogates."""
    code = ord(character)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
