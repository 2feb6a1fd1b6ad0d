"""What of a result is no text for a terminal, kept in files of our own naming."""

import base64
import binascii
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path

from mcplock.errors import McplockError, UsageError
from mcplock.files import is_stream, shown, write_into
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


class Place(NamedTuple):
    """Where attachments go: a directory, which may have to be made, a file, or a stream."""

    path: Path
    is_directory: bool
    is_stream: bool = False


def place(target: str) -> Place:
    """What `target` names; a slash at its end makes it a directory.

    Raises `UsageError`, before anything is called, where it could not take a result.
    """
    path = Path(target)
    if is_stream(path):
        return Place(path, is_directory=False, is_stream=True)
    wanted = Place(path, path.is_dir() or target.endswith(_SEPARATORS))
    if path.is_dir():
        return wanted
    if os.path.lexists(path):
        message = f"{visible(shown(path))} is there already, and is not overwritten"
        raise UsageError(message, hint="name another file, or a directory")
    above = path.parent
    while wanted.is_directory and not os.path.lexists(above):
        above = above.parent
    if not above.is_dir():
        raise UsageError(f"{visible(shown(above))}: no such directory")
    return wanted


_SEPARATORS = tuple(filter(None, (os.sep, os.altsep)))


def save(found: Sequence[Attachment], target: Place) -> list[Saved]:
    """Write each attachment into a directory, to a file, or one after the other to a stream.

    No file is overwritten: in a directory they are called `call-1.png` and so on, the next
    number that is free. Of several for one file the first gets it, and the others a number
    and, where they are of another type, the ending of that.
    """
    sound = [(one, one.data) for one in found if one.data is not None]
    if target.is_stream:
        return [Saved(one, _into_stream(data, target.path)) for one, data in sound]
    if target.is_directory and sound:
        _make(target.path)
    names = _in_directory(target.path) if target.is_directory else _beside(target.path)
    return [Saved(one, _write(data, names(one))) for one, data in sound]


_Names = Callable[[Attachment], Iterator[Path]]
"""The names that an attachment may get, in order; each is tried once for all of them."""


def _in_directory(directory: Path) -> _Names:
    numbers: dict[str, Iterator[int]] = {}

    def names(one: Attachment) -> Iterator[Path]:
        ending = _ending(one)
        free = numbers.setdefault(ending, count(1))
        return (directory / f"call-{number}.{ending}" for number in free)

    return names


def _beside(path: Path) -> _Names:
    numbers = count(2)
    types: list[str] = []

    def names(one: Attachment) -> Iterator[Path]:
        types.append(_type(one))
        if len(types) == 1:
            yield path
        suffix = path.suffix if types[-1] == types[0] else f".{_ending(one)}"
        yield from (path.with_name(f"{path.stem}-{number}{suffix}") for number in numbers)

    return names


def _type(one: Attachment) -> str:
    return one.mime.partition(";")[0].strip().lower()


def _ending(one: Attachment) -> str:
    return _ENDINGS.get(_type(one), "bin")


def _make(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _failed(directory, error) from None


def _into_stream(data: bytes, path: Path) -> Path:
    try:
        write_into(path, data)
    except OSError as error:
        raise _failed(path, error) from None
    return path


def _failed(path: Path, error: OSError) -> McplockError:
    return McplockError(f"{visible(shown(path))}: cannot be written: {error.strerror}")


def _write(data: bytes, names: Iterator[Path]) -> Path:
    """Write `data` to the first of `names` that is free."""
    for path in names:
        try:
            with path.open("xb") as file:
                file.write(data)
        except FileExistsError:
            continue
        except OSError as error:
            raise _failed(path, error) from None
        else:
            return path
    raise AssertionError("there is always another number")
