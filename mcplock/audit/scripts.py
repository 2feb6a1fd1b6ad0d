"""Which scripts a name is written in.

The table is fixed text, not `unicodedata`, whose tables change with Python. It is coarse:
letters are assigned by block, and what is in no range counts as common to all scripts.
"""

from bisect import bisect_right
from unicodedata import ucd_3_2_0  # a frozen copy, the same in every Python

STYLED = "styled Latin"
"""Full-width, mathematical, circled letters: Latin that is drawn otherwise."""

# First and last character, script. The East Asian scripts are one row's word: Japanese and
# Korean are written in several of them at once.
_TABLE = """
0041 005A Latin, 0061 007A Latin, 00C0 00D6 Latin, 00D8 00F6 Latin, 00F8 02AF Latin,
0370 0373 Greek, 0376 037D Greek, 037F 03E1 Greek, 03E2 03EF Coptic, 03F0 03FF Greek,
0400 052F Cyrillic, 0531 0556 Armenian, 0560 0588 Armenian, 05D0 05F2 Hebrew,
0620 064A Arabic, 066E 06D3 Arabic, 06D5 06DC Arabic, 06EE 06EF Arabic, 06FA 06FF Arabic,
0700 074F Syriac, 0750 077F Arabic, 0780 07BF Thaana, 07CA 07FA N'Ko, 0840 085F Mandaic,
0860 086F Syriac, 08A0 08FF Arabic, 0900 0963 Devanagari, 0971 097F Devanagari,
0980 09FF Bengali, 0A00 0A7F Gurmukhi, 0A80 0AFF Gujarati, 0B00 0B7F Oriya,
0B80 0BFF Tamil, 0C00 0C7F Telugu, 0C80 0CFF Kannada, 0D00 0D7F Malayalam,
0D80 0DFF Sinhala, 0E01 0E3A Thai, 0E40 0E4E Thai, 0E80 0EFF Lao, 0F00 0FFF Tibetan,
1000 109F Myanmar, 10A0 10FA Georgian, 10FC 10FF Georgian, 1100 11FF East-Asian,
1200 139F Ethiopic, 13A0 13FF Cherokee, 1400 167F Canadian, 1681 169A Ogham,
16A0 16EA Runic, 1780 17D3 Khmer, 1820 18AA Mongolian, 18B0 18FF Canadian,
1C80 1C8A Cyrillic, 1C90 1CBF Georgian, 1D00 1D25 Latin, 1D26 1D2A Greek,
1D2B 1D2B Cyrillic, 1D2C 1DBF Latin, 1E00 1EFF Latin, 1F00 1FFE Greek, 2126 2126 Greek,
212A 212B Latin, 2C00 2C5F Glagolitic, 2C60 2C7F Latin, 2C80 2CFF Coptic,
2D00 2D2F Georgian, 2D30 2D6F Tifinagh, 2D80 2DDF Ethiopic, 2DE0 2DFF Cyrillic,
2E80 2FD5 East-Asian, 3005 3007 East-Asian, 3021 3029 East-Asian, 3041 3096 East-Asian,
309D 30FF East-Asian, 3105 312F East-Asian, 3131 318E East-Asian, 31A0 31BF East-Asian,
31F0 31FF East-Asian, 3400 4DBF East-Asian, 4E00 9FFF East-Asian, A000 A48C Yi,
A4D0 A4FD Lisu, A640 A69F Cyrillic, A722 A787 Latin, A78B A7FF Latin,
A960 A97C East-Asian, AB30 AB5A Latin, AB5C AB64 Latin, AB65 AB65 Greek,
AB70 ABBF Cherokee, AC00 D7FB East-Asian, F900 FAFF East-Asian, FB13 FB17 Armenian,
FB1D FB4F Hebrew, FB50 FDFB Arabic, FE70 FEFC Arabic, FF66 FFDC East-Asian,
10400 1044F Deseret, 104B0 104FF Osage, 118A0 118FF Warang-Citi, 16F00 16F9F Miao,
1B000 1B16F East-Asian, 20000 3FFFD East-Asian
"""
_ROWS = [row.split() for row in _TABLE.split(",")]
_RANGES = [(int(first, 16), int(last, 16), script) for first, last, script in _ROWS]
_FIRSTS = [first for first, _, _ in _RANGES]


def script(character: str) -> str | None:
    """The script of `character`; None where it is common to all (digits, marks, emoji)."""
    at = bisect_right(_FIRSTS, ord(character)) - 1
    if at >= 0 and ord(character) <= _RANGES[at][1]:
        return _RANGES[at][2]
    return STYLED if _is_styled(character) else None


def mixed(name: str) -> dict[str, str]:
    """Script -> its first letter in `name`, where these scripts do not belong together.

    One script, or Latin with East Asian ones, is what people write; this is the "highly
    restrictive" level of UTS 39, section 5.2. {} where nothing is mixed.
    """
    if name.isascii():
        return {}
    first: dict[str, str] = {}
    for character in name:
        found = script(character)
        if found:
            first.setdefault(found, character)
    foreign = first.keys() - {"East-Asian"}
    return first if len(foreign) > 1 or (foreign - {"Latin", STYLED} and len(first) > 1) else {}


def _is_styled(character: str) -> bool:
    plain = ucd_3_2_0.normalize("NFKD", character)
    return plain != character and len(plain) == 1 and plain.isascii() and plain.isalpha()
