"""`${VAR}` in a text: the parts it is made of, and what they stand for.

    ${VAR}            the variable; undefined: an error
    ${env:VAR}        the same
    ${VAR:-default}   the default where the variable is undefined or empty. It ends at the
                      brace that closes it, braces inside are counted, and it may itself
                      hold variables
    $${               the two characters `${`
    $VAR, $(…)        themselves

Anything else in `${…}` is some client's own variable (`${input:id}`, `${workspaceFolder}`)
or a form of the shell that is not supported.
"""

import re
from collections.abc import Callable, Iterator
from itertools import accumulate

from mcplock.lazy import pattern
from mcplock.records import NamedTuple

MAX_NESTING = 20
"""Braces that may stand one in another in one reference."""

_NAME = pattern(r"(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?", re.DOTALL)
_CLIENTS = pattern(
    r"\$\{(?:\{[\w .-]*\}|/|(?:input|inputs|command|config|file|secret|secrets|prompt|env"
    r"|workspaceFolder):[^{}]+)\}"
)
_MARK = pattern(r"\$\$\{|\$\{|[{}]")


class Reference(NamedTuple):
    """One `${…}`.

    name: of the variable, "" where the form is not one of ours; default: None without one.
    """

    written: str
    name: str
    default: str | None = None

    @property
    def known(self) -> bool:
        """Whether it is one of our forms, or in the manner of some client's own."""
        return bool(self.name or _CLIENTS.fullmatch(self.written))

    @property
    def shown(self) -> str:
        """As messages show it: without what may be a literal."""
        if self.name:
            return f"${{{self.name}}}"
        hit = None if self.known else re.match(r"\$\{\w*", self.written)
        return f"{hit[0]}…" if hit else self.written


Part = str | Reference
"""A literal text, as it will be, or a reference."""


def located(text: str) -> Iterator[tuple[int, Reference]]:
    """Each reference of `text` with its position; those inside defaults not counted."""
    at = 0
    while (start := text.find("${", at)) >= 0:
        if start > at and text[start - 1] == "$":
            at = start + 2
            continue
        at = _end(text, start + 2)
        yield start, _reference(text[start:at])


def literal(text: str) -> str:
    """What a piece of `text` that holds no reference stands for."""
    return text.replace("$${", "${")


def parts(text: str) -> list[Part]:
    """The literals and references that `text` is made of, in order."""
    found: list[Part] = []
    at = 0
    for start, reference in located(text):
        found += [literal(text[at:start]), reference]
        at = start + len(reference.written)
    found.append(literal(text[at:]))
    return [part for part in found if part]


def _end(text: str, at: int) -> int:
    """Just behind the brace that closes the reference whose inside starts at `at`."""
    level = 1
    for hit in _MARK.finditer(text, at):
        level += -1 if hit[0] == "}" else 1
        if level == 0:
            return hit.end()
    return len(text)


def _reference(written: str) -> Reference:
    hit = _NAME.fullmatch(written[2:-1]) if written.endswith("}") else None
    if hit is None or _nesting(written) > MAX_NESTING:
        return Reference(written, "")
    return Reference(written, hit[1], hit[2])


def _nesting(text: str) -> int:
    """How many braces stand one in another, without regard to what is escaped."""
    steps = (-1 if hit[0] == "}" else 1 for hit in _MARK.finditer(text))
    return max(accumulate(steps), default=0)


def references(text: str) -> Iterator[Reference]:
    """Every reference of `text`, those inside defaults too."""
    for part in parts(text):
        if isinstance(part, Reference):
            yield part
            yield from references(part.default or "")


def expand(text: str, value_of: Callable[[Reference], str | None]) -> str:
    """`text` with each reference replaced by its value, else its default.

    `value_of` answers None where there is none: then a reference without default becomes "".
    """
    return "".join(
        part if isinstance(part, str) else _value(part, value_of) for part in parts(text)
    )


def _value(reference: Reference, value_of: Callable[[Reference], str | None]) -> str:
    value = value_of(reference)
    if value or reference.default is None:
        return value or ""
    return expand(reference.default, value_of)
