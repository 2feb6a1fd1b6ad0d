"""Matching in time that grows with text times pattern, whatever the pattern is.

All ways through the pattern are walked at once, a character at a time. A lookaround is
walked once over the whole text beforehand, which tells for each place whether it holds.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import assert_never

from mcplock.patterns.reader import Unsupported
from mcplock.patterns.translate import chars_to_re, is_word
from mcplock.patterns.tree import Chars, Edge, Either, Join, Look, Node, Repeat

MAX_STATES = 4_000


class TooLong(Exception):
    """The allowance is used up before it is known whether the text matches."""


@dataclass(slots=True)
class Allowance:
    """How many steps may still be walked."""

    left: int

    def spend(self, steps: int) -> None:
        """Take `steps` away; raises `TooLong` where there are none left."""
        self.left -= steps
        if self.left < 0:
            raise TooLong


class _Consume(dict[str, bool]):
    """Whether a character belongs to a set, remembered for each that was asked for."""

    def __init__(self, belongs: Callable[[str], bool]) -> None:
        super().__init__()
        self.belongs = belongs

    def __missing__(self, character: str) -> bool:
        self[character] = found = self.belongs(character)
        return found


@dataclass(frozen=True, slots=True)
class _Ask:
    """A lookaround: where it holds is looked up in a table."""

    table: int
    negated: bool


_Action = _Consume | Edge | _Ask | None
"""What a state does before it goes on; None: nothing."""


@dataclass(slots=True)
class Program:
    """States with what they do and where they go on; the last one is the end of a match.

    backward: whether it walks from the end of the text to its start, as one that looks ahead
    does.
    """

    backward: bool = False
    actions: list[_Action] = field(default_factory=list)
    exits: list[tuple[int, ...]] = field(default_factory=list)
    start: int = 0
    end: int = 0


class Compiler:
    """Builds the program of a tree and those of its lookarounds.

    looks: the programs of the lookarounds, innermost first.
    """

    def __init__(self, *, ignore_case: bool) -> None:
        self.ignore_case = ignore_case
        self.looks: list[Program] = []
        self.states = 0

    def program(self, node: Node, *, backward: bool = False) -> Program:
        """The program of `node`; raises `Unsupported` where it would be too large."""
        program = Program(backward)
        program.end = self._state(program, None, ())
        program.start = self._add(program, node, program.end)
        return program

    def _state(self, program: Program, action: _Action, exits: tuple[int, ...]) -> int:
        self.states += 1
        if self.states > MAX_STATES:
            raise Unsupported("it is too large")
        program.actions.append(action)
        program.exits.append(exits)
        return len(program.actions) - 1

    def _add(self, program: Program, node: Node, then: int) -> int:
        """Add `node` before the state `then`; give the state that it begins with."""
        match node:
            case Chars():
                return self._state(program, _Consume(belongs(node, self.ignore_case)), (then,))
            case Edge():
                return self._state(program, node, (then,))
            case Join(parts):
                for part in parts if program.backward else reversed(parts):
                    then = self._add(program, part, then)
                return then
            case Either(branches):
                exits = tuple(self._add(program, branch, then) for branch in branches)
                return self._state(program, None, exits)
            case Look():
                self.looks.append(self.program(node.body, backward=not node.behind))
                return self._state(program, _Ask(len(self.looks) - 1, node.negated), (then,))
            case Repeat():
                return self._repeat(program, node, then)
            case _:
                assert_never(node)

    def _repeat(self, program: Program, node: Repeat, then: int) -> int:
        if node.most is None:
            again = self._state(program, None, ())
            program.exits[again] = (self._add(program, node.body, again), then)
            then = again
        for _ in range((node.most or node.least) - node.least):
            then = self._state(program, None, (self._add(program, node.body, then), then))
        for _ in range(node.least):
            then = self._add(program, node.body, then)
        return then


def matches(program: Program, looks: list[Program], text: str, allowance: Allowance) -> bool:
    """Whether `program` matches somewhere in `text`."""
    tables: list[bytearray] = []
    for look in looks:
        tables.append(_walk(look, text, tables, allowance, first_only=False))
    return 1 in _walk(program, text, tables, allowance, first_only=True)


def _walk(
    program: Program, text: str, tables: list[bytearray], allowance: Allowance, *, first_only: bool
) -> bytearray:
    """For each place in `text`, whether a match that begins anywhere ends there."""
    ends = bytearray(len(text) + 1)
    alive: set[int] = set()
    places = range(len(text) + 1)
    for at in reversed(places) if program.backward else places:
        alive.add(program.start)
        alive = _closure(program, alive, text, at, tables)
        allowance.spend(len(alive) + 1)
        if program.end in alive:
            ends[at] = 1
            if first_only:
                break
        ahead = at - 1 if program.backward else at
        if 0 <= ahead < len(text):
            alive = _step(program, alive, text[ahead])
    return ends


def _step(program: Program, alive: set[int], character: str) -> set[int]:
    return {
        program.exits[state][0]
        for state in alive
        if isinstance(action := program.actions[state], _Consume) and action[character]
    }


def _closure(
    program: Program, states: set[int], text: str, at: int, tables: list[bytearray]
) -> set[int]:
    """All states that are reached from `states` without a character."""
    waiting = list(states)
    seen = set(states)
    while waiting:
        state = waiting.pop()
        action = program.actions[state]
        if isinstance(action, _Consume) or not _holds(action, text, at, tables):
            continue
        for following in program.exits[state]:
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return seen


def _holds(action: Edge | _Ask | None, text: str, at: int, tables: list[bytearray]) -> bool:
    match action:
        case None:
            return True
        case _Ask(table, negated):
            return bool(tables[table][at]) != negated
        case Edge.START:
            return at == 0
        case Edge.END:
            return at == len(text)
        case Edge.WORD | Edge.INSIDE:
            before = at > 0 and is_word(text[at - 1])
            after = at < len(text) and is_word(text[at])
            return (before != after) == (action is Edge.WORD)
        case _:
            assert_never(action)


def belongs(chars: Chars, ignore_case: bool) -> Callable[[str], bool]:
    """A function that tells whether a character is one of `chars`."""
    listed = re.compile(
        chars_to_re(Chars(chars.ranges)), re.IGNORECASE if ignore_case else re.NOFLAG
    ).match

    def found(character: str) -> bool:
        inside = listed(character) is not None or any(
            (unicodedata.category(character) in category.names) != category.negated
            for category in chars.categories
        )
        return inside != chars.negated

    return found
