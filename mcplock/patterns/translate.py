"""The tree of a pattern -> the same for Python's `re`, and what `re` may need for it."""

from dataclasses import dataclass
from typing import assert_never

from mcplock.patterns.reader import WORDS
from mcplock.patterns.tree import LAST, Chars, Edge, Either, Join, Look, Node, Range, Repeat

_FEW = 8
"""Counted repeats of one character up to here are so many choices, not a loop."""


@dataclass(frozen=True, slots=True)
class Effort:
    """At most `choices * length ** loops` paths are tried before `re` gives up."""

    loops: int = 0
    choices: int = 1

    def on(self, length: int, *, anchored: bool) -> int:
        """How many paths that are in a text of `length` characters."""
        paths: int = self.choices * (length + 1) ** (self.loops + (not anchored))
        return paths


MAX_LOOPS = 8
MAX_CHOICES = 1_000


def effort(node: Node) -> Effort | None:
    """What backtracking may cost; None where it may grow without measure."""
    match node:
        case Chars() | Edge():
            return Effort()
        case Join(parts):
            return _product([effort(part) for part in parts])
        case Either(branches):
            return _sum([effort(branch) for branch in branches])
        case Look(body):
            return effort(body)
        case Repeat():
            return _repeat(node)
        case _:
            assert_never(node)


def _product(parts: list[Effort | None]) -> Effort | None:
    loops, choices = 0, 1
    for part in parts:
        if part is None:
            return None
        loops += part.loops
        choices *= part.choices
        if loops > MAX_LOOPS or choices > MAX_CHOICES:
            return None
    return Effort(loops, choices)


def _sum(branches: list[Effort | None]) -> Effort | None:
    known = [branch for branch in branches if branch]
    if len(known) < len(branches):
        return None
    choices = sum(branch.choices for branch in known)
    loops = max(branch.loops for branch in known)
    return None if choices > MAX_CHOICES else Effort(loops, choices)


def _repeat(node: Repeat) -> Effort | None:
    body = effort(node.body)
    if body is None:
        return None
    plain = _is_text(node.body)
    if node.most == node.least:
        if plain:
            return body
        return _product([body] * node.least) if node.least <= MAX_LOOPS else None
    if node.most == 1:
        return Effort(body.loops, body.choices + 1)
    if not plain:
        return None
    if node.most is not None and node.most - node.least < _FEW:
        return Effort(0, node.most - node.least + 1)
    return Effort(1)


def _is_text(node: Node) -> bool:
    """Whether it takes so many characters, in one way only."""
    match node:
        case Chars():
            return True
        case Join(parts):
            return bool(parts) and all(map(_is_text, parts))
        case Repeat(body, least, most):
            return least == most and least > 0 and _is_text(body)
        case _:
            return False


def is_anchored(node: Node) -> bool:
    """Whether a match can begin at the start of the text only."""
    match node:
        case Edge():
            return node is Edge.START
        case Join(parts):
            return bool(parts) and is_anchored(parts[0])
        case Either(branches):
            return all(map(is_anchored, branches))
        case _:
            return False


def has_category(node: Node) -> bool:
    """Whether a Unicode property stands in it, which `re` has no word for."""
    match node:
        case Chars():
            return bool(node.categories)
        case Edge():
            return False
        case Join(nodes) | Either(nodes):
            return any(map(has_category, nodes))
        case Repeat(body) | Look(body):
            return has_category(body)
        case _:
            assert_never(node)


_WORD = "[0-9A-Z_a-z]"
_EDGES = {
    Edge.START: r"\A",
    Edge.END: r"\Z",
    Edge.WORD: f"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))",
    Edge.INSIDE: f"(?:(?<={_WORD})(?={_WORD})|(?<!{_WORD})(?!{_WORD}))",
}


def to_re(node: Node) -> str:
    """`node` in the words of `re`; it must be without Unicode properties."""
    match node:
        case Chars():
            return chars_to_re(node)
        case Edge():
            return _EDGES[node]
        case Join(parts):
            return "".join(map(to_re, parts))
        case Either(branches):
            return f"(?:{'|'.join(map(to_re, branches))})"
        case Look():
            behind, sign = "<" if node.behind else "", "!" if node.negated else "="
            return f"(?{behind}{sign}{to_re(node.body)})"
        case Repeat():
            most = "" if node.most is None else node.most
            return f"(?:{to_re(node.body)}){{{node.least},{most}}}"
        case _:
            assert_never(node)


def chars_to_re(chars: Chars) -> str:
    """The class that `chars` without its categories is."""
    if not chars.ranges:
        return r"[\s\S]" if chars.negated else "(?!)"
    sign = "^" if chars.negated else ""
    return f"[{sign}{''.join(map(_range, chars.ranges))}]"


def _range(ends: Range) -> str:
    first, last = ends
    return f"\\U{first:08x}-\\U{min(last, LAST):08x}"


def is_word(character: str) -> bool:
    """Whether `character` is what word boundaries are between."""
    return any(first <= ord(character) <= last for first, last in WORDS)
