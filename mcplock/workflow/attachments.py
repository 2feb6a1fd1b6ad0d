"""What of a result is no text for a terminal, kept in files of our own naming."""

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path

from mcplock.errors import McplockError, UsageError
from mcplock.files import shown
from mcplock.jsontext import Json
from mcplock.records import NamedTuple
from mcplock.text import visible

_ENDINGS = {
    "application/json": "json",
    "application/pdf": "pdf",
    "application/zip": "zip",
    "audio/mpeg": "mp3",
    "audio/mp4": "m4a",
    "audio/ogg": "ogg",
    "audio/wav": "wav",
    "audio/x-wav": "wav",
    "image/gif": "gif",
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/svg+xml": "svg",
    "image/webp": "webp",
    "text/csv": "csv",
    "text/html": "html",
    "text/markdown": "md",
    "text/plain": "txt",
}


class Attachment(NamedTuple):
    """A block of content to keep in a file.

    block: its place in `content`, from 0; kind: its type; mime: what the server says it is;
    data: None where it is not the Base64 that it should be; is_text: whether it can be shown.
    """

    block: int
    kind: str
    mime: str
    data: bytes | None
    is_text: bool = False


class Saved(NamedTuple):
    """An attachment and the file that it is in now."""

    attachment: Attachment
    path: Path


def attachments(content: Sequence[Json]) -> list[Attachment]:
    """The images, sounds and embedded resources among the blocks of a result."""
    found = [_attachment(at, block) for at, block in enumerate(content) if isinstance(block, dict)]
    return [attachment for attachment in found if attachment]


def _attachment(at: int, block: Mapping[str, Json]) -> Attachment | None:
    kind = block.get("type")
    if kind in ("image", "audio"):
        return Attachment(at, kind, _mime(block), _decoded(block.get("data")))
    if kind == "resource" and isinstance(block.get("resource"), dict):
        resource = block["resource"]
        text = resource.get("text")
        if isinstance(text, str):
            data = text.encode("utf-8", "surrogatepass")
            return Attachment(at, kind, _mime(resource), data, is_text=True)
        return Attachment(at, kind, _mime(resource), _decoded(resource.get("blob")))
    return None


def _mime(block: Mapping[str, Json]) -> str:
    mime = block.get("mimeType")
    return mime if isinstance(mime, str) else ""


def _decoded(data: Json) -> bytes | None:
    if not isinstance(data, str):
        return None
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None


MOST_FILES = 1_000
"""Attachments of one result that are saved."""


def check_target(target: Path) -> None:
    """Raise before anything is called where `target` could not take a result."""
    if target.is_dir():
        return
    if target.exists():
        message = f"{visible(shown(target))} is there already, and is not overwritten"
        raise UsageError(message, hint="name another file, or a directory")
    if not target.parent.is_dir():
        raise UsageError(f"{visible(shown(target.parent))}: no such directory")


def save(found: Sequence[Attachment], target: Path) -> list[Saved]:
    """Write each attachment into the directory `target`, or to the file of that name.

    No file is overwritten: in a directory they are called `call-1.png` and so on, the next
    number that is free; several for one file get a number each.
    """
    names: dict[str, Iterator[Path]] = {}
    saved = []
    for one in found:
        ending = _ENDINGS.get(one.mime.partition(";")[0].strip().lower(), "bin")
        key = ending if target.is_dir() else ""
        free = names.setdefault(key, _names(target, ending))  # each name is tried once
        if one.data is not None:
            saved.append(Saved(one, _write(one.data, free)))
    return saved


def _names(target: Path, ending: str) -> Iterator[Path]:
    if target.is_dir():
        yield from (target / f"call-{number}.{ending}" for number in count(1))
    yield target
    yield from (target.with_name(f"{target.stem}-{n}{target.suffix}") for n in count(2))


def _write(data: bytes, names: Iterator[Path]) -> Path:
    """Write `data` to the first of `names` that is free."""
    for path in names:
        try:
            with path.open("xb") as file:
                file.write(data)
        except FileExistsError:
            continue
        except OSError as error:
            message = f"{visible(shown(path))}: cannot be written: {error.strerror}"
            raise McplockError(message) from None
        else:
            return path
    raise AssertionError("there is always another number")
