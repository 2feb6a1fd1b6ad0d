"""A schema that values can be checked against."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mcplock.jsontext import Json
from mcplock.pointers import step
from mcplock.text import visible
from mcplock.validation.applicators import RUN, Run, Unjudged, validator_class
from mcplock.validation.prepare import Caveat, prepare

__all__ = ["Caveat", "Checker", "Judgement", "Unjudged", "Violation"]


@dataclass(frozen=True, slots=True)
class Violation:
    """Something in a value that its schema does not allow.

    pointer: the place in the value, "" for the whole; message: safe to print, fit to follow
    the name of that place.
    """

    pointer: str
    message: str

    def __str__(self) -> str:
        return f"{visible(self.pointer)}: {self.message}" if self.pointer else self.message


@dataclass(frozen=True, slots=True)
class Judgement:
    """Every violation of one value, and what of the schema was not checked."""

    violations: Sequence[Violation]
    caveats: Sequence[Caveat]


class Checker:
    """Checks values against one schema, in the dialect that it names, offline.

    No reference is followed out of the schema. What is not well formed, and patterns that
    cannot be matched in bounded time, refuse nothing and are told as caveats.

    >>> checker = Checker({"type": "object", "properties": {"n": {"type": "integer"}}})
    >>> [str(violation) for violation in checker.check({"n": "1"}).violations]
    ['/n: must be integer, not string']
    """

    def __init__(self, schema: Json) -> None:
        from referencing import Registry

        prepared = prepare(schema)
        self.dialect = prepared.dialect
        self._caveats = prepared.caveats
        # Without a registry of its own the library would fetch what a `$ref` points to.
        self._validator = validator_class(prepared.dialect)(prepared.schema, registry=Registry())

    def check(self, value: Json) -> Judgement:
        """Every violation of `value`.

        Raises `Unjudged` where the schema takes too many steps, or goes too deep.
        """
        run = Run()
        token = RUN.set(run)
        try:
            violations = dict.fromkeys(_violations(self._validator.iter_errors(value)))
        finally:
            RUN.reset(token)
        return Judgement(tuple(violations), (*self._caveats, *run.caveats))


_PLAIN = {
    "items": "has more items than are allowed",
    "additionalItems": "has more items than are allowed",
}


def _violations(errors: Any) -> Iterator[Violation]:
    for error in errors:
        pointer = "".join(map(step, error.absolute_path))
        message = _PLAIN.get(error.validator, error.message)
        yield Violation(pointer, "is not allowed" if error.schema is False else message)
        yield from _deeper(error)


def _deeper(error: Any) -> Iterator[Violation]:
    """Why the nearest alternatives do not fit, where that says more than that they do not."""
    if error.context:
        yield from _violations(error.context)
