"""How wide text is in a terminal."""

import unicodedata


def cells(text: str) -> int:
    """How many columns of a terminal `text` takes."""
    return len(text) if text.isascii() else sum(map(_cell, text))


def _cell(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
