"""What clients' files name that the manifest does not have."""

from collections.abc import Callable, Sequence
from pathlib import Path

from mcplock.files import shown
from mcplock.manifest.unread import Unread
from mcplock.render.terms import count
from mcplock.text import visible


def unread_warnings(found: Sequence[Unread]) -> list[str]:
    """One line for each file."""
    return [_line(one) for one in found]


def _line(one: Unread) -> str:
    name = f"`{visible(shown(one.file))}`"
    if one.faulty:
        return f"{name} is not included and cannot be read; clients may take servers from it"
    told = []
    if one.missing:
        servers = count(len(one.missing), "server")
        told.append(f"{servers} that the manifest does not have: {_names(one.missing)}")
    if one.differing:
        servers = count(len(one.differing), "server")
        told.append(f"{servers} that the manifest has otherwise: {_names(one.differing)}")
    return f"{name} names {'; '.join(told)}"


def unread_hints(found: Sequence[Unread], written: Callable[[Path], str]) -> list[str]:
    """How they get into the lock; written: a file as `include` has it. Faulty ones cannot."""
    found = [one for one in found if not one.faulty]
    if not found:
        return []
    if any(one.differing for one in found):
        first = next(one for one in found if one.differing)
        what = f"{_names(first.differing)} in one of the two files"
        return [f"rename {what}, then name {visible(written(first.file))} in `include`"]
    return [f"name {visible(written(found[0].file))} in `include`, and its servers are locked too"]


def _names(names: Sequence[str]) -> str:
    return ", ".join(map(visible, names))
