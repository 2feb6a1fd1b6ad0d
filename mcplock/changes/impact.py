"""What a change means for a caller: for who sends the arguments and reads the results."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mcplock.changes.model import FieldChange, Impact, Missing, gravest
from mcplock.changes.schemas import Side, Verdict, schema_verdicts
from mcplock.jsontext import Json
from mcplock.model import Kind
from mcplock.pointers import steps

_REWORDED = frozenset({"title", "description", "annotations", "icons", "_meta"})
_SCHEMAS: Mapping[str, Side] = {"inputSchema": Side.INPUT, "outputSchema": Side.OUTPUT}


def judge(what: Kind, old: Json, new: Json, fields: Sequence[FieldChange]) -> list[FieldChange]:
    """`fields` of one entry, each with its impact and the reason for it."""
    schemas = _verdicts(old, new) if what is Kind.TOOL else []
    judged = []
    for field in fields:
        impact, reason = _judge_field(what, field, schemas)
        judged.append(replace(field, impact=impact, reason=reason))
    return judged


def _verdicts(old: Json, new: Json) -> list[Verdict]:
    """What the schemas of a tool say; of one that came or went as a whole, nothing."""
    return [
        verdict
        for key, side in _SCHEMAS.items()
        if isinstance(old, dict) and isinstance(new, dict) and key in old and key in new
        for verdict in schema_verdicts(f"/{key}", old[key], new[key], side)
    ]


def _judge_field(what: Kind, field: FieldChange, schemas: Sequence[Verdict]) -> tuple[Impact, str]:
    path = steps(field.pointer)
    match what:
        case Kind.INSTRUCTIONS:
            return Impact.NONE, ""
        case Kind.TOOL if len(path) > 1 and path[0] in _SCHEMAS:
            return _closest(field.pointer, schemas)
        case Kind.TOOL if path[:1] == ["outputSchema"] and Missing.ABSENT in (
            field.old,
            field.new,
        ):
            return _whole_output(field)
        case Kind.PROMPT if len(path) > 1 and path[0] == "arguments":
            return _argument(field, path)
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


def _closest(pointer: str, verdicts: Sequence[Verdict]) -> tuple[Impact, str]:
    """What is said of the value at `pointer`: at it, else around it, else inside it."""
    around = [verdict for verdict in verdicts if _within(pointer, verdict.pointer)]
    length = max((len(verdict.pointer) for verdict in around), default=0)
    said = [verdict for verdict in around if len(verdict.pointer) == length]
    said = said or [verdict for verdict in verdicts if _within(verdict.pointer, pointer)]
    if not said:
        return Impact.UNKNOWN, ""
    impact = gravest([verdict.impact for verdict in said])
    return impact, next(verdict.reason for verdict in said if verdict.impact is impact)


def _within(pointer: str, ancestor: str) -> bool:
    return pointer == ancestor or pointer.startswith(ancestor + "/")
