"""What a change means for a caller: for who sends the arguments and reads the results."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from mcplock.changes.model import FieldChange, Impact, Missing, gravest
from mcplock.changes.schemas import Side, Verdict, schema_verdicts
from mcplock.jsontext import Json
from mcplock.model import Kind
from mcplock.pointers import steps

_REWORDED = frozenset({"title", "description", "annotations", "icons", "_meta"})
_SCHEMAS: Mapping[str, Side] = {"inputSchema": Side.INPUT, "outputSchema": Side.OUTPUT}


class _Verdicts:
    """What the schemas of a tool say, to be asked for any place in them."""

    def __init__(self, verdicts: Iterable[Verdict]) -> None:
        self._at: dict[str, list[Verdict]] = {}
        for verdict in verdicts:
            self._at.setdefault(verdict.pointer, []).append(verdict)
        self._pointers = sorted(self._at)

    def on(self, pointer: str) -> tuple[Impact, str]:
        """The gravest of what is said of the value there: at it, else around, else inside."""
        said = self._around(pointer) or self._inside(pointer)
        impact = gravest([verdict.impact for verdict in said]) if said else Impact.UNKNOWN
        return impact, next((found.reason for found in said if found.impact is impact), "")

    def _around(self, pointer: str) -> list[Verdict]:
        while pointer:
            if pointer in self._at:
                return self._at[pointer]
            pointer = pointer.rpartition("/")[0]
        return []

    def _inside(self, pointer: str) -> list[Verdict]:
        inside = pointer + "/"
        said: list[Verdict] = []
        for place in range(bisect_left(self._pointers, inside), len(self._pointers)):
            if not self._pointers[place].startswith(inside):
                break
            said += self._at[self._pointers[place]]
        return said


def judge(what: Kind, old: Json, new: Json, fields: Sequence[FieldChange]) -> list[FieldChange]:
    """`fields` of one entry, each with its impact and the reason for it."""
    schemas = _Verdicts(_verdicts(old, new) if what is Kind.TOOL else [])
    judged = []
    for field in fields:
        impact, reason = _judge_field(what, field, schemas)
        judged.append(replace(field, impact=impact, reason=reason))
    return judged


def _verdicts(old: Json, new: Json) -> Iterator[Verdict]:
    """What the schemas of a tool say; of one that came or went as a whole, nothing."""
    for key, side in _SCHEMAS.items():
        if isinstance(old, dict) and isinstance(new, dict) and key in old and key in new:
            yield from schema_verdicts(f"/{key}", old[key], new[key], side)


def _judge_field(what: Kind, field: FieldChange, schemas: _Verdicts) -> tuple[Impact, str]:
    path = steps(field.pointer)
    match what:
        case Kind.INSTRUCTIONS:
            return Impact.NONE, ""
        case Kind.TOOL if len(path) > 1 and path[0] in _SCHEMAS:
            return schemas.on(field.pointer)
        case Kind.TOOL if path[:1] == ["outputSchema"] and Missing.ABSENT in (
            field.old,
            field.new,
        ):
            return _whole_output(field)
        case Kind.PROMPT if len(path) > 1 and path[0] == "arguments":
            return _argument(field, path)
        case Kind.PROMPT if isinstance(field.old, list) and isinstance(field.new, list):
            return Impact.NONE, ""
        case Kind.SOURCE | Kind.PACKAGE:
            return Impact.UNKNOWN, ""
        case _ if path and path[0] in _REWORDED:
            return Impact.NONE, ""
        case _:
            return Impact.UNKNOWN, ""


def _whole_output(field: FieldChange) -> tuple[Impact, str]:
    if field.new is Missing.ABSENT:
        return Impact.BREAKING, "structured results are no longer described"
    return Impact.COMPATIBLE, "structured results are now described"


def _argument(field: FieldChange, path: Sequence[str]) -> tuple[Impact, str]:
    """A field of a prompt's `arguments`."""
    match field.old, field.new, path[2:]:
        case _, Missing.ABSENT, []:
            return Impact.BREAKING, "argument removed"
        case Missing.ABSENT, {"required": True}, []:
            return Impact.BREAKING, "new required argument"
        case Missing.ABSENT, _, []:
            return Impact.COMPATIBLE, "new optional argument"
        case _, True, ["required"]:
            return Impact.BREAKING, "now required"
        case _, _, ["required"]:
            return Impact.COMPATIBLE, "no longer required"
        case _, _, ["description" | "title", *_]:
            return Impact.NONE, ""
        case _:
            return Impact.UNKNOWN, ""
