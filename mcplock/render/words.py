"""Which words of two texts differ."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mcplock.audit import skeleton
from mcplock.changes.sequence import Run, same_runs

# A mark of a hidden character, a word, a blank, a line break, any other sign. Scripts that
# write no blanks are compared by the character.
_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef"
_TOKEN = re.compile(f"⟨[^⟩]*⟩|[{_WIDE}]|[^\\W{_WIDE}]+| +|\n|.", re.DOTALL)
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


def changed_words(
    old: str, new: str, most_edits: int = MOST_EDITS
) -> tuple[list[Part], list[Part]] | None:
    """Both texts in parts; None where they have too little in common to compare words.

    Texts with more than `most_edits` words and signs that differ have too little in common.
    """
    head = shared_start(old, new)
    tail = shared_start(old[head:][::-1], new[head:][::-1])
    ends = len(old) - tail, len(new) - tail
    left, right = _TOKEN.findall(old[head : ends[0]]), _TOKEN.findall(new[head : ends[1]])
    needed = _LEAST_IN_COMMON * min(len(old), len(new)) - head - tail
    if needed > 0 and _letters_in_common(left, right) < needed:
        return None
    runs = same_runs(left, right, most_edits)
    if runs is None:
        return None
    edits = [fine for edit in _readable(list(_edits(left, right, runs))) for fine in _finer(edit)]
    if sum(len(edit.same) for edit in edits) < needed or not head + tail + len(runs):
        return None
    edits = [_Edit("", "", old[:head]), *edits, _Edit("", "", old[ends[0] :])]
    return _parts(edits, 0), _parts(edits, 1)


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


def _readable(edits: Sequence[_Edit]) -> list[_Edit]:
    """Edits joined where fewer words are the same between them than differ on both sides."""
    joined: list[_Edit] = []
    for edit in edits:
        before = joined[-1] if joined else None
        if before and before.old + before.new and _swallowed(before, edit):
            joined[-1] = _Edit(
                before.old + before.same + edit.old, before.new + before.same + edit.new, edit.same
            )
        else:
            joined.append(edit)
    return joined


def _swallowed(before: _Edit, after: _Edit) -> bool:
    size = len(before.same)
    if not after.old + after.new:
        return False
    left = max(len(before.old), len(before.new))
    right = max(len(after.old), len(after.new))
    return size <= min(left, right) or before.same.isspace()


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


_CHARACTER = re.compile("⟨[^⟩]*⟩|.", re.DOTALL)


def _reading(text: str) -> str:
    return skeleton(_MARK.sub("", text))


_MARK = re.compile("⟨[^⟩]*⟩")


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
