"""What is wrong with TOML text, in words, and on which line each key stands."""

import re
import tomllib
from itertools import islice

from mcplock.errors import Fault
from mcplock.jsontext import Path
from mcplock.lazy import pattern
from mcplock.manifest.document import Document
from mcplock.manifest.excerpt import Lines
from mcplock.manifest.tomlkeys import Key, keys

_AT = pattern(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_MANY = 100
"""Keys written twice that are told; nobody reads more."""

_ESCAPE = "not an escape that TOML knows; write a backslash twice, or use single quotes"
_WORDS = (
    (r"Invalid value", "not a value; strings stand in quotes"),
    (r"Illegal character '\\n'", "a string that does not end on its line"),
    (r"Unescaped .*|Invalid hex value", _ESCAPE),
    (r"Expected '=' after a key.*", "a key that no `=` follows"),
    (r"(?:Cannot|Can't) .*", "this is defined above in another way"),
    (r"Expected newline or end of document.*", "one line holds one key and its value"),
)


def lines_of(text: str) -> dict[Path, int]:
    """The line, from 1, of each key of `text`."""
    lines = Lines(text)
    places: dict[Path, int] = {}
    for key in keys(text):
        for length in range(1, len(key.path) + 1):
            places.setdefault(key.path[:length], lines.line(key.start))
    return places


def tell_faults(document: Document, text: str) -> None:
    """Note what is wrong with `text`; where that is keys written twice, read it without them."""
    lines = Lines(text)
    fault = _parse(document, text, lines)
    if fault and (twice := _written_twice(keys(text))):
        fault = _parse(document, _without(text, [again for _, again in twice]), lines)
        for first, again in twice:
            line = lines.line(again.start)
            document.fault(first.path, _told_twice(lines.line(first.start), line))
            if fault and fault.line == line:  # an inline table is not well formed without the key
                fault = None
    if fault:
        document.faults.append(fault)


def _parse(document: Document, text: str, lines: Lines) -> Fault | None:
    try:
        document.value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _AT.search(str(error))
        end = len(text) - 1
        at = lines.position(int(place[1]), int(place[2])) if place and place[1] else end
        return lines.fault(document.file, at, _in_words(_AT.sub("", str(error))))
    except RecursionError:
        return Fault(document.file, 0, "", "nests too deeply")
    except ValueError:  # Python's own limit of an integer's digits
        return Fault(document.file, 0, "", "a number of too many digits")
    return None


def _in_words(message: str) -> str:
    for said, words in _WORDS:
        if re.fullmatch(said, message):
            return words
    return message[:1].lower() + message[1:]


def _written_twice(found: list[Key]) -> list[tuple[Key, Key]]:
    """Each key or header that stands again, behind the first of its name."""
    first: dict[Path, Key] = {}
    twice = ((first[key.path], key) for key in found if first.setdefault(key.path, key) is not key)
    return list(islice(twice, _MANY))


def _told_twice(first: int, again: int) -> str:
    return "is written twice" + (f" (again on line {again})" if again != first else "")


def _without(text: str, unwanted: list[Key]) -> str:
    """`text` with the keys blanked out, so that every position stays true."""
    for key in unwanted:
        blank = re.sub("[^\n]", " ", text[key.start : key.end])
        text = text[: key.start] + blank + text[key.end :]
    return text
