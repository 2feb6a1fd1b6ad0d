"""How a lock that reads well is not as the writer writes it."""

from itertools import zip_longest

from mcplock.files import shown
from mcplock.lockfile import LockFile, format_lock
from mcplock.text import visible

_MARK = b"\xef\xbb\xbf"
_LONGEST = 200


def form_notes(file: LockFile) -> list[str]:
    """What is written otherwise, its place named; nothing where the file is canonical."""
    if file.canonical:
        return []
    name = shown(file.path)
    data = file.data
    notes = []
    if data.startswith(_MARK):
        notes.append(f"{name}: begins with a byte order mark")
        data = data.removeprefix(_MARK)
    if b"\r\n" in data:
        notes.append(f"{name}: its lines end with CRLF, not LF")
        data = data.replace(b"\r\n", b"\n")
    return notes + _first_difference(name, data.decode(), format_lock(file.lock))


def _first_difference(name: str, is_now: str, should_be: str) -> list[str]:
    lines = zip_longest(is_now.split("\n"), should_be.split("\n"))
    for number, (now, then) in enumerate(lines, start=1):
        if now != then:
            head = f"{name}:{number}: not as mcplock writes it"
            return [f"{head}\n  is         {_quoted(now)}\n  should be  {_quoted(then)}"]
    return []


def _quoted(text: str | None) -> str:
    if text is None:
        return "nothing: the file ends"
    more = "…" if len(text) > _LONGEST else ""
    return f"`{visible(text[:_LONGEST])}{more}`"
