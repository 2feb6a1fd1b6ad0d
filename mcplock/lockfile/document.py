"""The bytes of mcp.lock -> one JSON value, or what keeps every reader from it, and where."""

import codecs
import json
import re
from itertools import islice
from typing import NoReturn

from mcplock.errors import Fault, FaultyFile
from mcplock.jsontext import (
    MAX_DEPTH,
    FaultCode,
    Json,
    JsonFault,
    Path,
    events,
    line_at,
    parse,
)
from mcplock.lazy import pattern
from mcplock.lockfile.damage import Damage, FaultyLock
from mcplock.text import visible

MOST = 100
"""Faults of one kind that are told; nobody reads more."""

_CONFLICT = pattern(r"^(?:<{7}|\|{7}|={7}|>{7})(?:[ \r][^\n]*)?$", re.MULTILINE)
_NOT_SPACE = pattern(r"[^ \t\n\r]")
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"{\0", b"\0{")


def decoded(data: bytes, name: str) -> str:
    """The text of the file, without a byte order mark."""
    if data.startswith(_UTF16):
        raise FaultyFile([Fault(name, 1, "", "saved as UTF-16; save it as UTF-8")])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"not UTF-8: byte 0x{data[error.start]:02X}; save it as UTF-8"
        raise FaultyFile([Fault(name, line, "", message)]) from None


def parsed(text: str, name: str) -> tuple[Json, bool]:
    """The value of `text`, and whether all its numbers are such that the lock may hold them.

    The last of two equal keys counts, and null stands for a bad number: `duplicate_keys` and
    `bad_numbers` tell where they are.
    """
    try:
        return parse(text, unique_keys=False), True
    except JsonFault as fault:
        if fault.code is not FaultCode.NUMBER:
            _refuse(text, name, fault)
    try:
        return _lenient.decode(text), False
    except json.JSONDecodeError as error:
        _refuse(text, name, JsonFault(FaultCode.SYNTAX, error.msg, error.pos))
    except RecursionError:
        _refuse(text, name, JsonFault(FaultCode.DEPTH, ""))


def bad_numbers(text: str) -> list[tuple[Path, str]]:
    """Each number of a JSON text that the lock may not hold: its place, and what is wrong."""
    found: list[tuple[Path, str]] = []
    for path, (group, literal, _) in events(text):
        if group == "scalar" and len(found) < MOST:
            try:
                parse(literal)
            except JsonFault as fault:
                found.append((tuple(path), fault.message))
    return found


def _number(literal: str) -> Json:
    try:
        return parse(literal)
    except JsonFault:
        return None


_lenient = json.JSONDecoder(parse_int=_number, parse_float=_number, parse_constant=_number)


def _refuse(text: str, name: str, fault: JsonFault) -> NoReturn:
    if not text or text.isspace():
        raise FaultyLock([Fault(name, 0, "", "the file is empty")], Damage.EMPTY)
    marks = list(islice(_CONFLICT.finditer(text), MOST))
    if any(mark[0][0] in "<>" for mark in marks):
        faults = [
            Fault(name, line_at(text, mark.start()), "", f"conflict marker {mark[0][:7]}")
            for mark in marks
        ]
        raise FaultyLock(faults, Damage.CONFLICT)
    raise FaultyLock([_unreadable(text, name, fault)], Damage.BROKEN)


def _unreadable(text: str, name: str, fault: JsonFault) -> Fault:
    at = fault.position
    message = f"not JSON: {visible(fault.message)}"
    if fault.code is FaultCode.DEPTH:
        at = _too_deep(text)
        message = f"nests more than {MAX_DEPTH} levels deep"
    elif fault.message.startswith("Unterminated") or not _NOT_SPACE.search(text, at):
        at = len(text.rstrip())
        message = "the file ends too early: it was cut off"
    return Fault(name, line_at(text, at), "", message)


def _too_deep(text: str) -> int:
    """Where the first container begins that stands in too many others."""
    for path, (_, literal, at) in events(text):
        if len(path) == MAX_DEPTH and literal in ("{", "["):
            return at
    return 0
