"""Keywords that apply other schemas, as functions that `jsonschema` calls.

Two things differ from its own. What could not be checked counts as doubt: a value that fits
a schema only as far as that was checked is not refused for fitting it. And every keyword
evaluated is a step, of which there are only so many.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from mcplock.errors import McplockError
from mcplock.jsontext import Json
from mcplock.patterns import Allowance, Pattern, TooLong, Unsupported
from mcplock.validation.dialects import Dialect
from mcplock.validation.keywords import LEAVES, shown
from mcplock.validation.prepare import LEFT_OUT, Caveat
from mcplock.validation.unevaluated import unevaluated_items, unevaluated_properties

STEPS = 100_000
PATTERN_STEPS = 1_000_000
_EXPLAINED = 10
"""Alternatives of which each error is told."""
_MARGIN = 150
"""Calls that the library may need between two keywords."""
_TOO_DEEP = "the schema, or the value, goes too deep to be evaluated"


class Unjudged(McplockError):
    """A value cannot be held against a schema within the bounds of time and depth."""


@dataclass(slots=True)
class Run:
    """One evaluation: what is left of its allowances, and what it could not check.

    followed: by the identities of a schema with a `$ref` and of a value, how the value fits;
    None while that is being found out. So no reference is followed twice with one value,
    and a schema that refers to one thing in many ways costs no more than its size.
    """

    steps: int = STEPS
    patterns: Allowance = field(default_factory=lambda: Allowance(PATTERN_STEPS))
    caveats: dict[Caveat, None] = field(default_factory=dict)
    doubts: int = 0
    followed: "dict[tuple[int, int], _Fit | None]" = field(default_factory=dict)

    def step(self) -> None:
        """Count one keyword; raises `Unjudged` where there were too many, or it goes too deep."""
        self.steps -= 1
        if self.steps < 0:
            raise Unjudged(f"the schema takes more than {STEPS:,} steps to evaluate")
        if _is_deeper_than(sys.getrecursionlimit() - _MARGIN):
            raise Unjudged(_TOO_DEEP)

    def doubt(self, caveat: Caveat) -> None:
        """Note something that could not be checked."""
        self.doubts += 1
        self.caveats.setdefault(caveat)


def _is_deeper_than(frames: int) -> bool:
    """Whether so many calls are under way.

    Asked in time, because the library's native part does not survive a `RecursionError`.
    """
    try:
        sys._getframe(max(frames, 0))
    except ValueError:
        return False
    return True


RUN: ContextVar[Run] = ContextVar("mcplock-validation")

Validator = Any
"""A `jsonschema` validator."""
Errors = Iterable[Any]
"""`jsonschema` validation errors."""
Keyword = Callable[[Validator, Json, Json, Json], Errors | None]
"""(validator, the keyword's value, the value to check, the schema) -> errors."""


def _error(message: str, **more: Any) -> Any:
    from jsonschema import ValidationError

    return ValidationError(message, **more)


def _leaf(check: Callable[[Json, Json], str | None]) -> Keyword:
    def keyword(validator: Validator, wanted: Json, value: Json, schema: Json) -> Errors:
        del validator, schema
        message = check(wanted, value)
        return [_error(message)] if message else ()

    return keyword


def _counting(keyword: Keyword) -> Keyword:
    def counted(validator: Validator, wanted: Json, value: Json, schema: Json) -> Errors | None:
        RUN.get().step()
        return keyword(validator, wanted, value, schema)

    return counted


@dataclass(frozen=True, slots=True)
class _Fit:
    """How a value fits a schema; `sure` is off where a part of that was not checked."""

    errors: list[Any]
    sure: bool


def _fit(validator: Validator, value: Json, schema: Json, **place: Any) -> _Fit:
    before = RUN.get().doubts
    errors = list(validator.descend(value, schema, **place))
    return _Fit(errors, sure=RUN.get().doubts == before)


def _left_out(validator: Validator, caveats: Json, value: Json, schema: Json) -> Errors:
    for caveat in caveats:
        RUN.get().doubt(caveat)
    return ()


def _pattern(validator: Validator, source: Json, value: Json, schema: Json) -> Errors:
    if not isinstance(value, str):
        return ()
    try:
        found = _compiled(source).search(value, RUN.get().patterns)
    except (TooLong, Unsupported):
        message = f"the pattern {shown(source)} takes too long and was not checked"
        RUN.get().doubt(Caveat("", message))
        return ()
    return () if found else [_error(f"must match the pattern {shown(source)}")]


@lru_cache(maxsize=256)
def _compiled(source: str) -> Pattern:
    return Pattern(source)


def _required(validator: Validator, names: Json, value: Json, schema: Json) -> Errors:
    if isinstance(value, dict):
        return [_error("is required", path=(name,)) for name in names if name not in value]
    return ()


def _dependent_required(validator: Validator, named: Json, value: Json, schema: Json) -> Errors:
    if not isinstance(value, dict):
        return ()
    return [
        _error(f"is required where {shown(name)} is given", path=(needed,))
        for name, wanted in named.items()
        if name in value
        for needed in wanted
        if needed not in value
    ]


def _dependencies(validator: Validator, named: Json, value: Json, schema: Json) -> Iterator[Any]:
    if not isinstance(value, dict):
        return
    for name, wanted in named.items():
        if isinstance(wanted, list):
            yield from _dependent_required(validator, {name: wanted}, value, schema)
        elif name in value:
            yield from validator.descend(value, wanted)


def _additional(validator: Validator, rest: Json, value: Json, schema: Json) -> Iterator[Any]:
    import re

    if not isinstance(value, dict):
        return
    patterns = [re.compile(source) for source in schema.get("patternProperties", ())]
    for name, item in value.items():
        if name in schema.get("properties", ()) or any(known.search(name) for known in patterns):
            continue
        if rest is False:
            yield _error(_not_known(name, schema), path=(name,))
        else:
            yield from validator.descend(item, rest, path=name)


def _not_known(name: str, schema: Json) -> str:
    from mcplock.naming import nearest

    near = nearest(name, list(schema.get("properties", ())))
    return f"is not known; {near}" if near else "is not known"


def _property_names(validator: Validator, names: Json, value: Json, schema: Json) -> Iterator[Any]:
    if not isinstance(value, dict):
        return
    for name in value:
        for error in validator.descend(name, names):
            yield _error(f"its name {error.message}", path=(name,))


def _any_of(validator: Validator, branches: Json, value: Json, schema: Json) -> Errors:
    refused = []
    for branch in branches:
        fit = _fit(validator, value, branch)
        if not fit.errors:
            return ()
        refused.append(fit.errors)
    return [_error(_fits_none(branches), context=_reasons(refused))]


def _one_of(validator: Validator, branches: Json, value: Json, schema: Json) -> Errors:
    fits = [_fit(validator, value, branch) for branch in branches]
    refused = [fit.errors for fit in fits if fit.errors]
    if len(refused) == len(fits):
        return [_error(_fits_none(branches), context=_reasons(refused))]
    surely = sum(not fit.errors and fit.sure for fit in fits)
    if surely > 1:
        return [_error(f"must fit one of {len(fits)} alternatives, but fits {surely}")]
    return ()


def _fits_none(branches: Json) -> str:
    return f"fits none of the {len(branches)} alternatives" if len(branches) > 1 else "does not fit"


def _reasons(refused: list[list[Any]]) -> list[Any]:
    """The errors of the alternatives that may have been meant: those refused deepest.

    Not those in which a constant that tells them apart is another, unless all are. Of many
    that are equally near, the ones with the fewest errors stand for the others.
    """
    meant = [errors for errors in refused if not any(map(_is_of_another, errors))] or refused
    deepest = max(map(_depth, meant))
    near = [errors for errors in meant if _depth(errors) == deepest]
    fewest = near if len(near) <= _EXPLAINED else sorted(near, key=len)[:_EXPLAINED]
    return [error for errors in fewest for error in errors]


def _is_of_another(error: Any) -> bool:
    return error.validator in ("const", "enum") and len(error.path) == 1


def _depth(errors: list[Any]) -> int:
    return max(len(error.path) for error in errors)


def _not(validator: Validator, unwanted: Json, value: Json, schema: Json) -> Errors:
    fit = _fit(validator, value, unwanted)
    if fit.errors or not fit.sure:
        return ()
    message = "must not be as the schema under `not` says" if unwanted else "is not allowed"
    return [_error(message)]


def _if(validator: Validator, test: Json, value: Json, schema: Json) -> Errors:
    fit = _fit(validator, value, test)
    if fit.errors:
        branch = "else"
    elif fit.sure:
        branch = "then"
    else:
        return ()
    return validator.descend(value, schema[branch]) if branch in schema else ()


def _contains(*, counted: bool) -> Keyword:
    """`contains`; whether `minContains` and `maxContains` beside it count."""

    def contains(validator: Validator, wanted: Json, value: Json, schema: Json) -> Errors:
        if not isinstance(value, list):
            return ()
        fits = [_fit(validator, item, wanted) for item in value]
        least = schema.get("minContains", 1) if counted else 1
        most = schema.get("maxContains", len(value)) if counted else len(value)
        if sum(not fit.errors for fit in fits) < least:
            return [_error(f"must have {least} or more of the items that `contains` describes")]
        if sum(not fit.errors and fit.sure for fit in fits) > most:
            return [_error(f"must have {most} or fewer of the items that `contains` describes")]
        return ()

    return contains


def _reference(keyword: Keyword) -> Keyword:
    """`$ref`: what leads nowhere, or only round and round, refuses nothing."""

    def reference(validator: Validator, ref: Json, value: Json, schema: Json) -> Errors:
        run = RUN.get()
        key = (id(schema), id(value))
        if key not in run.followed:
            run.followed[key] = None
            found = _target(keyword, validator, ref, value, schema)
            run.followed[key] = _Fit([_again(error) for error in found.errors], found.sure)
            return found.errors
        known = run.followed[key]
        if known is None:
            run.doubt(Caveat("", f"the reference {shown(ref)} leads to itself without end"))
            return ()
        run.doubts += not known.sure
        return [_again(error) for error in known.errors]

    return reference


def _again(error: Any) -> Any:
    """The same error once more: an error belongs to one place, and its path grows with that."""
    return _error(error.message, path=error.relative_path, validator=error.validator)


def _target(keyword: Keyword, validator: Validator, ref: Json, value: Json, schema: Json) -> _Fit:
    """How `value` fits what `ref` refers to."""
    from referencing.exceptions import Unresolvable

    before = RUN.get().doubts
    try:
        errors = list(keyword(validator, ref, value, schema) or ())
    except Unresolvable:
        message = f"the reference {shown(ref)} leads nowhere inside the schema"
        RUN.get().doubt(Caveat("", f"{message} and was not followed"))
        errors = []
    return _Fit(errors, sure=RUN.get().doubts == before)


def _dynamic_reference(keyword: Keyword) -> Keyword:
    """`$dynamicRef`: where it leads depends on how it was reached."""

    def reference(validator: Validator, ref: Json, value: Json, schema: Json) -> Errors:
        return _target(keyword, validator, ref, value, schema).errors

    return reference


def _if_sure(keyword: Keyword) -> Keyword:
    """`keyword`, which refuses what nothing else has looked at: so all must have been looked at."""

    def sure(validator: Validator, wanted: Json, value: Json, schema: Json) -> Errors:
        from referencing.exceptions import Unresolvable

        try:
            errors = list(keyword(validator, wanted, value, schema) or ())
        except Unresolvable:
            return ()
        return () if RUN.get().doubts else errors

    return sure


_OWN: Mapping[str, Keyword] = {
    **{key: _leaf(check) for key, check in LEAVES.items()},
    "pattern": _pattern,
    "required": _required,
    "dependentRequired": _dependent_required,
    "dependencies": _dependencies,
    "additionalProperties": _additional,
    "propertyNames": _property_names,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
    "if": _if,
    "unevaluatedProperties": _if_sure(unevaluated_properties),
    "unevaluatedItems": _if_sure(unevaluated_items),
}


@lru_cache
def validator_class(dialect: Dialect) -> Any:
    """The `jsonschema` class that evaluates `dialect` with the keywords of this module."""
    import jsonschema
    from jsonschema import validators

    extend: Any = validators.extend
    base: Any = {
        Dialect.DRAFT_4: jsonschema.Draft4Validator,
        Dialect.DRAFT_6: jsonschema.Draft6Validator,
        Dialect.DRAFT_7: jsonschema.Draft7Validator,
        Dialect.DRAFT_2019_09: jsonschema.Draft201909Validator,
        Dialect.DRAFT_2020_12: jsonschema.Draft202012Validator,
    }[dialect]
    keywords: dict[str, Keyword] = {}
    for key, theirs in base.VALIDATORS.items():
        ours = _OWN.get(key, theirs)
        if key == "$ref":
            ours = _reference(theirs)
        elif key in ("$dynamicRef", "$recursiveRef"):
            ours = _dynamic_reference(theirs)
        keywords[key] = _counting(ours)
    if dialect is Dialect.DRAFT_4:
        for key in ("exclusiveMinimum", "exclusiveMaximum"):
            keywords[key] = _counting(_OWN[key])
    elif "contains" in keywords:
        counted = dialect not in (Dialect.DRAFT_6, Dialect.DRAFT_7)
        keywords["contains"] = _counting(_contains(counted=counted))
    keywords[LEFT_OUT] = _left_out
    return extend(base, keywords)
