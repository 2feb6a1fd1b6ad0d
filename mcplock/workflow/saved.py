"""A listing that somebody saved: a JSON-RPC answer, its result, or the list alone."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from mcplock.definitions import listing
from mcplock.errors import Fault, FaultyFile, McplockError
from mcplock.files import read_bytes, shown
from mcplock.jsontext import JsonFault, line_at, member, spans
from mcplock.jsontext import Path as JsonPath
from mcplock.manifest.encoding import decode
from mcplock.model import SECTIONS, Entry, Issue, Kind, Section
from mcplock.records import NamedTuple
from mcplock.text import visible

Spans = Sequence[tuple[JsonPath, int, int]]


class Saved(NamedTuple):
    """What a file holds; server: the file's name without its ending.

    entries: by kind and name; lines: on which line of the file each begins.
    """

    path: Path
    server: str
    entries: Mapping[tuple[Kind, str], Entry]
    lines: Mapping[tuple[Kind, str], int]
    issues: Sequence[Issue]


def is_lock(path: Path) -> bool:
    """Whether the file at `path` is a lock, whatever it is called."""
    return b'"lockfileVersion"' in read_bytes(path)[:1000]


def read_saved(path: Path) -> Saved:
    """The definitions in the file at `path`; `McplockError` where it is no listing."""
    file = visible(shown(path))
    text = decode(read_bytes(path), file)
    try:
        found = spans(text, levels=3)
    except JsonFault as fault:
        told = Fault(file, line_at(text, fault.position), "", f"not JSON: {visible(fault.message)}")
        raise FaultyFile([told]) from None
    page, lists = _page(text, found, file)
    entries: dict[tuple[Kind, str], Entry] = {}
    lines: dict[tuple[Kind, str], int] = {}
    issues: list[Issue] = []
    for section in SECTIONS:
        if section.kind in lists:
            listed = listing(path.stem, section, [page], {})
            entries |= {(section.kind, name): entry for name, entry in listed.entries.items()}
            issues += listed.issues
            lines |= _lines(text, found, section, lists[section.kind])
    return Saved(path, path.stem, entries, lines, issues)


def _page(text: str, found: Spans, file: str) -> tuple[str, dict[Kind, JsonPath]]:
    """(the text as the answer to a request, where in it the list of each kind stands)."""
    there = {path for path, start, _ in found if text[start] == "["}
    if text.lstrip().startswith("["):
        return f'{{"result": {{"tools": {text}}}}}', {Kind.TOOL: ()}
    for page, keys in ((f'{{"result": {text}}}', ()), (text, ("result",))):
        lists = {section.kind: (*keys, section.key) for section in SECTIONS}
        if there.intersection(lists.values()):
            return page, {kind: path for kind, path in lists.items() if path in there}
    message = f"{file}: holds no listing: no `tools`, no `result` with `tools`, and is no list"
    hint = f"of a manifest, `mcplock audit --manifest-only --manifest {file}`"
    raise McplockError(message, hint=hint)


def _lines(
    text: str, found: Spans, section: Section, within: JsonPath
) -> dict[tuple[Kind, str], int]:
    """On which line of `text` each definition of the list at `within` begins."""
    lines: dict[tuple[Kind, str], int] = {}
    for path, start, end in found:
        if path and path[:-1] == within and isinstance(path[-1], int):
            name = member(text[start:end], section.identity)
            if name is not None:
                lines.setdefault((section.kind, name), line_at(text, start))
    return lines
