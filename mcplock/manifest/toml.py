"""TOML text -> a document; its lines and faults are looked for where somebody asks."""

import tomllib

from mcplock.jsontext import Path
from mcplock.manifest.document import Document


def read(text: str, file: str) -> Document:
    """The document of `text`; with faults and no value where it is not TOML.

    A key that stands twice is a fault, and its first value the one that is read.
    """
    document = Document(file)
    document.find_lines = lambda: _lines_of(text)
    try:
        document.value = tomllib.loads(text)
    except (ValueError, RecursionError):  # a number of too many digits is a mere ValueError
        from mcplock.manifest.tomlfaults import tell_faults

        tell_faults(document, text)
    return document


def _lines_of(text: str) -> dict[Path, int]:
    from mcplock.manifest.tomlfaults import lines_of

    return lines_of(text)
