"""Characters that do not show, and how to show them.

The ranges are fixed text, not `unicodedata`: its tables change with Python, and
the lock must not.
"""

import re
from collections.abc import Iterator

from mcplock.lazy import pattern

# Controls, every space but U+0020, soft hyphen, grapheme joiner, Arabic and Syriac format
# signs, Hangul fillers, Ogham space, Khmer inherent vowels, Mongolian selectors and separator,
# zero-width, bidirectional and separator characters, Braille blank, surrogates, private use,
# variation selectors, BOM, half-width filler, non-characters, specials.
_HIDDEN_BMP = (
    "\x00-\x1f\x7f-\xa0\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160"
    "\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164"
    "\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
)
# Kaithi, Egyptian, shorthand and musical format controls, blank glyphs, non-characters, and
# all from plane 4 on: unassigned, tags, selectors, private use.
_HIDDEN_ASTRAL = (
    "\U000110bd\U000110cd\U00013430-\U0001343f\U00016fe4\U0001bca0-\U0001bca3"
    "\U0001d159\U0001d173-\U0001d17a"
    "\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U0003fffe-\U0010ffff"
)
HIDDEN = pattern(f"[{_HIDDEN_BMP}{_HIDDEN_ASTRAL}]")

# What the lock writes as \uXXXX: the hidden ones, combining marks, all above U+FFFF.
ESCAPED = pattern(f"[{_HIDDEN_BMP}\u0300-\u036f\U00010000-\U0010ffff]")

_SUSPECT = pattern(f"[⟨{_HIDDEN_BMP}{_HIDDEN_ASTRAL}]")

# A selector or a joiner belongs where it stands inside a well-formed emoji, and between
# letters of a script whose shaping needs joiners. A picture is what has an emoji form.
_PICTURE = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf"
    "\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001fbff]"
)
_ELEMENT = f"{_PICTURE}(?:[\ufe0e\ufe0f]|[\U0001f3fb-\U0001f3ff])?"
_REGIONS = "(?:gbeng|gbsct|gbwls)".translate(
    {code: code + 0xE0000 for code in b"abcdefghijklmnopqrstuvwxyz"}
)
_EMOJI = f"\U0001f3f4{_REGIONS}\U000e007f|[#*0-9]\ufe0f\u20e3|{_ELEMENT}(?:\u200d{_ELEMENT})*"
# Arabic, Syriac, Mandaic, N'Ko, the Indic scripts, Tibetan, Myanmar, Khmer, Mongolian:
# letters and marks, without signs and digits.
_LETTER = (
    "[\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d5-\u06dc\u06df-\u06ef\u06fa-\u06ff\u0710-\u07bf"
    "\u07ca-\u07f5\u0840-\u085b\u0860-\u086a\u08a0-\u08e1\u08e3-\u0963\u0971-\u0dff"
    "\u0f40-\u0fbc\u1000-\u103f\u1050-\u109d\u1780-\u17b3\u17b6-\u17d3\u1820-\u18aa]"
)
_BELONGS = f"{_EMOJI}|{_LETTER}[\u200c\u200d](?={_LETTER})"
_MARKED = pattern(f"(?:{_BELONGS})|(?P<marked>[⟨{_HIDDEN_BMP}{_HIDDEN_ASTRAL}])")


def plain(text: str) -> bool:
    """Whether `text` is ASCII that shows; that is known without compiling an expression."""
    return text.isascii() and text.isprintable()


def hidden(text: str) -> Iterator[tuple[int, str]]:
    """(position, character) of each hidden character that does not belong where it stands."""
    if not plain(text) and HIDDEN.search(text):
        for hit in _MARKED.finditer(text):
            if hit["marked"] and hit["marked"] != "⟨":
                yield hit.start(), hit["marked"]


def visible(text: str) -> str:
    """`text` with every hidden character as `⟨U+200B⟩`, safe for a terminal.

    `⟨` itself becomes `⟨U+27E8⟩`, so no two texts look the same. Selectors and joiners that
    belong where they stand are kept. Newlines and tabs are hidden characters too: split
    prose into lines first.
    """
    if plain(text) or not _SUSPECT.search(text):
        return text
    return _MARKED.sub(_shown, text)


def _shown(hit: re.Match[str]) -> str:
    marked = hit["marked"]
    return f"⟨U+{ord(marked):04X}⟩" if marked else hit[0]


def visible_lines(text: str) -> list[str]:
    """The lines of `text`, each passed through `visible`."""
    return [visible(line) for line in text.split("\n")]


_LOG_COMMAND = pattern(r"^(?P<before>\s*):(?=:)|(?P<marks>##\w*)\[")


def inert(line: str) -> str:
    """`line` as no CI system takes it for a command in a job's log.

    GitHub obeys a line that begins with `::`, Azure and others `##…[` anywhere. The character
    that makes the command becomes a mark, as `visible` writes it.
    """
    if "::" not in line and "##" not in line:
        return line
    return _LOG_COMMAND.sub(_disarmed, line)


def _disarmed(hit: re.Match[str]) -> str:
    if hit["marks"]:
        return f"{hit['marks']}⟨U+005B⟩"
    return f"{hit['before']}⟨U+003A⟩"


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
