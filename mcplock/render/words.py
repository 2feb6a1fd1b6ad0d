"""Which words of two texts differ."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mcplock.changes.sequence import Run, same_runs

# A mark of a hidden character, a word, a blank, a line break, any other sign. Scripts that
# write no blanks are compared by the character.
_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef"
_TOKEN = re.compile(f"⟨[^⟩]*⟩|[{_WIDE}]|[^\\W{_WIDE}]+| +|\n|.", re.DOTALL)
_TOO_DIFFERENT = 0.3


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
    left, right = _TOKEN.findall(old), _TOKEN.findall(new)
    if not _enough_in_common(left, right):
        return None
    runs = same_runs(left, right)
    if runs is None:
        return None
    edits = _readable(list(_edits(left, right, runs)))
    if sum(len(edit.same) for edit in edits) < _TOO_DIFFERENT * min(len(old), len(new)):
        return None
    return _parts(edits, 0), _parts(edits, 1)


def _enough_in_common(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether the shorter text is to a good part in the longer one, wherever."""
    common = Counter(old) & Counter(new)
    letters = sum(len(token) * times for token, times in common.items())
    shorter = min(sum(map(len, old)), sum(map(len, new)))
    return letters >= _TOO_DIFFERENT * shorter > 0


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


def _parts(edits: Sequence[_Edit], side: int) -> list[Part]:
    parts: list[Part] = []
    for edit in edits:
        if edit.old or edit.new:
            parts.append(Part(edit[side], True))
        if edit.same:
            parts.append(Part(edit.same, False))
    return parts
