"""How wide text is in a terminal."""

import unicodedata
from collections.abc import Iterator

_JOINER = "\u200d"


def cells(text: str) -> int:
    """How many columns of a terminal `text` takes."""
    return len(text) if text.isascii() else sum(map(_cell, text))


def clusters(text: str) -> Iterator[str]:
    """The characters of `text`, each with the marks and joiners that belong to it."""
    cluster = ""
    for character in text:
        if cluster and not belongs(cluster, character):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def belongs(before: str, after: str) -> bool:
    """Whether nothing may come between the end of `before` and the begin of `after`."""
    return _cell(after[0]) == 0 or before.endswith(_JOINER)


def _cell(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
