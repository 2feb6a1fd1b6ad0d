"""Which words of two texts differ."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from mcplock.audit import skeleton
from mcplock.changes.sequence import Run, same_runs
from mcplock.lazy import pattern
from mcplock.records import NamedTuple

# A mark of a hidden character, a word, a blank, a line break, any other sign. Scripts that
# write no blanks are compared by the character.
_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef"
_TOKEN = pattern(f"⟨[^⟩]*⟩|[{_WIDE}]|[^\\W{_WIDE}]+| +|\n|.", re.DOTALL)
_LEAST_IN_COMMON = 0.3
_LONGEST_WORD = 100
MOST_EDITS = 300


class Part(NamedTuple):
    """A piece of one of two texts, and whether the other one lacks it.

    A changed part without text is where the other text has something more.
    """

    text: str
    changed: bool


class _Edit(NamedTuple):
    """What differs, and the words after it that are the same."""

    old: str
    new: str
    same: str


def changed_words(old: str, new: str) -> tuple[list[Part], list[Part]] | None:
    """Both texts in parts; None where they have too little in common to compare words."""
    if not old or not new:
        return None
    head = shared_start(old, new)
    tail = shared_start(old[head:][::-1], new[head:][::-1])
    middle = _Edit(old[head : len(old) - tail], new[head : len(new) - tail], "")
    needed = _LEAST_IN_COMMON * min(len(old), len(new)) - head - tail
    coarse = _by_word(middle, needed)
    edits = [fine for edit in coarse or [middle] for fine in _finer(edit)]
    if coarse is None and len(edits) == 1:
        return None
    edits = [_Edit("", "", old[:head]), *edits, _Edit("", "", old[len(old) - tail :])]
    return _parts(edits, 0), _parts(edits, 1)


def _by_word(texts: _Edit, needed: float) -> list[_Edit] | None:
    """The edits that lead from one text to the other, if `needed` characters can stay."""
    left, right = _TOKEN.findall(texts.old), _TOKEN.findall(texts.new)
    if _letters_in_common(left, right) < needed:
        return None
    runs = same_runs(left, right, MOST_EDITS)
    if runs is None:
        return None
    edits = _readable(_edits(left, right, runs))
    return None if sum(len(edit.same) for edit in edits) < needed else edits


def shared_start(old: str, new: str) -> int:
    """How many characters both begin with, up to where a word begins."""
    low, high = 0, min(len(old), len(new))
    while low < high:  # by halves: a loop over the characters of a megabyte takes too long
        middle = (low + high + 1) // 2
        low, high = (middle, high) if old[:middle] == new[:middle] else (low, middle - 1)
    before = old[max(0, low - _LONGEST_WORD) : low]
    words = max(before.rfind(blank) for blank in " \n")
    return low - len(before) + words + 1 if words >= 0 else max(0, low - _LONGEST_WORD)


def _letters_in_common(old: Sequence[str], new: Sequence[str]) -> int:
    """An upper bound of how much of both is the same."""
    common = Counter(old) & Counter(new)
    return sum(len(token) * times for token, times in common.items())


def _edits(old: Sequence[str], new: Sequence[str], runs: Sequence[Run]) -> Iterator[_Edit]:
    old_at = new_at = 0
    for run in [*runs, Run(len(old), len(new), 0)]:
        after = old[run.old : run.old + run.length]
        yield _Edit("".join(old[old_at : run.old]), "".join(new[new_at : run.new]), "".join(after))
        old_at, new_at = run.old + run.length, run.new + run.length


def _readable(edits: Iterable[_Edit]) -> list[_Edit]:
    """Edits joined where fewer words are the same between them than differ on both sides."""
    joined: list[_Edit] = []
    for edit in edits:
        last = edit
        while joined and _swallowed(joined[-1], last):
            before = joined.pop()
            last = _Edit(
                before.old + before.same + last.old, before.new + before.same + last.new, last.same
            )
        joined.append(last)
    return joined


def _swallowed(before: _Edit, after: _Edit) -> bool:
    """Whether what is the same between two edits is too little to be worth a look."""
    left, right = (max(len(edit.old), len(edit.new)) for edit in (before, after))
    return bool(left and right) and (len(before.same) <= min(left, right) or before.same.isspace())


def _finer(edit: _Edit) -> Iterator[_Edit]:
    """Words that read the same, compared by the character: else nobody finds the difference."""
    old, new = (_CHARACTER.findall(text) for text in edit[:2])
    alike = edit.old and edit.new and _reading(edit.old) == _reading(edit.new)
    runs = same_runs(old, new) if alike else None
    if not runs:
        yield edit
        return
    *finer, last = _edits(old, new, runs)
    yield from finer
    yield last._replace(same=edit.same)


_CHARACTER = pattern("⟨[^⟩]*⟩|.", re.DOTALL)


def _reading(text: str) -> str:
    return skeleton(_MARK.sub("", text))


_MARK = pattern("⟨[^⟩]*⟩")


def _parts(edits: Sequence[_Edit], side: int) -> list[Part]:
    parts: list[Part] = []
    for edit in edits:
        if edit.old or edit.new:
            parts.append(Part(edit[side], True))
        if edit.same and parts and not parts[-1].changed:
            parts[-1] = Part(parts[-1].text + edit.same, False)
        elif edit.same:
            parts.append(Part(edit.same, False))
    return parts
