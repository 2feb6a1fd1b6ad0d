"""What goes to a tool and what comes from it, held against its locked schemas."""

import json
from collections.abc import Collection, Mapping, Sequence

from mcplock.approved import Tool
from mcplock.arguments import ArgumentChecker, declared_names, input_schema
from mcplock.errors import InvalidArguments
from mcplock.jsontext import Json, JsonFault
from mcplock.naming import nearest, typed
from mcplock.pointers import step
from mcplock.session.mirrored import KEYWORD
from mcplock.text import visible
from mcplock.validation import Caveat, Checker, Unjudged

_MOST_SLIPS = 5


class Checks:
    """What is prepared once for all calls of one tool.

    marks: its input schema, where that marks arguments for headers of HTTP.
    """

    def __init__(self, tool: Tool) -> None:
        self._name = visible(tool.id)
        self._hint = f"`mcplock show {typed(tool.id)}` tells what it takes"
        self._arguments = ArgumentChecker(input_schema(tool.content))
        self._declared = declared_names(input_schema(tool.content))
        self.output = OutputCheck(tool)
        schema = tool.content.get("inputSchema")
        self.marks = schema if KEYWORD in json.dumps(schema) else None

    def accept(self, arguments: dict[str, Json]) -> list[str]:
        """Raise `InvalidArguments` unless the locked schema allows them; remarks on them."""
        judgement = self._arguments.check(arguments)
        violations = judgement.violations
        if violations:
            told = "".join(f"\n  {violation}" for violation in violations)
            told += self._slips(arguments, {violation.pointer for violation in violations})
            pairs = [(violation.pointer, violation.message) for violation in violations]
            message = f"{self._name}: the arguments do not fit, so nothing was sent:{told}"
            raise InvalidArguments(message, pairs, hint=self._hint)
        return [*_unchecked("arguments", judgement.caveats), *self._strange(arguments)]

    def _strange(self, arguments: Mapping[str, Json]) -> list[str]:
        """Arguments that the schema allows without naming them: slips of a pen, mostly."""
        if not self._declared:  # it names none
            return []
        told = "the schema names no argument {} and allows it, so it was sent"
        return [told.format(visible(name)) + self._near(name) for name in self._unnamed(arguments)]

    def _slips(self, arguments: Mapping[str, Json], told: Collection[str]) -> str:
        """Those that may be why others are missing, but for the ones whose pointers are `told`."""
        if not self._declared:
            return ""
        names = [name for name in self._unnamed(arguments) if step(name) not in told]
        said = "the schema names no such argument"
        return "".join(f"\n  {visible(step(name))}: {said}{self._near(name)}" for name in names)

    def _unnamed(self, arguments: Mapping[str, Json]) -> list[str]:
        strange = [name for name in arguments if name not in (self._declared or ())]
        return strange[:_MOST_SLIPS]

    def _near(self, name: str) -> str:
        near = nearest(name, sorted(self._declared or ()))
        return f"; {near}" if near else ""


class OutputCheck:
    """Holds results of one tool against its locked `outputSchema`."""

    def __init__(self, tool: Tool) -> None:
        schema = tool.content.get("outputSchema")
        self._checker = Checker(schema) if isinstance(schema, dict) else None

    def judge(self, wire: Mapping[str, Json]) -> tuple[list[tuple[str, str]], list[str]]:
        """What of a result is not as the schema says, and what of it could not be checked.

        A failed call owes it nothing.
        """
        if self._checker is None or wire.get("isError") is True:
            return [], []
        if "structuredContent" not in wire:
            return [("", "there is no structured content, which the output schema promises")], []
        try:
            judgement = self._checker.check(wire["structuredContent"])
        except (Unjudged, JsonFault) as unjudged:
            return [("", f"cannot be judged: {unjudged.message}")], []
        found = [(violation.pointer, violation.message) for violation in judgement.violations]
        return found, _unchecked("result", judgement.caveats)


def _unchecked(what: str, caveats: Sequence[Caveat]) -> list[str]:
    return [f"the {what} could not wholly be checked: {caveat}" for caveat in caveats]
