"""The bytes of a manifest -> its text, whatever editor or system saved them."""

import codecs
import stat
from pathlib import Path

from mcplock.errors import Fault, FaultyFile, McplockError, MissingFile
from mcplock.files import read_bytes, shown

MAX_BYTES = 8 * 1024 * 1024
"""Clients keep histories in their files; none that is larger than this is a configuration."""
MAX_CHARACTERS = 256 * 1024
"""Of TOML and YAML, whose readers are slow; no manifest comes near this."""

_MARKS = (  # the marks of UTF-32 begin with those of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_file(path: Path) -> bytes:
    """The content of `path`; McplockError where it is no regular file or too large."""
    try:
        status = path.stat()
    except FileNotFoundError:
        raise MissingFile(f"{shown(path)}: no such file") from None
    except OSError as error:
        raise McplockError(f"{shown(path)}: cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(status.st_mode):
        kind = "a directory" if stat.S_ISDIR(status.st_mode) else "no regular file"
        raise McplockError(f"{shown(path)}: is {kind}; a manifest is a file")
    if status.st_size > MAX_BYTES:
        size = f"{status.st_size / 2**20:.0f} MB"
        limit = f"{MAX_BYTES // 2**20} MB"
        raise McplockError(f"{shown(path)}: has {size}; a manifest has {limit} at most")
    return read_bytes(path)


def decode(content: bytes, file: str) -> str:
    """The text of `content`, without byte order mark, its lines ended by newlines alone.

    UTF-8, and UTF-16 or UTF-32 with a byte order mark or recognisable without. Raises
    FaultyFile where it is neither, or empty.
    """
    encoding = encoding_of(content)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"not {encoding.removesuffix('-sig').upper()} from byte {error.start} on"
        raise FaultyFile([Fault(file, line, "", message)], hint=f"save {file} as UTF-8") from None
    if not text.strip():
        raise FaultyFile([Fault(file, 0, "", "the file is empty")])
    return text.replace("\r\n", "\n").replace("\r", "\n")


def encoding_of(content: bytes) -> str:
    """The codec that `content` is read with."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return encoding
    # A configuration begins with an ASCII character: a zero beside it tells the encoding.
    match [byte == 0 for byte in content[:2]]:
        case [True, False]:
            return "utf-16-be"
        case [False, True]:
            return "utf-16-le"
    return "utf-8"
